/*
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *     http://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */
package io.sextant.index.metadata;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.sextant.expression.FunctionName;
import io.sextant.expression.ValueExpression;
import io.sextant.index.metadata.ExtractSchemaChoice.Evolved;
import io.sextant.index.metadata.ExtractSchemaChoice.Existing;
import io.sextant.index.metadata.ExtractSchemaChoice.Impossible;
import io.trino.spi.TrinoException;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotParser;
import org.apache.iceberg.expressions.Literal;
import org.apache.iceberg.types.EdgeAlgorithm;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import static io.sextant.error.SextantErrorCode.INDEX_INVALID_DEFINITION;
import static io.sextant.index.metadata.TestingMetadata.FILE_ID;
import static io.sextant.index.metadata.TestingMetadata.POSITION_ID;
import static io.sextant.index.metadata.TestingMetadata.usersById;
import static io.sextant.index.metadata.TestingMetadata.usersSchema;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class TestExtractSchemas
{
    private static final Schema TABLE = new Schema(
            NestedField.required(1, "id", Types.LongType.get()),
            NestedField.optional(2, "Name", Types.StringType.get()),
            NestedField.optional(3, "address", Types.StructType.of(
                    NestedField.required(4, "city", Types.StringType.get()),
                    NestedField.required(5, "geo", Types.StructType.of(
                            NestedField.required(6, "lat", Types.DoubleType.get()))))),
            NestedField.required(7, "home", Types.StructType.of(
                    NestedField.required(8, "city", Types.StringType.get()),
                    NestedField.optional(9, "zip", Types.IntegerType.get()))),
            NestedField.required(10, "tags", Types.ListType.ofRequired(11, Types.StructType.of(
                    NestedField.required(12, "tag", Types.StringType.get())))),
            NestedField.required(13, "attributes", Types.MapType.ofRequired(14, 15, Types.StringType.get(), Types.LongType.get())),
            NestedField.required("price").withId(16).ofType(Types.DecimalType.of(12, 2)).withDoc("in euro")
                    .withInitialDefault(Literal.of("1.00").to(Types.DecimalType.of(12, 2)))
                    .withWriteDefault(Literal.of("2.00").to(Types.DecimalType.of(12, 2)))
                    .build());

    @Test
    @Tag("IX-09")
    void testColumnsKeepTheirIdsAndOthersTakeFreshOnes()
    {
        IdentityColumns columns = ExtractSchemas.derive(TABLE, 20, ImmutableList.of("home.city", "id"), ImmutableList.of("price", "id", "_pos"));
        assertThat(columns.schema().asStruct()).isEqualTo(new Schema(
                NestedField.required(21, "home.city", Types.StringType.get()),
                NestedField.required(1, "id", Types.LongType.get()),
                NestedField.required(22, "_file", Types.StringType.get()),
                NestedField.required(23, "_pos", Types.LongType.get()),
                NestedField.required(16, "price", Types.DecimalType.of(12, 2))).asStruct());
        assertThat(columns.identityFields()).containsExactly(
                new IdentityField(8, 21),
                new IdentityField(1, 1),
                new IdentityField(FILE_ID, 22),
                new IdentityField(POSITION_ID, 23),
                new IdentityField(16, 16));
        assertThat(columns.nextFieldId()).isEqualTo(24);
        assertThat(columns.fieldId("home.city")).isEqualTo(21);
        assertThat(columns.fieldId("price")).isEqualTo(16);
        assertThat(columns.fieldId("_pos")).isEqualTo(23);
        assertThatThrownBy(() -> columns.fieldId("tags")).isInstanceOf(IllegalArgumentException.class);
        assertThat(SchemaParser.fromJson(SchemaParser.toJson(columns.schema())).sameSchema(columns.schema())).isTrue();
    }

    @Test
    void testFreshIdsAreAboveAllIdsOfTheTable()
    {
        assertThat(ExtractSchemas.derive(TABLE, 0, ImmutableList.of("id"), ImmutableList.of()).schema().columns())
                .extracting(NestedField::fieldId)
                .containsExactly(1, 17, 18);
        Schema atLimit = new Schema(NestedField.required(999_947, "a", Types.LongType.get()));
        assertThat(ExtractSchemas.derive(atLimit, 0, ImmutableList.of("a"), ImmutableList.of()).nextFieldId()).isEqualTo(999_950);
        assertRefused(new Schema(NestedField.required(999_948, "a", Types.LongType.get())), "a", "Column _pos cannot be indexed: field ID 999950 is not below 999950, the limit of column statistics");
        assertRefused(new Schema(NestedField.required(1_000_000, "a", Types.LongType.get())), "a", "Column a cannot be indexed: field ID 1000000 is not below 999950, the limit of column statistics");
    }

    @Test
    @Tag("IX-12")
    void testColumnIsOptionalIfItsSourceOrAnyStructAroundItIs()
    {
        Schema schema = ExtractSchemas.derive(TABLE, 16, ImmutableList.of("id", "name", "address.city", "address.geo.lat", "home.city", "home.zip"), ImmutableList.of("_row_id", "_spec_id")).schema();
        assertThat(schema.columns()).filteredOn(NestedField::isOptional).extracting(NestedField::name)
                .containsExactly("Name", "address.city", "address.geo.lat", "home.zip", "_row_id");
        assertThat(schema.columns()).filteredOn(NestedField::isRequired).extracting(NestedField::name)
                .containsExactly("id", "home.city", "_file", "_pos", "_spec_id");
    }

    @Test
    @Tag("IX-10")
    void testMetadataColumns()
    {
        IdentityColumns columns = ExtractSchemas.derive(TABLE, 16, ImmutableList.of("_file"), ImmutableList.of("_pos", "_spec_id", "_row_id", "_last_updated_sequence_number"));
        assertThat(columns.identityFields()).extracting(IdentityField::sourceId)
                .containsExactly(2147483646, 2147483645, 2147483643, 2147483540, 2147483539);
        assertThat(columns.schema().columns()).extracting(NestedField::type)
                .containsExactly(Types.StringType.get(), Types.LongType.get(), Types.IntegerType.get(), Types.LongType.get(), Types.LongType.get());
        for (String name : List.of("_deleted", "_partition", "_change_type", "_change_ordinal", "_commit_snapshot_id")) {
            assertRefused(TABLE, name, "Column %s cannot be indexed: this metadata column cannot be indexed".formatted(name));
        }
        for (String name : List.of("file_path", "pos", "row")) {
            assertRefused(TABLE, name, "Column %s cannot be indexed: the table has no such column".formatted(name));
        }
    }

    @Test
    void testTableColumnWithNameOfMetadataColumn()
    {
        Schema table = new Schema(NestedField.required(1, "_file", Types.LongType.get()), NestedField.required(2, "_file_2", Types.LongType.get()), NestedField.required(3, "id", Types.LongType.get()));
        assertThat(ExtractSchemas.derive(table, 3, ImmutableList.of("id"), ImmutableList.of("_file_2")).schema().columns()).extracting(NestedField::name)
                .containsExactly("id", "_file_3", "_pos", "_file_2");
        assertRefused(table, "_file", "Column _file cannot be indexed: the table has a column with the name of a metadata column");
    }

    @Test
    void testNames()
    {
        assertThat(ExtractSchemas.derive(TABLE, 16, ImmutableList.of("NAME", "Home.City"), ImmutableList.of()).schema().columns()).extracting(NestedField::name)
                .containsExactly("Name", "home.city", "_file", "_pos");
        assertRefused(TABLE, "nope", "Column nope cannot be indexed: the table has no such column");
        assertRefused(TABLE, "", "Column  cannot be indexed: the name is empty");
        Schema ambiguous = new Schema(NestedField.required(1, "a", Types.LongType.get()), NestedField.required(2, "A", Types.LongType.get()), NestedField.required(3, "b", Types.LongType.get()));
        assertThat(ExtractSchemas.derive(ambiguous, 3, ImmutableList.of("A"), ImmutableList.of()).fieldId("A")).isEqualTo(2);
        assertRefused(ambiguous, "B", "Column B cannot be indexed: the table has columns whose names differ only in case; give the exact name");
    }

    @Test
    void testCollectionsAreRefused()
    {
        assertRefused(TABLE, "tags.element.tag", "Column tags.element.tag cannot be indexed: it is inside a list or a map");
        assertRefused(TABLE, "tags.tag", "Column tags.tag cannot be indexed: it is inside a list or a map");
        assertRefused(TABLE, "attributes.key", "Column attributes.key cannot be indexed: it is inside a list or a map");
        assertRefused(TABLE, "attributes.value", "Column attributes.value cannot be indexed: it is inside a list or a map");
        assertRefused(TABLE, "attributes", "Column attributes cannot be indexed: type map<string, long> is not supported");
        assertRefused(TABLE, "home", "Column home cannot be indexed: type struct<8: city: required string, 9: zip: optional int> is not supported");
    }

    @Test
    void testTypes()
    {
        for (Type type : List.of(Types.GeometryType.crs84(), Types.GeographyType.of("OGC:CRS84", EdgeAlgorithm.SPHERICAL), Types.VariantType.get(), Types.UnknownType.get())) {
            assertRefused(new Schema(NestedField.optional(1, "a", type)), "a", "Column a cannot be indexed: type %s is not supported".formatted(type));
        }
        for (Type type : List.of(
                Types.BooleanType.get(),
                Types.IntegerType.get(),
                Types.LongType.get(),
                Types.FloatType.get(),
                Types.DoubleType.get(),
                Types.DecimalType.of(38, 10),
                Types.DateType.get(),
                Types.TimeType.get(),
                Types.TimestampType.withZone(),
                Types.TimestampType.withoutZone(),
                Types.TimestampNanoType.withZone(),
                Types.TimestampNanoType.withoutZone(),
                Types.StringType.get(),
                Types.UUIDType.get(),
                Types.FixedType.ofLength(3),
                Types.BinaryType.get())) {
            Schema table = new Schema(NestedField.optional(1, "a", type));
            assertThat(ExtractSchemas.derive(table, 1, ImmutableList.of("a"), ImmutableList.of()).schema().findType(1)).isEqualTo(type);
        }
    }

    @Test
    void testDerivedColumnsMakeAnIndex()
    {
        IdentityColumns columns = ExtractSchemas.derive(TABLE, 16, ImmutableList.of("home.city"), ImmutableList.of("price"));
        IndexMetadata metadata = usersById()
                .identityFields(columns.identityFields())
                .schemas(ImmutableList.of(columns.schema()))
                .orderingKey(ImmutableList.of(columns.fieldId("home.city")))
                .build();
        assertThat(metadata.unusableReason()).isEmpty();
        assertThat(ExtractSchemas.choose(metadata, TABLE)).isEqualTo(new Existing(columns.schema()));
    }

    @Test
    @Tag("IX-11")
    void testSchemaWithTheTypesOfTheSnapshotIsChosen()
    {
        Schema ints = usersSchema(0, NestedField.required(1, "user_id", Types.IntegerType.get()));
        Schema longs = usersSchema(1, NestedField.required(1, "user_id", Types.LongType.get()));
        IndexMetadata metadata = usersById().build().withSchema(longs);
        assertThat(schemaId(ExtractSchemas.choose(metadata, table(NestedField.required(1, "user_id", Types.IntegerType.get()))))).isEqualTo(ints.schemaId());
        assertThat(ExtractSchemas.choose(metadata, table(NestedField.required(1, "user_id", Types.LongType.get())))).isEqualTo(new Existing(longs));
        // Names do not matter, and a column that was dropped and added again is another one
        assertThat(ExtractSchemas.choose(metadata, table(NestedField.required(1, "renamed", Types.LongType.get())))).isEqualTo(new Existing(longs));
        assertThat(ExtractSchemas.choose(metadata, table(NestedField.required(2, "user_id", Types.LongType.get())))).isInstanceOf(Impossible.class);
    }

    @Test
    @Tag("IX-11")
    void testSnapshotMustStateItsSchema()
    {
        IndexMetadata metadata = usersById().build();
        Map<Integer, Schema> tableSchemas = ImmutableMap.of(
                3, table(NestedField.required(1, "user_id", Types.IntegerType.get())),
                4, table(NestedField.required(1, "user_id", Types.LongType.get())));
        assertThat(ExtractSchemas.choose(metadata, snapshot(",'schema-id':3"), tableSchemas)).isEqualTo(new Existing(metadata.latestSchema()));
        assertThat(ExtractSchemas.choose(metadata, snapshot(",'schema-id':4"), tableSchemas)).isInstanceOf(Evolved.class);
        assertThat(ExtractSchemas.choose(metadata, snapshot(""), tableSchemas)).isEqualTo(new Impossible("snapshot 77 does not state its schema"));
        assertThat(ExtractSchemas.choose(metadata, snapshot(",'schema-id':5"), tableSchemas)).isEqualTo(new Impossible("the table no longer has schema 5 of snapshot 77"));
    }

    @Test
    @Tag("IX-12")
    void testOptionalColumnServesRequiredSourceButNotTheReverse()
    {
        Schema optional = usersSchema(1, NestedField.optional(1, "user_id", Types.IntegerType.get()));
        IndexMetadata metadata = usersById().build().withSchema(optional);
        // Both schemas match; under the latest one all region files may be reused
        assertThat(ExtractSchemas.choose(metadata, table(NestedField.required(1, "user_id", Types.IntegerType.get())))).isEqualTo(new Existing(optional));
        assertThat(ExtractSchemas.choose(metadata, table(NestedField.optional(1, "user_id", Types.IntegerType.get())))).isEqualTo(new Existing(optional));
        assertThat(ExtractSchemas.choose(usersById().build(), table(NestedField.optional(1, "user_id", Types.IntegerType.get())))).isInstanceOf(Evolved.class);
    }

    @Test
    @Tag("IX-13")
    void testNewSchemaIsMadeIfNoneMatches()
    {
        IndexMetadata metadata = usersById().build();
        Schema evolved = evolved(ExtractSchemas.choose(metadata, table(NestedField.optional(1, "renamed", Types.LongType.get()))));
        assertThat(evolved.schemaId()).isEqualTo(1);
        assertThat(evolved.asStruct()).isEqualTo(usersSchema(1, NestedField.optional(1, "user_id", Types.LongType.get())).asStruct());
        assertThat(metadata.withSchema(evolved).latestSchema()).isEqualTo(evolved);

        // Once optional, a column stays so
        IndexMetadata optional = metadata.withSchema(usersSchema(7, NestedField.optional(1, "user_id", Types.IntegerType.get())));
        Schema promoted = evolved(ExtractSchemas.choose(optional, table(NestedField.required(1, "user_id", Types.LongType.get()))));
        assertThat(promoted.schemaId()).isEqualTo(8);
        assertThat(promoted.asStruct()).isEqualTo(usersSchema(8, NestedField.optional(1, "user_id", Types.LongType.get())).asStruct());
    }

    @Test
    @Tag("IX-14")
    void testDroppedSource()
    {
        assertDropped(usersById().build(), table(NestedField.required(2, "other", Types.LongType.get())), "user_id", "");
        // A name does not make a column the same
        assertDropped(usersById().build(), table(NestedField.required(2, "USER_ID", Types.IntegerType.get())), "user_id", "; the column that has this name now is another one");
        // Also if the struct around it was dropped
        IdentityColumns columns = ExtractSchemas.derive(TABLE, 16, ImmutableList.of("home.city"), ImmutableList.of());
        IndexMetadata metadata = usersById().identityFields(columns.identityFields()).schemas(ImmutableList.of(columns.schema())).orderingKey(ImmutableList.of(17)).build();
        assertDropped(metadata, table(NestedField.required(1, "id", Types.LongType.get())), "home.city", "");
    }

    private static void assertDropped(IndexMetadata metadata, Schema table, String column, String successor)
    {
        String reason = "column %s was dropped from the table%s".formatted(column, successor);
        assertThat(metadata.unusableReason()).isEmpty();
        assertThat(metadata.unusableReason(table)).contains(reason);
        assertThat(ExtractSchemas.droppedColumnReason(metadata, table)).contains(reason);
        assertThat(ExtractSchemas.choose(metadata, table)).isEqualTo(new Impossible("the snapshot has no column " + column));
    }

    @Test
    void testDroppedSourceBehindTheFirst()
    {
        IdentityColumns columns = ExtractSchemas.derive(TABLE, 16, ImmutableList.of("id", "home.city"), ImmutableList.of());
        IndexMetadata metadata = usersById()
                .identityFields(columns.identityFields())
                .schemas(ImmutableList.of(columns.schema()))
                .orderingKey(ImmutableList.of(columns.fieldId("id"), columns.fieldId("home.city")))
                .build();
        assertThat(metadata.unusableReason(TABLE)).isEmpty();
        assertThat(ExtractSchemas.droppedColumnReason(metadata, TABLE)).isEmpty();
        Schema withoutCity = new Schema(TABLE.findField("id"));
        assertThat(metadata.unusableReason(withoutCity)).isEmpty();
        assertThat(ExtractSchemas.droppedColumnReason(metadata, withoutCity)).contains("column home.city was dropped from the table");
    }

    @Test
    @Tag("IX-15")
    void testTypeThatIsNoPromotion()
    {
        IndexMetadata longs = usersById().build().withSchema(usersSchema(1, NestedField.required(1, "user_id", Types.LongType.get())));
        assertThat(ExtractSchemas.choose(longs, table(NestedField.required(1, "user_id", Types.StringType.get()))))
                .isEqualTo(new Impossible("an extract schema that follows the table changes the type of field 1 user_id from long to string, which is no valid promotion"));
        // The narrow type of an old snapshot, with an index that started with the wide one
        IndexMetadata onlyLongs = usersById().schemas(ImmutableList.of(usersSchema(0, NestedField.required(1, "user_id", Types.LongType.get())))).build();
        assertThat(ExtractSchemas.choose(onlyLongs, table(NestedField.required(1, "user_id", Types.IntegerType.get())))).isInstanceOf(Impossible.class);
    }

    @Test
    @Tag("IX-16")
    void testStatsFieldFollowsNewSchema()
    {
        ValueExpression truncated = new ValueExpression.Apply(FunctionName.icebergFunction("truncate"), ImmutableList.of(
                new ValueExpression.Literal(TestingMetadata.json("10".getBytes(UTF_8)), Optional.empty()),
                new ValueExpression.Reference(1)));
        IndexMetadata metadata = usersById().statsFields(ImmutableList.of(new StatsField(107, Types.IntegerType.get(), truncated))).build();
        Schema evolved = evolved(ExtractSchemas.choose(metadata, table(NestedField.required(1, "user_id", Types.LongType.get()))));
        assertThat(metadata.withSchema(evolved).statsFields()).containsExactly(new StatsField(107, Types.LongType.get(), truncated));
    }

    @Test
    @Tag("IX-16")
    void testStatsFieldThatCannotFollowNewSchema()
    {
        // Written elsewhere: the data type is not that of the expression, and widening the column would turn it into another one
        String json = TestingMetadata.compactResource("stats-fields.json")
                .replace("\"required\":true,\"type\":\"long\"},{\"id\":105", "\"required\":true,\"type\":\"int\"},{\"id\":105")
                .replace("\"data-type\":\"int\"", "\"data-type\":\"string\"");
        IndexMetadata metadata = IndexMetadataParser.fromJson("test", json.getBytes(UTF_8));
        assertThat(ExtractSchemas.choose(metadata, table(NestedField.required(1, "user_id", Types.LongType.get()))))
                .isEqualTo(new Impossible("an extract schema that follows the table changes the data-type of stats-only field 104 from string to int, which is no valid promotion"));
        assertThatThrownBy(() -> metadata.withSchema(usersSchema(1, NestedField.required(1, "user_id", Types.LongType.get()))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the new extract schema changes the data-type of stats-only field 104 from string to int, which is no valid promotion");
    }

    @Test
    void testColumnWithoutSource()
    {
        String json = TestingMetadata.compactResource("stats-fields.json").replace("{\"source-id\":2147483646,\"field-id\":105},", "");
        IndexMetadata metadata = IndexMetadataParser.fromJson("test", json.getBytes(UTF_8));
        assertThat(ExtractSchemas.choose(metadata, table(NestedField.optional(1, "user_id", Types.LongType.get()))))
                .isEqualTo(new Impossible("extract schema column _file has no source"));
    }

    private static Schema table(NestedField field)
    {
        return new Schema(field, NestedField.optional(50, "unrelated", Types.StringType.get()));
    }

    private static Snapshot snapshot(String schemaId)
    {
        return SnapshotParser.fromJson("{'snapshot-id':77,'timestamp-ms':1,'manifest-list':'/m'%s}".formatted(schemaId).replace('\'', '"'));
    }

    private static int schemaId(ExtractSchemaChoice choice)
    {
        assertThat(choice).isInstanceOf(Existing.class);
        return ((Existing) choice).schema().schemaId();
    }

    private static Schema evolved(ExtractSchemaChoice choice)
    {
        assertThat(choice).isInstanceOf(Evolved.class);
        return ((Evolved) choice).schema();
    }

    private static void assertRefused(Schema table, String column, String message)
    {
        assertThatThrownBy(() -> ExtractSchemas.derive(table, 0, ImmutableList.of(column), ImmutableList.of()))
                .isInstanceOfSatisfying(TrinoException.class, e -> assertThat(e.getErrorCode()).isEqualTo(INDEX_INVALID_DEFINITION.toErrorCode()))
                .hasMessage(message);
    }
}
