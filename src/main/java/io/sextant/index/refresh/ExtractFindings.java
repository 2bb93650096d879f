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
package io.sextant.index.refresh;

import io.sextant.index.key.KeyEncoding;
import io.sextant.index.region.RegionSchema;
import org.apache.iceberg.transforms.Transforms;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types.NestedField;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import static java.util.Objects.requireNonNull;
import static java.util.stream.Collectors.joining;

/// What is wrong with an extract: how often, and the first examples. Thread-safe.
final class ExtractFindings
{
    private static final int MAX_EXAMPLES = 3;

    enum Kind
    {
        MISSING("entries are missing"),
        EXTRA("entries are of no live row"),
        MISPLACED("entries are out of place"),
        WRONG_REGION("statements on regions are wrong");

        private final String text;

        Kind(String text)
        {
            this.text = text;
        }
    }

    private final RegionSchema schema;
    private final DataFilePaths paths;
    private final KeyEncoding encoding;
    private final List<NestedField> fields;
    private final Map<Kind, Long> counts = new EnumMap<>(Kind.class);
    private final Map<Kind, List<String>> examples = new EnumMap<>(Kind.class);

    ExtractFindings(RegionSchema schema, DataFilePaths paths)
    {
        this.schema = requireNonNull(schema, "schema is null");
        this.paths = requireNonNull(paths, "paths is null");
        this.encoding = schema.entryEncoding();
        this.fields = schema.entryColumns();
    }

    void addMissing(SortedEntries entry)
    {
        add(Kind.MISSING, entry.array(), entry.offset(), "");
    }

    void addExtra(SortedEntries entry)
    {
        add(Kind.EXTRA, entry.array(), entry.offset(), "");
    }

    /// An entry that names a data file which the snapshot does not have.
    void addForeign(String path, String region)
    {
        add(Kind.EXTRA, "one of data file %s, which the snapshot does not have, in %s".formatted(path, region));
    }

    void addMisplaced(byte[] entry, String where)
    {
        add(Kind.MISPLACED, entry, 0, " " + where);
    }

    void addWrongRegion(String region, String statement)
    {
        add(Kind.WRONG_REGION, "%s in %s".formatted(statement, region));
    }

    private synchronized void add(Kind kind, byte[] entry, int offset, String where)
    {
        add(kind, wantsExample(kind) ? describe(entry, offset) + where : "");
    }

    private synchronized void add(Kind kind, String example)
    {
        if (wantsExample(kind)) {
            examples.computeIfAbsent(kind, _ -> new ArrayList<>()).add(example);
        }
        counts.merge(kind, 1L, Long::sum);
    }

    private boolean wantsExample(Kind kind)
    {
        return counts.getOrDefault(kind, 0L) < MAX_EXAMPLES;
    }

    private String describe(byte[] entry, int offset)
    {
        List<String> values = new ArrayList<>();
        int position = offset;
        for (int i = 0; i < fields.size(); i++) {
            NestedField field = fields.get(i);
            Object value = encoding.decodeValue(i, entry, position);
            if (schema.fileFieldId().isPresent() && schema.fileFieldId().getAsInt() == field.fieldId()) {
                value = paths.path((Integer) value);
            }
            values.add("%s=%s".formatted(field.name(), toText(field.type(), value)));
            position = encoding.skip(i, entry, position);
        }
        return values.stream().collect(joining(", ", "(", ")"));
    }

    static String toText(Type type, Object value)
    {
        return value == null ? "null" : Transforms.identity().toHumanString(type, value);
    }

    /// Counts and examples in words; empty if there is nothing wrong.
    synchronized Optional<String> problem()
    {
        if (counts.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(counts.entrySet().stream()
                .map(count -> "%s %s, such as %s".formatted(count.getValue(), count.getKey().text, String.join("; ", examples.get(count.getKey()))))
                .collect(joining(". ")));
    }
}
