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
package io.sextant.constraint;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import io.sextant.constraint.ConstraintCondition.Unrecognized;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.StaticTableOperations;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.UpdateSchema;
import org.apache.iceberg.inmemory.InMemoryFileIO;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Optional;
import java.util.function.UnaryOperator;

import static io.sextant.constraint.TestingConstraints.CODE;
import static io.sextant.constraint.TestingConstraints.ID;
import static io.sextant.constraint.TestingConstraints.LABEL;
import static io.sextant.constraint.TestingConstraints.NOW;
import static io.sextant.constraint.TestingConstraints.PLACE;
import static io.sextant.constraint.TestingConstraints.PRICE;
import static io.sextant.constraint.TestingConstraints.SCHEMA;
import static io.sextant.constraint.TestingConstraints.SIZES;
import static io.sextant.constraint.TestingConstraints.STREET;
import static io.sextant.constraint.TestingConstraints.TAGS;
import static io.sextant.constraint.TestingConstraints.TOWN;
import static io.sextant.constraint.TestingConstraints.WEIGHT;
import static io.sextant.constraint.TestingConstraints.notNull;
import static io.sextant.constraint.TestingConstraints.primaryKey;
import static io.sextant.constraint.TestingConstraints.unique;
import static io.sextant.constraint.TestingConstraints.userDefined;
import static org.apache.iceberg.expressions.Expressions.lit;
import static org.assertj.core.api.Assertions.assertThat;

final class TestSchemaGuard
{
    @Test
    @Tag("CN-19")
    void testReferencedColumnCannotBeDropped()
    {
        assertRefused(notNull(PRICE), schema -> schema.deleteColumn("price"), "column price is part of a constraint and cannot be dropped; drop the check constraint c first: CALL system.drop_constraint");
        assertRefused(unique(ID, CODE), schema -> schema.deleteColumn("code"), "column code is part of a constraint and cannot be dropped; drop the unique constraint c first: CALL system.drop_constraint");
        assertRefused(primaryKey(ID, TOWN), schema -> schema.deleteColumn("place"), "column place.town is part of a constraint and cannot be dropped; drop the primary-key constraint c first: CALL system.drop_constraint");
        assertRefused(notNull(STREET), schema -> schema.deleteColumn("place"), "column place.street is part of a constraint and cannot be dropped; drop the check constraint c first: CALL system.drop_constraint");
        assertRefused(userDefined(), schema -> schema.deleteColumn("code"), "column code is part of a constraint and cannot be dropped; drop the check constraint c first: CALL system.drop_constraint");
        assertAllowed(notNull(PRICE), schema -> schema.deleteColumn("code"));
        assertAllowed(notNull(TOWN), schema -> schema.deleteColumn("place.street"));
        assertAllowed(unique(ID, CODE), schema -> schema.deleteColumn("place").addColumn("new", Types.StringType.get()));
    }

    @Test
    @Tag("CN-19")
    void testColumnOfTheSameNameIsAnotherColumn()
    {
        assertRefused(
                notNull(PRICE),
                schema -> schema.deleteColumn("price").addColumn("price", Types.LongType.get()),
                "column price is part of a constraint and cannot be dropped; drop the check constraint c first: CALL system.drop_constraint");
    }

    @Test
    @Tag("CN-02")
    void testNamesOrderCommentsAndDefaultsAreFree()
    {
        UnaryOperator<UpdateSchema> change = schema -> schema
                .renameColumn("price", "amount")
                .renameColumn("place.town", "city")
                .updateColumnDoc("price", "in cents")
                .updateColumnDefault("price", lit(7L))
                .moveFirst("place.street")
                .moveFirst("label")
                .addColumn("new", Types.StringType.get());
        assertAllowed(notNull(PRICE), change);
        assertAllowed(notNull(PLACE), change);
        assertAllowed(unique(PRICE, TOWN), change);
        assertAllowed(primaryKey(ID, LABEL), change);
    }

    @Test
    @Tag("CN-20")
    void testColumnOfACheckKeepsItsType()
    {
        assertRefused(notNull(ID), schema -> schema.updateColumn("id", Types.LongType.get()), "column id is part of a constraint and cannot change from int to long; drop the check constraint c first: CALL system.drop_constraint");
        assertRefused(notNull(LABEL), schema -> schema.updateColumn("label", Types.DecimalType.of(12, 2)), "column label is part of a constraint and cannot change from decimal(10, 2) to decimal(12, 2); drop the check constraint c first: CALL system.drop_constraint");
        assertRefused(notNull(WEIGHT), schema -> schema.updateColumn("weight", Types.DoubleType.get()), "column weight is part of a constraint and cannot change from float to double; drop the check constraint c first: CALL system.drop_constraint");
        assertRefused(notNull(STREET), schema -> schema.updateColumn("place.street", Types.LongType.get()), "column place.street is part of a constraint and cannot change from int to long; drop the check constraint c first: CALL system.drop_constraint");
        assertAllowed(notNull(ID), schema -> schema.updateColumn("label", Types.DecimalType.of(12, 2)));
        assertAllowed(notNull(TOWN), schema -> schema.updateColumn("place.street", Types.LongType.get()));
    }

