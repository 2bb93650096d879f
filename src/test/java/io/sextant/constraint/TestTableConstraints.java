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
import io.sextant.constraint.ConstraintCondition.Unrecognized;
import io.trino.spi.StandardErrorCode;
import io.trino.spi.TrinoException;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.Set;

import static io.sextant.constraint.TestingConstraints.CODE;
import static io.sextant.constraint.TestingConstraints.GEOGRAPHY;
import static io.sextant.constraint.TestingConstraints.GEOMETRY;
import static io.sextant.constraint.TestingConstraints.HEIGHT;
import static io.sextant.constraint.TestingConstraints.ID;
import static io.sextant.constraint.TestingConstraints.LABEL;
import static io.sextant.constraint.TestingConstraints.NOW;
import static io.sextant.constraint.TestingConstraints.OPTIONAL_PLACE;
import static io.sextant.constraint.TestingConstraints.OPTIONAL_TOWN;
import static io.sextant.constraint.TestingConstraints.PLACE;
import static io.sextant.constraint.TestingConstraints.PRICE;
import static io.sextant.constraint.TestingConstraints.SCHEMA;
import static io.sextant.constraint.TestingConstraints.SIZE;
import static io.sextant.constraint.TestingConstraints.SIZES;
import static io.sextant.constraint.TestingConstraints.SIZE_NAME;
import static io.sextant.constraint.TestingConstraints.STREET;
import static io.sextant.constraint.TestingConstraints.TAG;
import static io.sextant.constraint.TestingConstraints.TAGS;
import static io.sextant.constraint.TestingConstraints.TOWN;
import static io.sextant.constraint.TestingConstraints.UNKNOWN;
import static io.sextant.constraint.TestingConstraints.VARIANT;
import static io.sextant.constraint.TestingConstraints.WEIGHT;
import static io.sextant.constraint.TestingConstraints.notNull;
import static io.sextant.constraint.TestingConstraints.primaryKey;
import static io.sextant.constraint.TestingConstraints.unique;
import static io.sextant.constraint.TestingConstraints.userDefined;
import static io.trino.spi.StandardErrorCode.ALREADY_EXISTS;
import static io.trino.spi.StandardErrorCode.INVALID_ARGUMENTS;
import static io.trino.spi.StandardErrorCode.NOT_FOUND;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static org.apache.iceberg.types.Types.NestedField.required;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class TestTableConstraints
{
    @Test
    @Tag("CN-14")
    void testIdsAreNeverUsedAgain()
    {
        TableConstraints constraints = TableConstraints.NONE
                .addEnforced("a", notNull(PRICE), SCHEMA, NOW)
                .addEnforced("b", unique(CODE), SCHEMA, NOW);
        assertThat(constraints.constraints()).extracting(TableConstraint::id).containsExactly(1, 2);

        TableConstraints afterDrops = constraints.drop("b").drop("a");
        assertThat(afterDrops.constraints()).isEmpty();
        assertThat(afterDrops.addNotEnforced("b", unique(CODE), SCHEMA, NOW).get("b").id()).isEqualTo(3);

        assertThat(constraints.withoutConstraints().constraints()).isEmpty();
        assertThat(constraints.withoutConstraints().addEnforced("b", unique(CODE), SCHEMA, NOW).get("b").id()).isEqualTo(3);
    }

    @Test
    @Tag("CN-14")
    void testIdsRunOut()
    {
        TableConstraints constraints = new TableConstraints(Integer.MAX_VALUE, TableConstraints.NONE.constraints(), TableConstraints.NONE.original());
        assertRefused(() -> constraints.addEnforced("a", unique(CODE), SCHEMA, NOW), NOT_SUPPORTED, "The table has used up all constraint IDs; no constraint can be added to it");
    }

    @Test
    @Tag("CN-04")
    void testNamesAreUniqueWithoutRegardToCase()
    {
        TableConstraints constraints = TableConstraints.NONE
                .addEnforced("Price Set", notNull(PRICE), SCHEMA, NOW)
                .addEnforced("code", unique(CODE), SCHEMA, NOW);
        assertThat(constraints.get("PRICE set").name()).isEqualTo("Price Set");
        assertRefused(() -> constraints.addNotEnforced("price set", unique(ID), SCHEMA, NOW), ALREADY_EXISTS, "The table already has the check constraint Price Set; choose another name than price set");
        assertRefused(() -> constraints.rename("code", "PRICE SET", NOW), ALREADY_EXISTS, "The table already has the check constraint Price Set; choose another name than PRICE SET");
        assertRefused(() -> constraints.addEnforced(" ", unique(ID), SCHEMA, NOW), INVALID_ARGUMENTS, "The name of a constraint is blank");
        assertRefused(() -> constraints.rename("code", "", NOW), INVALID_ARGUMENTS, "The name of a constraint is blank");
        assertThat(constraints.rename("price set", "PRICE SET", NOW).get("price set").name()).isEqualTo("PRICE SET");
        assertThat(constraints.drop("price set").addEnforced("PRICE set", notNull(PRICE), SCHEMA, NOW).get("price set").id()).isEqualTo(3);
    }

    @Test
    @Tag("CN-04")
    void testSameNameOfAnotherWriterStaysUsable()
    {
        TableConstraints constraints = new TableConstraints(
                2,
                ImmutableList.of(new TableConstraint(1, "Code", true, NOW, unique(CODE)), new TableConstraint(2, "code", true, NOW, unique(ID))),
                TableConstraints.NONE.original());
        assertThat(constraints.get("code").id()).isEqualTo(2);
        assertThat(constraints.get("Code").id()).isEqualTo(1);
        assertThat(constraints.drop("code").get("code").id()).isEqualTo(1);
    }

    @Test
    void testUnknownName()
    {
        TableConstraints constraints = TableConstraints.NONE.addEnforced("a", unique(CODE), SCHEMA, NOW);
        assertRefused(() -> constraints.drop("b"), NOT_FOUND, "The table has no constraint b; its constraints are [a]");
        assertRefused(() -> constraints.rename("b", "c", NOW), NOT_FOUND, "The table has no constraint b; its constraints are [a]");
        assertRefused(() -> constraints.enforce("b", NOW), NOT_FOUND, "The table has no constraint b; its constraints are [a]");
        assertRefused(() -> constraints.stopEnforcing("b", NOW), NOT_FOUND, "The table has no constraint b; its constraints are [a]");
    }

    @Test
    @Tag("CN-21")
    void testOnlyNameAndEnforcementChange()
    {
        TableConstraints constraints = TableConstraints.NONE
                .addEnforced("a", unique(CODE), SCHEMA, NOW)
                .addNotEnforced("b", notNull(PRICE), SCHEMA, NOW);
        assertThat(constraints.rename("a", "c", NOW + 1).constraints()).containsExactly(
                new TableConstraint(1, "c", true, NOW + 1, unique(CODE)),
                new TableConstraint(2, "b", false, NOW, notNull(PRICE)));
        assertThat(constraints.stopEnforcing("a", NOW + 1).get("a")).isEqualTo(new TableConstraint(1, "a", false, NOW + 1, unique(CODE)));
        assertThat(constraints.enforce("b", NOW + 1).get("b")).isEqualTo(new TableConstraint(2, "b", true, NOW + 1, notNull(PRICE)));
    }

    @Test
    @Tag("CN-21")
    void testNoChangeKeepsTheTimestamp()
    {
        TableConstraints constraints = TableConstraints.NONE
                .addEnforced("a", unique(CODE), SCHEMA, NOW)
                .addNotEnforced("b", notNull(PRICE), SCHEMA, NOW);
        assertThat(constraints.rename("a", "a", NOW + 1)).isEqualTo(constraints);
        assertThat(constraints.enforce("a", NOW + 1)).isEqualTo(constraints);
        assertThat(constraints.stopEnforcing("b", NOW + 1)).isEqualTo(constraints);
    }

    @Test
    @Tag("CN-29")
    void testTimestampDecidesNothing()
    {
        // Clocks of writers differ: each change below is older than the one before
        TableConstraints constraints = TableConstraints.NONE
                .addEnforced("a", unique(CODE), SCHEMA, 3)
                .stopEnforcing("a", 2)
                .rename("a", "b", 1)
                .addEnforced("a", notNull(PRICE), SCHEMA, -1);
        assertThat(constraints.constraints()).containsExactly(
                new TableConstraint(1, "b", false, 1, unique(CODE)),
                new TableConstraint(2, "a", true, -1, notNull(PRICE)));
    }

    @Test
    @Tag("CN-06")
    void testOnePrimaryKey()
    {
        TableConstraints constraints = TableConstraints.NONE
                .addNotEnforced("first", primaryKey(ID), SCHEMA, NOW)
                .addEnforced("other", unique(ID), SCHEMA, NOW);
        assertRefused(() -> constraints.addEnforced("second", primaryKey(LABEL), SCHEMA, NOW), ALREADY_EXISTS, "The table already has the primary-key constraint first; drop it first: CALL system.drop_constraint");
        assertThat(constraints.drop("first").addEnforced("second", primaryKey(LABEL), SCHEMA, NOW).get("second").id()).isEqualTo(3);
    }

    @Test
    @Tag("CN-06")
    void testPrimaryKeyNeedsRequiredFields()
    {
        assertAllowed(primaryKey(ID));
        assertAllowed(primaryKey(LABEL, TOWN));
        assertNotAllowed(primaryKey(ID, PRICE), "column price is optional, but a primary key needs required columns; a unique constraint does not");
        assertNotAllowed(primaryKey(STREET), "column place.street is optional, but a primary key needs required columns; a unique constraint does not");
        assertNotAllowed(primaryKey(OPTIONAL_TOWN), "column branch.town is inside the optional column branch, but a primary key needs required columns; a unique constraint does not");
        assertAllowed(unique(ID, PRICE));
        assertAllowed(unique(STREET));
        assertAllowed(unique(OPTIONAL_TOWN));
    }

    @Test
    @Tag("CN-07")
    void testKeyTypes()
    {
        for (int fieldId : Set.of(WEIGHT, HEIGHT, GEOMETRY, GEOGRAPHY, VARIANT, UNKNOWN, PLACE, OPTIONAL_PLACE, TAGS, SIZES)) {
            String problem = "column %s has type %s, which a key cannot have".formatted(SCHEMA.findColumnName(fieldId), SCHEMA.findType(fieldId));
            assertNotAllowed(unique(ID, fieldId), problem);
            assertNotAllowed(primaryKey(ID, fieldId), problem);
        }
        for (int fieldId : Set.of(TAG, SIZE_NAME, SIZE)) {
            assertNotAllowed(unique(fieldId), "column %s is inside a list or a map, so a row has no single value of it".formatted(SCHEMA.findColumnName(fieldId)));
        }
        assertNotAllowed(unique(ID, 99), "the table has no field 99");
    }

    @Test
    @Tag("CN-07")
    void testEveryOtherPrimitiveTypeIsAKeyType()
    {
        Schema schema = new Schema(
                required(1, "boolean", Types.BooleanType.get()),
                required(2, "int", Types.IntegerType.get()),
                required(3, "long", Types.LongType.get()),
                required(4, "decimal", Types.DecimalType.of(38, 0)),
                required(5, "date", Types.DateType.get()),
                required(6, "time", Types.TimeType.get()),
                required(7, "timestamp", Types.TimestampType.withoutZone()),
                required(8, "timestamptz", Types.TimestampType.withZone()),
                required(9, "timestamp_ns", Types.TimestampNanoType.withoutZone()),
                required(10, "timestamptz_ns", Types.TimestampNanoType.withZone()),
                required(11, "string", Types.StringType.get()),
                required(12, "uuid", Types.UUIDType.get()),
                required(13, "fixed", Types.FixedType.ofLength(3)),
                required(14, "binary", Types.BinaryType.get()));
        TableConstraints constraints = TableConstraints.NONE.addEnforced("all", primaryKey(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14), schema, NOW);
        assertThat(constraints.get("all").condition().referencedFieldIds()).hasSize(14);
    }

    @Test
    @Tag("CN-16")
    void testCheckFields()
    {
        for (int fieldId : Set.of(ID, PRICE, PLACE, OPTIONAL_TOWN, TAGS, SIZES, WEIGHT, VARIANT)) {
            assertAllowed(notNull(fieldId));
        }
        for (int fieldId : Set.of(TAG, SIZE_NAME, SIZE)) {
            assertNotAllowed(notNull(fieldId), "column %s is inside a list or a map, so a row has no single value of it".formatted(SCHEMA.findColumnName(fieldId)));
        }
        assertNotAllowed(notNull(99), "the table has no field 99");
    }

    @Test
    @Tag("CN-17")
    void testCheckFunctions()
    {
        assertNotAllowed(userDefined(), "the expression calls a user-defined function, which may change");
        assertNotAllowed(new Unrecognized("foreign-key", Set.of(ID), "constraint type foreign-key is not known"), "constraint type foreign-key is not known");
    }

    @Test
    @Tag("CN-13")
    void testIdentifierFieldsBecomeAPrimaryKey()
    {
        TableConstraints constraints = TableConstraints.NONE.addEnforced("a", notNull(PRICE), SCHEMA, NOW);
        assertThat(constraints.addIdentifierFields(withIdentifier(ID, LABEL), NOW + 1).get("pk"))
                .isEqualTo(new TableConstraint(2, "pk", false, NOW + 1, primaryKey(ID, LABEL)));
    }

    @Test
    @Tag("CN-13")
    void testIdentifierFieldsThatCannotBeAKeyAreLeftAlone()
    {
        TableConstraints named = TableConstraints.NONE.addEnforced("PK", notNull(PRICE), SCHEMA, NOW);
        assertThat(named.addIdentifierFields(withIdentifier(ID), NOW)).isEqualTo(named);
        TableConstraints keyed = TableConstraints.NONE.addEnforced("key", primaryKey(LABEL), SCHEMA, NOW);
        assertThat(keyed.addIdentifierFields(withIdentifier(ID), NOW)).isEqualTo(keyed);
        assertThat(TableConstraints.NONE.addIdentifierFields(SCHEMA, NOW)).isEqualTo(TableConstraints.NONE);
        assertThat(TableConstraints.NONE.addIdentifierFields(withIdentifier(ID, GEOMETRY), NOW)).isEqualTo(TableConstraints.NONE);
    }

    private static Schema withIdentifier(Integer... fieldIds)
    {
        return new Schema(SCHEMA.columns(), Set.of(fieldIds));
    }

    private static void assertAllowed(ConstraintCondition condition)
    {
        assertThat(TableConstraints.NONE.addNotEnforced("a", condition, SCHEMA, NOW).get("a").condition()).isEqualTo(condition);
    }

    private static void assertNotAllowed(ConstraintCondition condition, String problem)
    {
        String message = "Constraint a of type %s is not allowed: %s".formatted(condition.type(), problem);
        assertRefused(() -> TableConstraints.NONE.addEnforced("a", condition, SCHEMA, NOW), INVALID_ARGUMENTS, message);
        assertRefused(() -> TableConstraints.NONE.addNotEnforced("a", condition, SCHEMA, NOW), INVALID_ARGUMENTS, message);
    }

    private static void assertRefused(ThrowingCallable change, StandardErrorCode code, String message)
    {
        assertThatThrownBy(change)
                .isInstanceOfSatisfying(TrinoException.class, e -> assertThat(e.getErrorCode()).isEqualTo(code.toErrorCode()))
                .hasMessage(message);
    }
}
