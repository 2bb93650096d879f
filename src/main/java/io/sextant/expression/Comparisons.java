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

import io.airlift.slice.Slice;
import io.sextant.expression.Predicate.ComparisonOperator;
import io.sextant.expression.vector.DoubleVector;
import io.sextant.expression.vector.IcebergValues;
import io.sextant.expression.vector.LongVector;
import io.sextant.expression.vector.ObjectVector;
import io.sextant.expression.vector.Vector;
import org.apache.iceberg.types.Type;

import java.util.Optional;

/// Comparisons that are never unknown: two nulls are equal, and so are two NaNs; neither is less than anything.
final class Comparisons
{
    /// The other comparisons are a negation of one of these, or one with its sides exchanged.
    private enum Relation
    {
        EQUAL, LESS, LESS_OR_EQUAL
    }

    private Comparisons() {}

    static BoundPredicate compare(ComparisonOperator operator, BoundValue left, BoundValue right)
    {
        return switch (operator) {
            case EQ -> compare(Relation.EQUAL, left, right);
            case NOT_EQ -> ExpressionBinder.not(compare(Relation.EQUAL, left, right));
            case LT -> compare(Relation.LESS, left, right);
            case LT_EQ -> compare(Relation.LESS_OR_EQUAL, left, right);
            case GT -> compare(Relation.LESS, right, left);
            case GT_EQ -> compare(Relation.LESS_OR_EQUAL, right, left);
            case STARTS_WITH, NOT_STARTS_WITH -> throw new IllegalArgumentException("not a comparison by order: " + operator);
        };
    }

    static BoundPredicate startsWith(BoundValue value, Slice prefix)
    {
        return rows -> {
            Object[] values = ((ObjectVector) value.evaluate(rows)).values();
            boolean[] result = new boolean[values.length];
            for (int i = 0; i < result.length; i++) {
                result[i] = values[i] instanceof Slice slice && slice.length() >= prefix.length() && slice.equals(0, prefix.length(), prefix, 0, prefix.length());
            }
            return result;
        };
    }

    private static BoundPredicate compare(Relation relation, BoundValue left, BoundValue right)
    {
        TypeAlignment alignment = TypeAlignment.of(left, right);
        return rows -> {
            Vector leftValues = alignment.left().evaluate(rows);
            Vector rightValues = alignment.right().evaluate(rows);
            return switch (alignment.domain()) {
                case LONGS -> compareLongs(relation, (LongVector) leftValues, (LongVector) rightValues);
                case DOUBLES -> compareDoubles(relation, (DoubleVector) leftValues, (DoubleVector) rightValues);
                case OBJECTS -> compareObjects(relation, ((ObjectVector) leftValues).values(), ((ObjectVector) rightValues).values());
                case NUMBERS -> compareNumbers(relation, left.type(), leftValues, right.type(), rightValues);
            };
        };
    }

    private static boolean[] compareLongs(Relation relation, LongVector left, LongVector right)
    {
        long[] a = left.values();
        long[] b = right.values();
        boolean[] result = new boolean[a.length];
        switch (relation) {
            case EQUAL -> {
                for (int i = 0; i < result.length; i++) {
                    result[i] = a[i] == b[i];
                }
            }
            case LESS -> {
                for (int i = 0; i < result.length; i++) {
                    result[i] = a[i] < b[i];
                }
            }
            case LESS_OR_EQUAL -> {
                for (int i = 0; i < result.length; i++) {
                    result[i] = a[i] <= b[i];
                }
            }
        }
        applyNulls(relation, result, left.nulls(), right.nulls());
        return result;
    }

    private static boolean[] compareDoubles(Relation relation, DoubleVector left, DoubleVector right)
    {
        double[] a = left.values();
        double[] b = right.values();
        boolean[] result = new boolean[a.length];
        if (relation == Relation.LESS) {
            for (int i = 0; i < result.length; i++) {
                result[i] = a[i] < b[i];
            }
        }
        else {
            boolean orLess = relation == Relation.LESS_OR_EQUAL;
            for (int i = 0; i < result.length; i++) {
                result[i] = a[i] == b[i] || (orLess && a[i] < b[i]) || (Double.isNaN(a[i]) && Double.isNaN(b[i]));
            }
        }
        applyNulls(relation, result, left.nulls(), right.nulls());
        return result;
    }

    @SuppressWarnings("unchecked")
    private static boolean[] compareObjects(Relation relation, Object[] left, Object[] right)
    {
        boolean[] result = new boolean[left.length];
        for (int i = 0; i < result.length; i++) {
            if (left[i] == null || right[i] == null) {
                result[i] = relation != Relation.LESS && left[i] == null && right[i] == null;
                continue;
            }
            int order = ((Comparable<Object>) left[i]).compareTo(right[i]);
            result[i] = switch (relation) {
                case EQUAL -> order == 0;
                case LESS -> order < 0;
                case LESS_OR_EQUAL -> order <= 0;
            };
        }
        return result;
    }

    private static boolean[] compareNumbers(Relation relation, Type leftType, Vector left, Type rightType, Vector right)
    {
        boolean[] result = compareObjects(relation, IcebergValues.toBigDecimals(leftType, left), IcebergValues.toBigDecimals(rightType, right));
        // At most one side can be NaN here
        refuteNans(result, left);
        refuteNans(result, right);
        return result;
    }

    private static void refuteNans(boolean[] result, Vector vector)
    {
        if (vector instanceof DoubleVector doubles) {
            boolean[] nans = doubles.nanFlags();
            for (int i = 0; i < result.length; i++) {
                result[i] &= !nans[i];
            }
        }
    }

    private static void applyNulls(Relation relation, boolean[] result, Optional<boolean[]> left, Optional<boolean[]> right)
    {
        if (left.isEmpty() && right.isEmpty()) {
            return;
        }
        boolean[] none = new boolean[result.length];
        boolean[] leftNulls = left.orElse(none);
        boolean[] rightNulls = right.orElse(none);
        boolean ofNulls = relation != Relation.LESS;
        for (int i = 0; i < result.length; i++) {
            if (leftNulls[i] || rightNulls[i]) {
                result[i] = ofNulls && leftNulls[i] && rightNulls[i];
            }
        }
    }
}