    @Test
    @Tag("CN-20")
    void testNestedTypeOfACheckKeepsItsParts()
    {
        assertThat(objection(notNull(TAGS), schema -> schema.updateColumn("tags.element", Types.LongType.get()))).hasValueSatisfying(message -> assertThat(message)
                .isEqualTo("column tags is part of a constraint and cannot change from list<int> to list<long>; drop the check constraint c first: CALL system.drop_constraint"));
        assertThat(objection(notNull(SIZES), schema -> schema.updateColumn("sizes.value", Types.LongType.get()))).isPresent();
        assertThat(objection(notNull(PLACE), schema -> schema.updateColumn("place.street", Types.LongType.get()))).isPresent();
        assertThat(objection(notNull(PLACE), schema -> schema.deleteColumn("place.street"))).isPresent();
        assertThat(objection(notNull(PLACE), schema -> schema.addColumn("place", "house", Types.IntegerType.get()))).isPresent();
    }

    @Test
    @Tag("CN-20")
    void testColumnOfAKeyMayBePromoted()
    {
        assertAllowed(unique(ID, LABEL), schema -> schema.updateColumn("id", Types.LongType.get()).updateColumn("label", Types.DecimalType.of(12, 2)));
        assertAllowed(primaryKey(ID), schema -> schema.updateColumn("id", Types.LongType.get()));
        assertAllowed(unique(STREET), schema -> schema.updateColumn("place.street", Types.LongType.get()));
        Schema other = new Schema(Types.NestedField.required(ID, "id", Types.StringType.get()));
        assertThat(SchemaGuard.findObjection(SCHEMA.select("id"), other, constraints(unique(ID))))
                .contains("column id is part of a constraint and cannot change from int to string; drop the unique constraint c first: CALL system.drop_constraint");
        Schema nested = new Schema(Types.NestedField.required(ID, "id", Types.ListType.ofRequired(90, Types.IntegerType.get())));
        assertThat(SchemaGuard.findObjection(SCHEMA.select("id"), nested, constraints(unique(ID)))).isPresent();
    }

    @Test
    @Tag("CN-06")
    void testColumnOfAPrimaryKeyStaysRequired()
    {
        assertRefused(primaryKey(ID), schema -> schema.makeColumnOptional("id"), "column id is optional, but a primary key needs required columns; a unique constraint does not; drop the primary-key constraint c first: CALL system.drop_constraint");
        assertRefused(primaryKey(TOWN), schema -> schema.makeColumnOptional("place"), "column place.town is inside the optional column place, but a primary key needs required columns; a unique constraint does not; drop the primary-key constraint c first: CALL system.drop_constraint");
        assertAllowed(primaryKey(ID), schema -> schema.makeColumnOptional("place"));
        assertAllowed(unique(ID, TOWN), schema -> schema.makeColumnOptional("id").makeColumnOptional("place"));
        assertAllowed(notNull(ID), schema -> schema.makeColumnOptional("id"));
    }

    @Test
    @Tag("CN-30")
    void testConstraintThatIsNotUnderstoodKeepsItsColumns()
    {
        Unrecognized condition = new Unrecognized("foreign-key", ImmutableSet.of(CODE), "not known");
        assertRefused(condition, schema -> schema.deleteColumn("code"), "column code is part of a constraint and cannot be dropped; drop the foreign-key constraint c first: CALL system.drop_constraint");
        assertAllowed(condition, schema -> schema.deleteColumn("price"));
    }

    @Test
    void testBrokenConstraintDoesNotBlockOtherChanges()
    {
        assertAllowed(notNull(99), schema -> schema.deleteColumn("code"));
        assertAllowed(unique(99, WEIGHT), schema -> schema.deleteColumn("code"));
        assertAllowed(primaryKey(PRICE), schema -> schema.deleteColumn("code"));
    }

    @Test
    @Tag("CN-19")
    void testConstraintDroppedInTheSameChange()
    {
        Schema without = change(schema -> schema.deleteColumn("price"));
        assertThat(SchemaGuard.findObjection(SCHEMA, without, constraints(notNull(PRICE)).drop("c"))).isEmpty();
    }

    private static void assertRefused(ConstraintCondition condition, UnaryOperator<UpdateSchema> change, String objection)
    {
        assertThat(objection(condition, change)).contains(objection);
    }

    private static void assertAllowed(ConstraintCondition condition, UnaryOperator<UpdateSchema> change)
    {
        assertThat(objection(condition, change)).isEmpty();
    }

    private static Optional<String> objection(ConstraintCondition condition, UnaryOperator<UpdateSchema> change)
    {
        return SchemaGuard.findObjection(SCHEMA, change(change), constraints(condition));
    }

    private static Schema change(UnaryOperator<UpdateSchema> change)
    {
        TableMetadata metadata = TableMetadata.buildFromEmpty(3)
                .setLocation("memory:/table")
                .setCurrentSchema(SCHEMA, SCHEMA.highestFieldId())
                .setDefaultPartitionSpec(PartitionSpec.unpartitioned())
                .setDefaultSortOrder(SortOrder.unsorted())
                .build();
        return change.apply(new BaseTable(new StaticTableOperations(metadata, new InMemoryFileIO()), "table").updateSchema()).apply();
    }

    private static TableConstraints constraints(ConstraintCondition condition)
    {
        return new TableConstraints(1, ImmutableList.of(new TableConstraint(1, "c", true, NOW, condition)), TableConstraints.NONE.original());
    }
}
