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
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.common.collect.ImmutableList;
import io.sextant.expression.ValueExpression.Apply;
import io.sextant.expression.ValueExpression.Literal;
import io.sextant.expression.ValueExpression.Reference;
import io.sextant.expression.ValueExpression.Unrecognized;

import java.util.Optional;

import static io.sextant.expression.ExpressionJson.DATA_TYPE;
import static io.sextant.expression.ExpressionJson.ID;
import static io.sextant.expression.ExpressionJson.REFERENCE;
import static io.sextant.expression.ExpressionJson.TYPE;
import static io.sextant.expression.ExpressionJson.VALUE;
import static io.sextant.expression.ExpressionJson.checkDepth;
import static io.sextant.expression.ExpressionJson.hasOnly;
import static io.sextant.expression.ExpressionJson.isInt;
import static io.sextant.expression.ExpressionJson.namedReference;
import static io.sextant.expression.ExpressionJson.object;
import static io.sextant.expression.ExpressionJson.primitiveType;
import static io.sextant.expression.PredicateParser.isPredicate;

/// The JSON form of a [ValueExpression], as the Iceberg expressions specification defines it:
///
/// - literal: a bare value, or `{"type": "literal", "value": ..}`, perhaps with `"data-type"`
/// - field: `{"type": "reference", "id": N}`
/// - function: `{"type": "apply", "function": F, "arguments": [..]}`, where F is a name, a list of names,
///   or an object of `identifier` and perhaps `catalog`, and an argument may also be a predicate
///
/// Anything else, also one of these with a field too many, becomes [Unrecognized], since an addition may change the meaning.
public final class ValueExpressionParser
{
    private static final String LITERAL = "literal";
    private static final String NAME = "name";
    private static final String APPLY = "apply";
    private static final String FUNCTION = "function";
    private static final String ARGUMENTS = "arguments";
    private static final String CATALOG = "catalog";
    private static final String IDENTIFIER = "identifier";

    private ValueExpressionParser() {}

    /// Parses an expression of a metadata file.
    ///
    /// @throws IllegalArgumentException if the expression refers to a field by its name, which a stored expression must not,
    ///         or is nested too deeply
    public static ValueExpression fromJson(JsonNode json)
    {
        checkDepth(json);
        return parse(json);
    }

    static ValueExpression parse(JsonNode json)
    {
        if (json.isValueNode()) {
            return new Literal(json, Optional.empty());
        }
        if (!json.isObject()) {
            return new Unrecognized(json);
        }
        Optional<? extends ValueExpression> expression = switch (json.path(TYPE).asText()) {
            case LITERAL -> literal(json);
            case REFERENCE -> reference(json);
            case APPLY -> apply(json);
            default -> Optional.empty();
        };
        return expression.isPresent() ? expression.orElseThrow() : new Unrecognized(json);
    }

    public static JsonNode toJson(ValueExpression expression)
    {
        return switch (expression) {
            case Literal literal -> literalToJson(literal);
            case Reference reference -> object(REFERENCE).put(ID, reference.fieldId());
            case Apply apply -> applyToJson(apply);
            case Unrecognized unrecognized -> unrecognized.json();
        };
    }

    private static Optional<Literal> literal(JsonNode json)
    {
        JsonNode value = json.path(VALUE);
        if (value.isMissingNode() || !hasOnly(json, TYPE, VALUE, DATA_TYPE)) {
            return Optional.empty();
        }
        if (!json.has(DATA_TYPE)) {
            return Optional.of(new Literal(value, Optional.empty()));
        }
        return primitiveType(json.get(DATA_TYPE))
                .map(dataType -> new Literal(value, Optional.of(dataType)));
    }

    private static Optional<Reference> reference(JsonNode json)
    {
        if (json.has(NAME) && !json.has(ID)) {
            throw namedReference(json.get(NAME));
        }
        JsonNode id = json.path(ID);
        if (!isInt(id) || !hasOnly(json, TYPE, ID)) {
            return Optional.empty();
        }
        return Optional.of(new Reference(id.intValue()));
    }

    private static Optional<Apply> apply(JsonNode json)
    {
        JsonNode arguments = json.path(ARGUMENTS);
        if (!arguments.isArray() || !hasOnly(json, TYPE, FUNCTION, ARGUMENTS)) {
            return Optional.empty();
        }
        return functionName(json.path(FUNCTION))
                .map(function -> {
                    ImmutableList.Builder<Expression> expressions = ImmutableList.builder();
                    arguments.forEach(argument -> expressions.add(isPredicate(argument) ? PredicateParser.parse(argument) : parse(argument)));
                    return new Apply(function, expressions.build());
                });
    }

    private static Optional<FunctionName> functionName(JsonNode json)
    {
        if (json.isTextual()) {
            return Optional.of(new FunctionName(Optional.empty(), ImmutableList.of(json.textValue())));
        }
        if (json.isArray()) {
            return functionName(Optional.empty(), json);
        }
        if (!json.isObject() || !hasOnly(json, CATALOG, IDENTIFIER)) {
            return Optional.empty();
        }
        if (!json.has(CATALOG)) {
            return functionName(Optional.empty(), json.path(IDENTIFIER));
        }
        return json.get(CATALOG).isTextual() ? functionName(Optional.of(json.get(CATALOG).textValue()), json.path(IDENTIFIER)) : Optional.empty();
    }

    private static Optional<FunctionName> functionName(Optional<String> catalog, JsonNode identifier)
    {
        if (!identifier.isArray() || identifier.isEmpty()) {
            return Optional.empty();
        }
        ImmutableList.Builder<String> names = ImmutableList.builder();
        for (JsonNode name : identifier) {
            if (!name.isTextual()) {
                return Optional.empty();
            }
            names.add(name.textValue());
        }
        return Optional.of(new FunctionName(catalog, names.build()));
    }

    private static JsonNode literalToJson(Literal literal)
    {
        if (literal.dataType().isEmpty() && literal.value().isValueNode()) {
            return literal.value();
        }
        ObjectNode json = object(LITERAL);
        json.set(VALUE, literal.value());
        literal.dataType().ifPresent(type -> json.put(DATA_TYPE, type.toString()));
        return json;
    }

    private static JsonNode applyToJson(Apply apply)
    {
        ObjectNode json = object(APPLY);
        ObjectNode function = JsonNodeFactory.instance.objectNode();
        apply.function().catalog().ifPresent(catalog -> function.put(CATALOG, catalog));
        ArrayNode identifier = function.putArray(IDENTIFIER);
        apply.function().identifier().forEach(identifier::add);
        json.set(FUNCTION, function);
        ArrayNode arguments = json.putArray(ARGUMENTS);
        apply.arguments().forEach(argument -> arguments.add(switch (argument) {
            case ValueExpression value -> toJson(value);
            case Predicate predicate -> PredicateParser.toJson(predicate);
        }));
        return json;
    }
}
