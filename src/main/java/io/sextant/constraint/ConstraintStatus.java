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
package io.sextant.constraint;

/// What is known of a constraint in a snapshot.
public enum ConstraintStatus
{
    /// It holds, because all rows were checked, or no row was added since.
    VALIDATED("validated"),
    /// It holds, because it held before and the added rows were checked.
    VALID("valid"),
    /// A row is known to break it.
    INVALID("invalid"),
    UNVALIDATED("unvalidated");

    private final String jsonName;

    ConstraintStatus(String jsonName)
    {
        this.jsonName = jsonName;
    }

    /// What is known once all rows were checked.
    ///
    /// @param violations that were found
    public static ConstraintStatus ofViolations(long violations)
    {
        return violations == 0 ? VALIDATED : INVALID;
    }

    /// The status as JSON and SQL name it.
    @Override
    public String toString()
    {
        return jsonName;
    }
}
