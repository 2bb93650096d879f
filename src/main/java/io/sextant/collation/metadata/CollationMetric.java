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
package io.sextant.collation.metadata;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/// A metric field: under its ID, files have the least and the greatest value of a column in the order of one version of
/// one collation (Collation Bounds in the draft).
///
/// @param id of the table's column IDs, but no column has it, now or later
/// @param collation name as it was written
/// @param version of the collation by its provider; a reader uses the bounds only if it has the same
public record CollationMetric(int id, String collation, String version)
{
    public CollationMetric
    {
        checkArgument(id > 0, "metric ID is not positive: %s", id);
        requireNonNull(collation, "collation is null");
        requireNonNull(version, "version is null");
    }
}
