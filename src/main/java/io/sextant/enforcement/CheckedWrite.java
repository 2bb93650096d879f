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

import io.sextant.constraint.ConstraintsProperty;
import io.sextant.constraint.TableConstraint;
import io.sextant.constraint.TableConstraints;

import java.util.Map;
import java.util.function.Supplier;

/// Tells the commit of a statement which checks its page sinks have made. A commit that comes another way, such as one that
/// adds existing files, has made none.
public final class CheckedWrite
{
    private static final ScopedValue<TableConstraints> CHECKED = ScopedValue.newInstance();

    private CheckedWrite() {}

    /// Runs a commit on this thread.
    ///
    /// @param tableProperties those that the page sinks were given
    public static <T> T commit(Map<String, String> tableProperties, Supplier<T> commit)
    {
        if (!tableProperties.containsKey(ConstraintsProperty.NAME)) {
            return commit.get();
        }
        TableConstraints checked = ConstraintsProperty.readIfWellFormed(tableProperties).orElse(TableConstraints.NONE);
        return ScopedValue.where(CHECKED, checked).call(commit::get);
    }

    /// Whether the rows that are being committed were checked. A constraint that somebody has added or enforced since the
    /// statement began was not.
    static boolean covers(TableConstraint constraint)
    {
        return CHECKED.orElse(TableConstraints.NONE).constraints().stream()
                .anyMatch(checked -> checked.id() == constraint.id() && checked.enforced() && checked.condition().equals(constraint.condition()));
    }
}
