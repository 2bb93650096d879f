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
package io.sextant.system;

import com.google.common.collect.ImmutableList;
import io.sextant.index.catalog.IndexRegistration;
import io.sextant.index.catalog.IndexRegistrations;
import io.sextant.index.refresh.IndexedTable;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

import static java.util.Objects.requireNonNullElse;

/// Goes through the indexes of a table. Whatever is wrong with one of them, the others can be shown.
final class IndexListing
{
    private IndexListing() {}

    /// Reads each index, or makes a row of the reason why it cannot be read.
    static <T> List<T> list(IndexedTable table, Function<IndexRegistration, List<T>> reader, UnreadableIndex<T> unreadable)
    {
        IndexRegistrations registrations = IndexRegistrations.fromTableProperties(table.table().properties());
        ImmutableList.Builder<T> rows = ImmutableList.builder();
        registrations.malformed().forEach((name, reason) -> rows.add(unreadable.row(name, Optional.empty(), reason)));
        for (IndexRegistration registration : registrations.indexes().values()) {
            try {
                rows.addAll(reader.apply(registration));
            }
            catch (RuntimeException e) {
                rows.add(unreadable.row(registration.name(), Optional.of(registration.location()), reason(e)));
            }
        }
        return rows.build();
    }

    static String reason(RuntimeException e)
    {
        return requireNonNullElse(e.getMessage(), e.toString());
    }

    @FunctionalInterface
    interface UnreadableIndex<T>
    {
        T row(String name, Optional<String> location, String reason);
    }
}
