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
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.sextant.constraint.ConstraintCondition.Check;
import io.sextant.constraint.ConstraintCondition.Unrecognized;
import io.trino.spi.TrinoException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;

import static io.sextant.constraint.TestingConstraints.CODE;
import static io.sextant.constraint.TestingConstraints.LABEL;
import static io.sextant.constraint.TestingConstraints.NOW;
import static io.sextant.constraint.TestingConstraints.PRICE;
import static io.sextant.constraint.TestingConstraints.SCHEMA;
import static io.sextant.constraint.TestingConstraints.check;
import static io.sextant.constraint.TestingConstraints.compactResource;
import static io.sextant.constraint.TestingConstraints.notNull;
import static io.sextant.constraint.TestingConstraints.primaryKey;
import static io.sextant.constraint.TestingConstraints.unique;
import static io.trino.spi.StandardErrorCode.INVALID_TABLE_PROPERTY;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class TestConstraintsProperty
{
    private static final Check PRICE_IS_POSITIVE = check(
            """
            {'type': 'or',
             'left': {'type': 'gt', 'left': {'type': 'reference', 'id': 2}, 'right': {'type': 'literal', 'value': 0, 'data-type': 'long'}},
             'right': {'type': 'is-null', 'child': {'type': 'reference', 'id': 2}}}
            """);

    @Test
    void testAbsentPropertyIsNoConstraint()
    {
        assertThat(ConstraintsProperty.read(ImmutableMap.of("format", "PARQUET"))).isEqualTo(TableConstraints.NONE);
        assertThat(ConstraintsProperty.readIfWellFormed(ImmutableMap.of())).contains(TableConstraints.NONE);
    }

    @Test
    @Tag("CN-01")
    @Tag("CN-03")
    void testRead()
    {
        TableConstraints constraints = readResource("constraints.json");
        assertThat(constraints.lastConstraintId()).isEqualTo(4);
        assertThat(constraints.constraints()).containsExactly(
                new TableConstraint(1, "Price is positive", true, NOW, PRICE_IS_POSITIVE),
                new TableConstraint(3, "code", false, NOW + 1, unique(LABEL, CODE)),
                new TableConstraint(4, "pk", true, NOW + 2, primaryKey(1)));
    }

    @Test
    @Tag("CN-03")
    void testWrite()
    {
        TableConstraints constraints = TableConstraints.NONE
                .addEnforced("Price is positive", PRICE_IS_POSITIVE, SCHEMA, NOW)
                .addEnforced("dropped", notNull(CODE), SCHEMA, NOW)
                .drop("dropped")
                .addNotEnforced("code", unique(LABEL, CODE), SCHEMA, NOW + 1)
                .addEnforced("pk", primaryKey(1), SCHEMA, NOW + 2);
        assertThat(ConstraintsProperty.toValue(constraints)).isEqualTo(compactResource("constraints.json"));
    }

    @Test
    @Tag("CN-30")
    void testRewriteIsExact()
    {
        assertThat(ConstraintsProperty.toValue(readResource("constraints.json"))).isEqualTo(compactResource("constraints.json"));
        assertThat(ConstraintsProperty.toValue(readResource("foreign.json"))).isEqualTo(compactResource("foreign.json"));
    }

    @Test
    @Tag("CN-21")
    @Tag("CN-30")
    void testChangeTouchesNothingElse()
    {
        String json = compactResource("foreign.json");
        TableConstraints constraints = readResource("foreign.json");
        assertThat(ConstraintsProperty.toValue(constraints.rename("customer", "buyer", 55)))
                .isEqualTo(json.replace("\"name\":\"customer\",\"enforced\":false,\"timestamp-ms\":2", "\"name\":\"buyer\",\"enforced\":false,\"timestamp-ms\":55"));
        assertThat(ConstraintsProperty.toValue(constraints.stopEnforcing("old form", 55)))
                .isEqualTo(json.replace("\"timestamp-ms\":1,\"enforced\":true", "\"timestamp-ms\":55,\"enforced\":false"));
        // Writing a change leaves the value that was read as it was
        assertThat(constraints).isEqualTo(readResource("foreign.json"));
    }

    @Test
    @Tag("CN-14")
    void testDropAndAddKeepTheRest()
    {
        TableConstraints constraints = readResource("foreign.json");
        assertThat(ConstraintsProperty.toValue(constraints.withoutConstraints()))
                .isEqualTo("{\"constraints\":[],\"last-constraint-id\":12,\"revision\":\"2027-01\"}");
        assertThat(ConstraintsProperty.toValue(constraints.withoutConstraints().addEnforced("a", unique(CODE), SCHEMA, 8)))
                .isEqualTo("{\"constraints\":[{\"constraint-id\":13,\"type\":\"unique\",\"name\":\"a\",\"enforced\":true,\"timestamp-ms\":8,\"field-ids\":[3]}],\"last-constraint-id\":13,\"revision\":\"2027-01\"}");
    }

    @Test
    @Tag("CN-03")
    void testReadWhatIsNotUnderstood()
    {
        List<TableConstraint> constraints = readResource("foreign.json").constraints();
        assertThat(constraints).extracting(TableConstraint::id).containsExactly(7, 9, 5, 6);
        assertThat(constraints.get(0).condition()).isEqualTo(check("{'type': 'lt', 'left': {'type': 'reference', 'id': 2}, 'right': 5}"));
        assertThat(constraints.get(1).condition()).isEqualTo(new Unrecognized("foreign-key", ImmutableSet.of(CODE), "constraint type foreign-key is not known"));
        assertThat(constraints.get(1).enforced()).isFalse();
        assertThat(constraints.get(2).condition().referencedFieldIds()).containsExactly(CODE);
        assertThat(constraints.get(3).condition()).isEqualTo(new Unrecognized("unique", ImmutableSet.of(), "field-ids are not distinct field IDs, at least one: []"));
    }

    @Test
    @Tag("CN-03")
    @Tag("CN-16")
    void testConditionOfWrongShapeIsNotUnderstood()
    {
        assertNotUnderstood("'type':'check'", "a check constraint has an expression and no field-ids");
        assertNotUnderstood("'type':'check','expression':null", "a check constraint has an expression and no field-ids");
        assertNotUnderstood("'type':'check','expression':true,'field-ids':[2]", "a check constraint has an expression and no field-ids");
        assertNotUnderstood("'type':'check','expression':{'type':'is-null','child':{'type':'reference','name':'price'}}", "the expression refers to a field by name instead of by ID: \"price\"");
        assertNotUnderstood("'type':'unique'", "a key has a list of field-ids and no expression");
        assertNotUnderstood("'type':'unique','field-ids':2", "a key has a list of field-ids and no expression");
        assertNotUnderstood("'type':'unique','field-ids':[2],'expression':true", "a key has a list of field-ids and no expression");
        assertNotUnderstood("'type':'unique','field-ids':[2,2]", "field-ids are not distinct field IDs, at least one: [2,2]");
        assertNotUnderstood("'type':'primary-key','field-ids':[2,'3']", "field-ids are not distinct field IDs, at least one: [2,\"3\"]");
        assertNotUnderstood("'type':'primary-key','field-ids':[2,3.0]", "field-ids are not distinct field IDs, at least one: [2,3.0]");
        assertNotUnderstood("'type':'primary-key','field-ids':[]", "field-ids are not distinct field IDs, at least one: []");
        assertNotUnderstood("'type':'CHECK','expression':true", "constraint type CHECK is not known");
    }

    @Test
    @Tag("CN-03")
    void testMalformedPropertyFailsWritersOnly()
    {
        assertMalformed("[]", "not a JSON object");
        assertMalformed("{'constraints':{}}", "constraints is not a list");
        assertMalformed("{'constraints':[5]}", "a constraint is not an object");
        assertMalformed("{'constraints':[{'type':'check'}]}", "a constraint has no int constraint-id");
        assertMalformed("{'constraints':[{'constraint-id':'1'}]}", "a constraint has no int constraint-id");
        assertMalformed("{'constraints':[{'constraint-id':3000000000}]}", "a constraint has no int constraint-id");
        assertMalformed("{'constraints':[{'constraint-id':1}]}", "constraint 1 has no string type");
        assertMalformed("{'constraints':[{'constraint-id':1,'type':'unique'}]}", "constraint 1 has no string name");
        assertMalformed("{'constraints':[{'constraint-id':1,'type':'unique','name':'a','enforced':'true'}]}", "constraint 1 has no boolean enforced");
        assertMalformed("{'constraints':[{'constraint-id':1,'type':'unique','name':'a','enforced':true,'timestamp-ms':1.5}]}", "constraint 1 has no long timestamp-ms");
        assertMalformed("{'last-constraint-id':'1'}", "last-constraint-id is not an int: \"1\"");
        assertMalformed("{'last-constraint-id':1,'last-constraint-id':1}", "Duplicate field 'last-constraint-id'");
        assertMalformed("{} {}", "Trailing token");
        assertMalformed("nonsense", "Unrecognized token 'nonsense'");
    }

    @Test
    @Tag("CN-03")
    void testConstraintIdTwiceIsMalformed()
    {
        String constraint = "{\"constraint-id\":1,\"type\":\"unique\",\"name\":\"%s\",\"enforced\":true,\"timestamp-ms\":1,\"field-ids\":[1]}";
        String json = "{\"last-constraint-id\":1,\"constraints\":[%s,%s]}".formatted(constraint.formatted("a"), constraint.formatted("b"));
        assertThatThrownBy(() -> read(json)).hasMessageEndingWith("constraint ID 1 is used twice");
    }

    @Test
    @Tag("CN-14")
    void testLastIdIsNeverBelowAnIdInUse()
    {
        for (String lastId : ImmutableList.of("", "\"last-constraint-id\":2,", "\"last-constraint-id\":null,")) {
            TableConstraints constraints = read("{%s\"constraints\":[{\"constraint-id\":8,\"type\":\"unique\",\"name\":\"a\",\"enforced\":true,\"timestamp-ms\":1,\"field-ids\":[1]}]}".formatted(lastId));
            assertThat(constraints.lastConstraintId()).isEqualTo(8);
            assertThat(constraints.addEnforced("b", unique(PRICE), SCHEMA, NOW).get("b").id()).isEqualTo(9);
        }
    }

    @Test
    @Tag("CN-14")
    void testAbsentLastIdIsZero()
    {
        assertThat(read("{}")).extracting(TableConstraints::lastConstraintId, TableConstraints::constraints).containsExactly(0, ImmutableList.of());
        assertThat(read("{\"constraints\":null}").constraints()).isEmpty();
    }

    private static void assertNotUnderstood(String fields, String reason)
    {
        String json = "{\"last-constraint-id\":1,\"constraints\":[{\"constraint-id\":1,\"name\":\"a\",\"enforced\":true,\"timestamp-ms\":1,%s}]}".formatted(fields.replace('\'', '"'));
        TableConstraints constraints = read(json);
        assertThat(constraints.constraints().getFirst().condition()).isInstanceOfSatisfying(Unrecognized.class, condition -> assertThat(condition.reason()).isEqualTo(reason));
        assertThat(ConstraintsProperty.toValue(constraints)).isEqualTo(json);
    }

    private static void assertMalformed(String json, String reason)
    {
        ImmutableMap<String, String> properties = ImmutableMap.of("sextant.constraints", json.replace('\'', '"'));
        assertThatThrownBy(() -> ConstraintsProperty.read(properties))
                .isInstanceOfSatisfying(TrinoException.class, e -> assertThat(e.getErrorCode()).isEqualTo(INVALID_TABLE_PROPERTY.toErrorCode()))
                .hasMessageStartingWith("Table property sextant.constraints is malformed, so no rows can be added and no constraint can be changed; repair or remove it: ")
                .hasMessageContaining(reason);
        assertThat(ConstraintsProperty.readIfWellFormed(properties)).isEmpty();
    }

    private static TableConstraints readResource(String name)
    {
        return read(compactResource(name));
    }

    private static TableConstraints read(String json)
    {
        return ConstraintsProperty.read(ImmutableMap.of("sextant.constraints", json));
    }
}
