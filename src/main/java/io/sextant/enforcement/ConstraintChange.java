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
package io.sextant.enforcement;

import io.sextant.constraint.ConstraintStatus;

import java.util.Map;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/// A commit that defines constraints, or that records what a scan has found out about them.
///
/// @param expected the constraints property of the table from which the change was made; empty if it had none
/// @param scannedSnapshot the snapshot whose rows were checked; empty if the table has none
/// @param statuses what the scan has found, by constraint ID
record ConstraintChange(Optional<String> expected, Optional<Long> scannedSnapshot, Map<Integer, ConstraintStatus> statuses)
{
    static final ScopedValue<ConstraintChange> CURRENT = ScopedValue.newInstance();

    ConstraintChange
    {
        requireNonNull(expected, "expected is null");
        requireNonNull(scannedSnapshot, "scannedSnapshot is null");
        statuses = Map.copyOf(statuses);
    }
}
