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

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableList;
import io.sextant.expression.Predicate.And;
import io.sextant.expression.Predicate.Comparison;
import io.sextant.expression.Predicate.ComparisonOperator;
import io.sextant.expression.Predicate.Membership;
import io.sextant.expression.Predicate.MembershipOperator;
import io.sextant.expression.Predicate.Not;
import io.sextant.expression.Predicate.Or;
import io.sextant.expression.Predicate.TestOperator;
import io.sextant.expression.ValueExpression.Apply;
import io.sextant.expression.ValueExpression.Literal;
import io.sextant.expression.ValueExpression.Reference;
import org.apache.iceberg.SingleValueParser;
import org.apache.iceberg.transforms.Transform;
import org.apache.iceberg.transforms.Transforms;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Type.TypeID;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;

import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;
import java.util.Random;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.sextant.expression.FunctionName.icebergFunction;
import static java.util.stream.IntStream.range;

/// Random predicates over [TestingRows] that can be bound.
public final class TestingPredicates
{
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final Random random;

    public TestingPredicates(Random random)
    {
        this.random = random;
    }

    public Predicate next(int depth)
    {
        if (depth == 0) {
            return leaf();
        }
        return switch (random.nextInt(4)) {
            case 0 -> new Not(next(depth - 1));
            case 1 -> new And(next(depth - 1), next(depth - 1));
            case 2 -> new Or(next(depth - 1), next(depth - 1));
            default -> leaf();
        };
    }

    private Predicate leaf()
    {
        NestedField field = randomOf(TestingRows.leaves());
        Reference reference = new Reference(field.fieldId());
        Type type = field.type();
        return switch (random.nextInt(6)) {
            case 0 -> new Predicate.Test(randomOf(ImmutableList.of(TestOperator.IS_NULL, TestOperator.NOT_NULL)), reference);
            case 1 -> isFloating(type) ? new Predicate.Test(randomOf(ImmutableList.of(TestOperator.IS_NAN, TestOperator.NOT_NAN)), reference) : startsWith();
            case 2 -> {
                Type valueType = comparableTo(type);
                yield new Membership(
                        randomOf(ImmutableList.copyOf(MembershipOperator.values())),
                        reference,
                        range(0, random.nextInt(4)).mapToObj(_ -> literal(valueType)).collect(toImmutableList()));
            }
            case 3 -> new Comparison(operator(), reference, literal(comparableTo(type)));
            case 4 -> {
                Type other = comparableTo(type);
                List<NestedField> fields = TestingRows.leaves().stream().filter(candidate -> candidate.type().equals(other)).collect(toImmutableList());
                yield new Comparison(operator(), reference, new Reference(randomOf(fields).fieldId()));
            }
            default -> function(reference, type);
        };
    }

    private Predicate function(Reference reference, Type type)
    {
        int parameter = 1 + random.nextInt(4);
        @SuppressWarnings("unchecked")
        Transform<Object, Object> transform = (Transform<Object, Object>) randomOf(ImmutableList.<Transform<?, ?>>of(
                Transforms.identity(), Transforms.year(), Transforms.month(), Transforms.day(), Transforms.hour(), Transforms.bucket(parameter), Transforms.truncate(parameter)));
        if (!transform.canTransform(type) || isFloating(type)) {
            return new Comparison(operator(), new Apply(icebergFunction("if_else"), ImmutableList.of(next(1), reference, literal(type))), literal(type));
        }
        String name = transform.toString().replaceFirst("\\[.*", "");
        ImmutableList.Builder<Expression> arguments = ImmutableList.builder();
        if (transform.toString().contains("[")) {
            arguments.add(literal(Types.IntegerType.get(), parameter));
        }
        Object value = transform.bind(type).apply(TestingRows.randomValue(type, random));
        return new Comparison(operator(), new Apply(icebergFunction(name), arguments.add(reference).build()), literal(transform.getResultType(type), value));
    }

    private Comparison startsWith()
    {
        return new Comparison(
                randomOf(ImmutableList.of(ComparisonOperator.STARTS_WITH, ComparisonOperator.NOT_STARTS_WITH)),
                new Reference(randomOf(ImmutableList.of(13, 14, 27))),
                literal(Types.StringType.get()));
    }

    private ComparisonOperator operator()
    {
        return randomOf(ImmutableList.of(ComparisonOperator.EQ, ComparisonOperator.NOT_EQ, ComparisonOperator.LT, ComparisonOperator.LT_EQ, ComparisonOperator.GT, ComparisonOperator.GT_EQ));
    }

    private Type comparableTo(Type type)
    {
        return isNumeric(type) ? randomOf(TestingRows.leaves().stream().map(NestedField::type).filter(TestingPredicates::isNumeric).collect(toImmutableList())) : type;
    }

    private static boolean isNumeric(Type type)
    {
        return isFloating(type) || type.typeId() == TypeID.INTEGER || type.typeId() == TypeID.LONG || type.typeId() == TypeID.DECIMAL;
    }

    private static boolean isFloating(Type type)
    {
        return type.typeId() == TypeID.FLOAT || type.typeId() == TypeID.DOUBLE;
    }

    private Literal literal(Type type)
    {
        while (true) {
            Object value = TestingRows.randomValue(type, random);
            if (!isFloating(type) || Double.isFinite(((Number) value).doubleValue())) {
                return literal(type, value);
            }
        }
    }

    private static Literal literal(Type type, Object value)
    {
        try {
            return new Literal(MAPPER.readTree(SingleValueParser.toJson(type, value)), Optional.of(type));
        }
        catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }

    private <T> T randomOf(List<T> values)
    {
        return values.get(random.nextInt(values.size()));
    }
}
