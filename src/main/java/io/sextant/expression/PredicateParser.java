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
package io.sextant.expression;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import io.sextant.expression.Predicate.And;
import io.sextant.expression.Predicate.Comparison;
import io.sextant.expression.Predicate.ComparisonOperator;
import io.sextant.expression.Predicate.Constant;
import io.sextant.expression.Predicate.Membership;
import io.sextant.expression.Predicate.MembershipOperator;
import io.sextant.expression.Predicate.Not;
import io.sextant.expression.Predicate.Or;
import io.sextant.expression.Predicate.Test;
import io.sextant.expression.Predicate.TestOperator;
import io.sextant.expression.Predicate.Unrecognized;
import io.sextant.expression.ValueExpression.Literal;
import org.apache.iceberg.types.Type;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static io.sextant.expression.ExpressionJson.DATA_TYPE;
import static io.sextant.expression.ExpressionJson.TYPE;
import static io.sextant.expression.ExpressionJson.VALUE;
import static io.sextant.expression.ExpressionJson.checkDepth;
import static io.sextant.expression.ExpressionJson.namedReference;
import static io.sextant.expression.ExpressionJson.object;
import static io.sextant.expression.ExpressionJson.primitiveType;
import static java.util.Arrays.stream;
import static java.util.Locale.ENGLISH;

/// The JSON form of a [Predicate], as the Iceberg expressions specification defines it:
///
/// - constant: `true` or `false`
/// - logic: `{"type": "not", "child": P}`, `{"type": "and" | "or", "left": P, "right": P}`
/// - test: `{"type": "is-null" | .., "child": E}`
/// - comparison: `{"type": "lt" | .., "left": E, "right": E}`
/// - membership: `{"type": "in" | "not-in", "child": E, "values": L}`, where L is a list of literals,
///   or `{"type": "literals", "values": [..], "data-type": T}`
///
/// The older forms, which have `term` in place of `child` or `left`, and `value` in place of `right`, are read but not written.
/// Anything else, also one of these with a field too many, becomes [Unrecognized], since an addition may change the meaning.
public final class PredicateParser
{
    private static final String NOT = "not";
    private static final String AND = "and";
    private static final String OR = "or";
    private static final String CHILD = "child";
    private static final String LEFT = "left";
    private static final String RIGHT = "right";
    private static final String TERM = "term";
    private static final String VALUES = "values";
    private static final String LITERALS = "literals";

    private static final Map<String, TestOperator> TESTS = namesOf(TestOperator.values());
    private static final Map<String, ComparisonOperator> COMPARISONS = namesOf(ComparisonOperator.values());
    private static final Map<String, MembershipOperator> MEMBERSHIPS = namesOf(MembershipOperator.values());

    private PredicateParser() {}

    /// Parses a predicate of a metadata file.
    ///
    /// @throws IllegalArgumentException if the predicate refers to a field by its name, which a stored expression must not,
    ///         or is nested too deeply
    public static Predicate fromJson(JsonNode json)
    {
        checkDepth(json);
        return parse(json);
    }

    static Predicate parse(JsonNode json)
    {
        if (json.isBoolean()) {
            return json.booleanValue() ? Constant.TRUE : Constant.FALSE;
        }
        String type = json.path(TYPE).asText();
        Optional<? extends Predicate> predicate = switch (type) {
            case NOT -> isObjectOf(json, CHILD) ? Optional.of(new Not(parse(json.get(CHILD)))) : Optional.empty();
            case AND -> isObjectOf(json, LEFT, RIGHT) ? Optional.of(new And(parse(json.get(LEFT)), parse(json.get(RIGHT)))) : Optional.empty();
            case OR -> isObjectOf(json, LEFT, RIGHT) ? Optional.of(new Or(parse(json.get(LEFT)), parse(json.get(RIGHT)))) : Optional.empty();
            case String name when TESTS.containsKey(name) -> test(TESTS.get(name), json);
            case String name when COMPARISONS.containsKey(name) -> comparison(COMPARISONS.get(name), json);
            case String name when MEMBERSHIPS.containsKey(name) -> membership(MEMBERSHIPS.get(name), json);
            default -> Optional.empty();
        };
        return predicate.isPresent() ? predicate.orElseThrow() : new Unrecognized(json);
    }

    /// Whether JSON has the form of a predicate and not of a value. A bare boolean can be either; it is taken as a value.
    static boolean isPredicate(JsonNode json)
    {
        String type = json.path(TYPE).asText();
        return type.equals(NOT) || type.equals(AND) || type.equals(OR) ||
                TESTS.containsKey(type) || COMPARISONS.containsKey(type) || MEMBERSHIPS.containsKey(type);
    }

