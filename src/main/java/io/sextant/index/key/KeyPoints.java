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
package io.sextant.index.key;

import com.google.common.collect.ImmutableList;

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static com.google.common.collect.ImmutableList.toImmutableList;

/// A set of values of the first fields of a key, each as the encoding of these fields, in ascending order. Points, unlike
/// [KeyRanges], can be continued by values of the next field. Immutable; the arrays are taken and handed out without a
/// copy and must not be changed.
public final class KeyPoints
{
    private static final KeyPoints ROOT = new KeyPoints(ImmutableList.of(new byte[0]));

    private final ImmutableList<byte[]> points;

    private KeyPoints(ImmutableList<byte[]> points)
    {
        this.points = points;
    }

    /// The one point of no fields at all, from which products start.
    public static KeyPoints root()
    {
        return ROOT;
    }

    /// Points in any order, with or without repetitions, all encodings of the same fields.
    public static KeyPoints of(Collection<byte[]> points)
    {
        List<byte[]> sorted = points.stream()
                .sorted(Arrays::compareUnsigned)
                .collect(toImmutableList());
        ImmutableList.Builder<byte[]> distinct = ImmutableList.builderWithExpectedSize(sorted.size());
        for (int index = 0; index < sorted.size(); index++) {
            byte[] point = sorted.get(index);
            if (index > 0) {
                byte[] previous = sorted.get(index - 1);
                int mismatch = Arrays.mismatch(previous, point);
                if (mismatch == -1) {
                    continue;
                }
                checkArgument(mismatch < previous.length, "points are not of the same fields, as one begins with another");
            }
            distinct.add(point);
        }
        return new KeyPoints(distinct.build());
    }

    public List<byte[]> points()
    {
        return points;
    }

    public int size()
    {
        return points.size();
    }

    /// Each point continued by each point of the next fields; empty if that were more than a number of points.
    public Optional<KeyPoints> product(KeyPoints next, int maxPoints)
    {
        if ((long) points.size() * next.points.size() > maxPoints) {
            return Optional.empty();
        }
        return Optional.of(new KeyPoints(points.stream()
                .flatMap(point -> next.points.stream().map(continuation -> concatenate(point, continuation)))
                .collect(toImmutableList())));
    }

    /// Each point continued by the ranges of the next fields; empty if that were more than a number of ranges. Where the
    /// ranges have no end, the result ends with the tuples that begin with the point.
    public Optional<KeyRanges> product(KeyRanges next, int maxRanges)
    {
        if ((long) points.size() * next.size() > maxRanges) {
            return Optional.empty();
        }
        return Optional.of(KeyRanges.ofSorted(points.stream()
                .flatMap(point -> next.ranges().stream().map(range -> continued(point, range)))
                .collect(toImmutableList())));
    }

    /// The tuples that begin with any of the points.
    public KeyRanges toRanges()
    {
        return KeyRanges.ofSorted(points.stream()
                .map(KeyRange::prefix)
                .collect(toImmutableList()));
    }

    private static KeyRange continued(byte[] point, KeyRange range)
    {
        return new KeyRange(
                concatenate(point, range.low()),
                range.high()
                        .map(high -> concatenate(point, high))
                        .or(() -> KeyRange.prefixSuccessor(point)));
    }

    private static byte[] concatenate(byte[] first, byte[] second)
    {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }
}
