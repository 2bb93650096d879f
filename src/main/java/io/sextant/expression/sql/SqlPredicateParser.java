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

import io.sextant.expression.Expression;
import io.sextant.expression.Predicate;
import io.sextant.expression.Predicate.And;
import io.sextant.expression.Predicate.Comparison;
import io.sextant.expression.Predicate.Membership;
import io.sextant.expression.Predicate.Not;
import io.sextant.expression.Predicate.Or;
import io.sextant.expression.Predicate.Test;
import io.sextant.expression.ValueExpression.Apply;
import io.trino.spi.TrinoException;
import io.trino.sql.parser.ParsingException;
import io.trino.sql.parser.SqlParser;
import io.trino.sql.tree.BooleanTestPredicate;
import io.trino.sql.tree.CoalesceExpression;
import io.trino.sql.tree.IfExpression;
import io.trino.sql.tree.IsNullPredicate;
import io.trino.sql.tree.Node;
import io.trino.sql.tree.Predicated;
import io.trino.sql.tree.SearchedCaseExpression;
import org.apache.iceberg.Schema;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;
import static io.trino.spi.StandardErrorCode.SYNTAX_ERROR;
import static java.util.Objects.requireNonNull;

/// Parses conditions in Trino's SQL over the columns of a schema. Names are resolved as Trino does, without regard to case.
public final class SqlPredicateParser
{
    // Far less than what a stored expression may have, as a level of SQL can become several of it
    private static final int MAX_DEPTH = 100;
    // What these contain occurs several times in the predicate, so that it grows exponentially with their depth
    private static final int MAX_REPETITIONS = 6;
    private static final int MAX_SIZE = 20_000;

    private static final Pattern QUOTED = Pattern.compile("'[^']*+'|\"[^\"]*+\"");
    private static final SqlParser PARSER = new SqlParser();

    private final Schema schema;

    public SqlPredicateParser(Schema schema)
    {
        this.schema = requireNonNull(schema, "schema is null");
    }

    /// The predicate that holds for the rows that a check with the condition accepts: those for which it is true or unknown.
    public Predicate parseCheck(String sql)
    {
        return checkSize(parse(sql).isNotFalse());
    }

    /// The predicate that holds for the rows that a filter with the condition keeps: those for which it is true.
    public Predicate parseFilter(String sql)
    {
        return checkSize(parse(sql).isTrue());
    }

    private Condition parse(String sql)
    {
        checkParentheses(sql);
        io.trino.sql.tree.Expression expression;
        try {
            expression = PARSER.createExpression(sql);
        }
        catch (ParsingException e) {
            throw new TrinoException(SYNTAX_ERROR, "Not a SQL expression: %s: %s".formatted(e.getMessage(), sql), e);
        }
        checkDepth(expression);
        return new SqlConditionConverter(schema).convert(expression);
    }

    // The parser's time grows with the square of their depth, at least
    private static void checkParentheses(String sql)
    {
        String unquoted = QUOTED.matcher(sql).replaceAll("");
        int depth = 0;
        for (int i = 0; i < unquoted.length(); i++) {
            switch (unquoted.charAt(i)) {
                case '(' -> depth++;
                case ')' -> depth--;
                default -> {}
            }
            if (depth > MAX_DEPTH) {
                throw tooDeep();
            }
        }
    }

    private static TrinoException tooDeep()
    {
        return new TrinoException(NOT_SUPPORTED, "Expression is nested more than %s levels deep".formatted(MAX_DEPTH));
    }

    private static void checkDepth(Node root)
    {
        record Level(Node node, int depth, int repetitions) {}

        Deque<Level> open = new ArrayDeque<>();
        open.push(new Level(root, 1, 0));
        while (!open.isEmpty()) {
            Level level = open.pop();
            if (level.depth() > MAX_DEPTH) {
                throw tooDeep();
            }
            if (level.repetitions() > MAX_REPETITIONS) {
                throw new TrinoException(NOT_SUPPORTED, "IF, CASE, COALESCE and IS are nested more than %s levels deep".formatted(MAX_REPETITIONS));
            }
            int repetitions = level.repetitions() + (isRepeated(level.node()) ? 1 : 0);
            level.node().getChildren().forEach(child -> open.push(new Level(child, level.depth() + 1, repetitions)));
        }
    }

    private static boolean isRepeated(Node node)
    {
        return node instanceof IfExpression || node instanceof SearchedCaseExpression || node instanceof CoalesceExpression ||
                (node instanceof Predicated predicated && (predicated.getPredicate() instanceof IsNullPredicate || predicated.getPredicate() instanceof BooleanTestPredicate));
    }

    private static Predicate checkSize(Predicate predicate)
    {
        Deque<Expression> open = new ArrayDeque<>();
        open.push(predicate);
        for (int size = 0; !open.isEmpty(); size++) {
            if (size > MAX_SIZE) {
                throw new TrinoException(NOT_SUPPORTED, "Expression is too large");
            }
            children(open.pop()).forEach(open::push);
        }
        return predicate;
    }

    private static Stream<? extends Expression> children(Expression expression)
    {
        return switch (expression) {
            case And(Predicate left, Predicate right) -> Stream.of(left, right);
            case Or(Predicate left, Predicate right) -> Stream.of(left, right);
            case Not(Predicate child) -> Stream.of(child);
            case Test test -> Stream.of(test.child());
            case Comparison comparison -> Stream.of(comparison.left(), comparison.right());
            case Membership membership -> Stream.concat(Stream.of(membership.child()), membership.values().stream());
            case Apply apply -> apply.arguments().stream();
            default -> Stream.empty();
        };
    }
}