    public static JsonNode toJson(Predicate predicate)
    {
        return switch (predicate) {
            case Constant constant -> BooleanNode.valueOf(constant == Constant.TRUE);
            case Not(Predicate child) -> object(NOT).set(CHILD, toJson(child));
            case And(Predicate left, Predicate right) -> logicToJson(AND, left, right);
            case Or(Predicate left, Predicate right) -> logicToJson(OR, left, right);
            case Test(TestOperator operator, ValueExpression child) -> object(nameOf(operator)).set(CHILD, ValueExpressionParser.toJson(child));
            case Comparison(ComparisonOperator operator, ValueExpression left, ValueExpression right) -> {
                ObjectNode json = object(nameOf(operator));
                json.set(LEFT, ValueExpressionParser.toJson(left));
                json.set(RIGHT, ValueExpressionParser.toJson(right));
                yield json;
            }
            case Membership(MembershipOperator operator, ValueExpression child, List<Literal> values) -> {
                ObjectNode json = object(nameOf(operator));
                json.set(CHILD, ValueExpressionParser.toJson(child));
                json.set(VALUES, valuesToJson(values));
                yield json;
            }
            case Unrecognized(JsonNode json) -> json;
        };
    }

    private static Optional<Test> test(TestOperator operator, JsonNode json)
    {
        if (isObjectOf(json, TERM)) {
            return Optional.of(new Test(operator, term(json.get(TERM))));
        }
        if (isObjectOf(json, CHILD)) {
            return Optional.of(new Test(operator, ValueExpressionParser.parse(json.get(CHILD))));
        }
        return Optional.empty();
    }

    private static Optional<Comparison> comparison(ComparisonOperator operator, JsonNode json)
    {
        if (isObjectOf(json, TERM, VALUE)) {
            return Optional.of(new Comparison(operator, term(json.get(TERM)), ValueExpressionParser.parse(json.get(VALUE))));
        }
        if (isObjectOf(json, LEFT, RIGHT)) {
            return Optional.of(new Comparison(operator, ValueExpressionParser.parse(json.get(LEFT)), ValueExpressionParser.parse(json.get(RIGHT))));
        }
        return Optional.empty();
    }

    private static Optional<Membership> membership(MembershipOperator operator, JsonNode json)
    {
        if (isObjectOf(json, TERM, VALUES)) {
            ValueExpression term = term(json.get(TERM));
            return literals(json.get(VALUES)).map(values -> new Membership(operator, term, values));
        }
        if (isObjectOf(json, CHILD, VALUES)) {
            ValueExpression child = ValueExpressionParser.parse(json.get(CHILD));
            return literals(json.get(VALUES)).map(values -> new Membership(operator, child, values));
        }
        return Optional.empty();
    }

    private static ValueExpression term(JsonNode json)
    {
        if (json.isTextual()) {
            throw namedReference(json);
        }
        if (json.has(TERM)) {
            // A transform or an older reference, which mostly lead to a name
            term(json.get(TERM));
            return new ValueExpression.Unrecognized(json);
        }
        return ValueExpressionParser.parse(json);
    }

    private static Optional<List<Literal>> literals(JsonNode json)
    {
        ImmutableList.Builder<Literal> literals = ImmutableList.builder();
        if (json.isArray()) {
            for (JsonNode element : json) {
                if (!(ValueExpressionParser.parse(element) instanceof Literal literal)) {
                    return Optional.empty();
                }
                literals.add(literal);
            }
            return Optional.of(literals.build());
        }
        Optional<Type> dataType = primitiveType(json.path(DATA_TYPE));
        if (!json.path(TYPE).asText().equals(LITERALS) || !isObjectOf(json, VALUES, DATA_TYPE) || !json.get(VALUES).isArray() || dataType.isEmpty()) {
            return Optional.empty();
        }
        json.get(VALUES).forEach(value -> literals.add(new Literal(value, dataType)));
        return Optional.of(literals.build());
    }

    private static JsonNode logicToJson(String type, Predicate left, Predicate right)
    {
        ObjectNode json = object(type);
        json.set(LEFT, toJson(left));
        json.set(RIGHT, toJson(right));
        return json;
    }

    private static JsonNode valuesToJson(List<Literal> values)
    {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        List<Optional<Type>> dataTypes = values.stream().map(Literal::dataType).distinct().toList();
        if (dataTypes.size() == 1 && dataTypes.getFirst().isPresent()) {
            values.forEach(literal -> array.add(literal.value()));
            ObjectNode json = object(LITERALS);
            json.set(VALUES, array);
            return json.put(DATA_TYPE, dataTypes.getFirst().orElseThrow().toString());
        }
        values.forEach(literal -> array.add(ValueExpressionParser.toJson(literal)));
        return array;
    }

    private static boolean isObjectOf(JsonNode json, String... names)
    {
        return json.size() == names.length + 1 && stream(names).allMatch(json::has);
    }

    private static <E extends Enum<E>> Map<String, E> namesOf(E[] operators)
    {
        return stream(operators).collect(toImmutableMap(PredicateParser::nameOf, operator -> operator));
    }

    private static String nameOf(Enum<?> operator)
    {
        return operator.name().toLowerCase(ENGLISH).replace('_', '-');
    }
}
