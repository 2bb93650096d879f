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

import com.google.common.collect.ImmutableList;
import io.sextant.index.file.FieldStats;
import io.sextant.index.key.KeyBuffer;
import io.sextant.index.key.KeyEncoding;
import io.sextant.index.tracking.TrackingEntry;
import io.trino.spi.block.Block;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types.NestedField;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.spi.type.RealType.REAL;
import static java.util.Arrays.compareUnsigned;
import static java.util.Objects.requireNonNull;

/// Checks what the tracking file says of the values of one region. Bounds may be wider than the values, never narrower.
final class RegionStatsVerifier
{
    private final TrackingEntry region;
    private final ExtractFindings findings;
    private final List<Column> columns = new ArrayList<>();
    private long rows;

    RegionStatsVerifier(TrackingEntry region, List<NestedField> fields, ExtractFindings findings)
    {
        this.region = requireNonNull(region, "region is null");
        this.findings = requireNonNull(findings, "findings is null");
        for (int channel = 0; channel < fields.size(); channel++) {
            FieldStats stats = region.contentStats().get(fields.get(channel).fieldId());
            if (stats != null) {
                columns.add(new Column(channel, fields.get(channel), stats));
            }
        }
    }

    /// @param blocks one for each field
    void add(Block[] blocks, int positions)
    {
        columns.forEach(column -> column.add(blocks[column.channel], positions));
        rows += positions;
    }

    void finish()
    {
        if (rows != region.file().recordCount()) {
            findings.addWrongRegion(region.file().location(), "record_count is %s instead of %s".formatted(region.file().recordCount(), rows));
        }
        columns.forEach(Column::finish);
    }

    private final class Column
    {
        private final int channel;
        private final NestedField field;
        private final FieldStats stats;
        private final KeyEncoding encoding;
        private final KeyBuffer value = new KeyBuffer();
        private byte[] least = new byte[0];
        private byte[] greatest = new byte[0];
        private long values;
        private long nulls;
        private long notNumbers;

        private Column(int channel, NestedField field, FieldStats stats)
        {
            this.channel = channel;
            this.field = requireNonNull(field, "field is null");
            this.stats = requireNonNull(stats, "stats is null");
            this.encoding = KeyEncoding.of(ImmutableList.of(field.type()));
        }

        private void add(Block block, int positions)
        {
            for (int position = 0; position < positions; position++) {
                if (block.isNull(position)) {
                    nulls++;
                }
                else if (isNaN(block, position)) {
                    notNumbers++;
                }
                else {
                    value.reset();
                    encoding.encode(0, block, position, value);
                    add(value);
                }
            }
        }

        private void add(KeyBuffer bytes)
        {
            if (values == 0 || compareUnsigned(bytes.array(), 0, bytes.length(), least, 0, least.length) < 0) {
                least = bytes.toByteArray();
            }
            if (values == 0 || compareUnsigned(bytes.array(), 0, bytes.length(), greatest, 0, greatest.length) > 0) {
                greatest = bytes.toByteArray();
            }
            values++;
        }

        private boolean isNaN(Block block, int position)
        {
            return switch (field.type().typeId()) {
                case FLOAT -> Float.isNaN(REAL.getFloat(block, position));
                case DOUBLE -> Double.isNaN(DOUBLE.getDouble(block, position));
                default -> false;
            };
        }

        private void finish()
        {
            checkCount("value_count", stats.valueCount(), rows);
            checkCount("null_value_count", stats.nullValueCount(), nulls);
            checkCount("nan_value_count", stats.nanValueCount(), notNumbers);
            if (values == 0) {
                return;
            }
            if (stats.lower().isEmpty()) {
                add("bounds of %s are absent".formatted(field.name()));
                return;
            }
            if (compareUnsigned(encode(stats.lower().orElseThrow()), least) > 0) {
                add("lower_bound %s of %s is above value %s".formatted(toText(stats.lower().orElseThrow()), field.name(), toText(encoding.decodeValue(0, least, 0))));
            }
            if (compareUnsigned(encode(stats.upper().orElseThrow()), greatest) < 0) {
                add("upper_bound %s of %s is below value %s".formatted(toText(stats.upper().orElseThrow()), field.name(), toText(encoding.decodeValue(0, greatest, 0))));
            }
        }

        private void checkCount(String name, OptionalLong stated, long counted)
        {
            if (stated.isPresent() && stated.getAsLong() != counted) {
                add("%s of %s is %s instead of %s".formatted(name, field.name(), stated.getAsLong(), counted));
            }
        }

        private void add(String statement)
        {
            findings.addWrongRegion(region.file().location(), statement);
        }

        private byte[] encode(Object bound)
        {
            KeyBuffer buffer = new KeyBuffer();
            encoding.encodeValue(0, bound, buffer);
            return buffer.toByteArray();
        }

        private String toText(Object known)
        {
            Type type = field.type();
            return ExtractFindings.toText(type, known);
        }
    }
}
