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
package io.sextant.expression.sql;

import com.google.common.collect.ImmutableSet;
import io.trino.spi.TrinoException;
import io.trino.sql.tree.ArithmeticBinaryExpression;
import io.trino.sql.tree.ArithmeticUnaryExpression;
import io.trino.sql.tree.CurrentCatalog;
import io.trino.sql.tree.CurrentDate;
import io.trino.sql.tree.CurrentPath;
import io.trino.sql.tree.CurrentSchema;
import io.trino.sql.tree.CurrentTime;
import io.trino.sql.tree.CurrentTimestamp;
import io.trino.sql.tree.CurrentUser;
import io.trino.sql.tree.ExistsPredicate;
import io.trino.sql.tree.Expression;
import io.trino.sql.tree.FunctionCall;
import io.trino.sql.tree.LambdaExpression;
import io.trino.sql.tree.LocalTime;
import io.trino.sql.tree.LocalTimestamp;
import io.trino.sql.tree.MatchPredicate;
import io.trino.sql.tree.Node;
import io.trino.sql.tree.Parameter;
import io.trino.sql.tree.QuantifiedComparisonPredicate;
import io.trino.sql.tree.SubqueryExpression;
import io.trino.sql.tree.SubscriptExpression;
import io.trino.sql.tree.UniquePredicate;

import java.util.Set;

import static io.trino.spi.StandardErrorCode.INVALID_CHECK_CONSTRAINT;
import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static io.trino.sql.ExpressionFormatter.formatExpression;
import static java.util.Locale.ENGLISH;

/// Why a part of a SQL expression cannot be converted.
final class SqlErrors
{
    private static final Set<String> AGGREGATES = ImmutableSet.of("any_value", "approx_distinct", "arbitrary", "array_agg", "avg", "bool_and", "bool_or", "count", "count_if", "every", "listagg", "max", "max_by", "min", "min_by", "stddev", "sum", "variance");
    private static final Set<String> NON_DETERMINISTIC = ImmutableSet.of("now", "rand", "random", "shuffle", "uuid");
    private static final Set<String> CONTEXTUAL = ImmutableSet.of("current_groups", "current_timezone");

    private SqlErrors() {}

    static TrinoException unsupported(Node node)
    {
        return switch (node) {
            case SubqueryExpression _, ExistsPredicate _, QuantifiedComparisonPredicate _, UniquePredicate _, MatchPredicate _ -> invalid("Expression must not contain a subquery", node);
            case Parameter _ -> invalid("Expression must not contain a parameter", node);
            case CurrentDate _, CurrentTime _, CurrentTimestamp _, LocalTime _, LocalTimestamp _ -> invalid("Expression must not depend on the current time", node);
            case CurrentUser _, CurrentCatalog _, CurrentSchema _, CurrentPath _ -> invalid("Expression must not depend on the session", node);
            case LambdaExpression _ -> notSupported("Lambda is not supported", node);
            case ArithmeticBinaryExpression _, ArithmeticUnaryExpression _ -> notSupported("Arithmetic is not supported", node);
            case SubscriptExpression _ -> notSupported("Element of an array or map is not supported", node);
            case FunctionCall call -> unsupported(call);
            default -> notSupported("Expression is not supported", node);
        };
    }

    private static TrinoException unsupported(FunctionCall call)
    {
        String name = call.getName().getSuffix().toLowerCase(ENGLISH);
        if (call.getWindow().isPresent()) {
            return invalid("Expression must not contain a window function", call);
        }
        if (AGGREGATES.contains(name) || call.isDistinct() || call.getFilter().isPresent() || call.getOrderBy().isPresent()) {
            return invalid("Expression must not contain an aggregate function", call);
        }
        if (NON_DETERMINISTIC.contains(name)) {
            return invalid("Expression must be deterministic", call);
        }
        if (CONTEXTUAL.contains(name)) {
            return invalid("Expression must not depend on the session", call);
        }
        return notSupported("Function is not supported; supported are abs(double), bucket, cardinality, coalesce, date, if, is_nan, length, lower, ltrim, reverse, rtrim, starts_with, substring(string, 1, n), trim, truncate(string, n), upper and year", call);
    }

    static TrinoException notSupported(String message, Node node)
    {
        return new TrinoException(NOT_SUPPORTED, "%s: %s".formatted(message, text(node)));
    }

    private static TrinoException invalid(String message, Node node)
    {
        return new TrinoException(INVALID_CHECK_CONSTRAINT, "%s: %s".formatted(message, text(node)));
    }

    private static String text(Node node)
    {
        return node instanceof Expression expression ? formatExpression(expression) : node.toString();
    }
}
