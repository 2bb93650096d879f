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

import com.google.common.collect.ImmutableList;

import java.util.List;

import static java.util.Objects.requireNonNull;

/// What breaks a constraint in one snapshot.
///
/// @param count rows that break a check, or keys that more than one row has
/// @param examples some of them
public record Violations(long count, List<Example> examples)
{
    static final Violations NONE = new Violations(0, ImmutableList.of());

    public Violations
    {
        examples = ImmutableList.copyOf(examples);
    }

    /// Values that break the constraint.
    ///
    /// @param values of the columns that the constraint refers to, in words: `id = 5, day = 2026-01-01`
    /// @param rows that have these values; one for a check
    public record Example(String values, long rows)
    {
        public Example
        {
            requireNonNull(values, "values is null");
        }
    }
}
