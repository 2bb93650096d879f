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
package io.sextant.index.file;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/// What the values of one column in one row group have in common.
///
/// Bounds leave out null and NaN, tell -0.0 from +0.0, and are in the form of the buffer: Long for the integer kinds and
/// boolean, Float, Double, and byte[] for the rest.
///
/// @param totalLength bytes of all values together, for columns of byte strings
public record ColumnSummary(Optional<Object> min, Optional<Object> max, int rowCount, int nullCount, int nanCount, long totalLength)
{
    public ColumnSummary
    {
        requireNonNull(min, "min is null");
        requireNonNull(max, "max is null");
    }

    static ColumnSummary of(ColumnBuffer buffer, Object min, Object max, int nanCount, long totalLength)
    {
        return new ColumnSummary(Optional.of(min), Optional.of(max), buffer.rowCount(), buffer.nullCount(), nanCount, totalLength);
    }

    static ColumnSummary withoutBounds(ColumnBuffer buffer, int nanCount, long totalLength)
    {
        return new ColumnSummary(Optional.empty(), Optional.empty(), buffer.rowCount(), buffer.nullCount(), nanCount, totalLength);
    }
}
