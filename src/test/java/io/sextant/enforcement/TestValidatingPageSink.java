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
import io.airlift.slice.Slice;
import io.sextant.enforcement.ConstraintConfig.HashMemory;
import io.trino.spi.Page;
import io.trino.spi.block.LongArrayBlock;
import io.trino.spi.connector.SchemaTableName;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.types.Types.LongType;
import org.apache.iceberg.types.Types.NestedField;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.channels.ClosedChannelException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;

import static com.google.common.collect.MoreCollectors.onlyElement;
import static io.airlift.concurrent.MoreFutures.getFutureValue;
import static io.trino.type.InternalTypeManager.TESTING_TYPE_MANAGER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class TestValidatingPageSink
{
    private static final ValidationHandle HANDLE = new ValidationHandle(
            new SchemaTableName("tpch", "t"),
            OptionalLong.empty(),
            SchemaParser.toJson(new Schema(NestedField.optional(1, "k", LongType.get()), NestedField.optional(2, "x", LongType.get()), NestedField.optional(3, "y", LongType.get()))),
            Optional.of(
                    """
                    {"last-constraint-id": 3, "constraints": [
                    {"constraint-id": 1, "name": "u", "enforced": true, "timestamp-ms": 1, "type": "unique", "field-ids": [3]},
                    {"constraint-id": 2, "name": "c", "enforced": true, "timestamp-ms": 1, "type": "check", "expression": {"type": "lt", "left": {"type": "reference", "id": 1}, "right": 10}},
                    {"constraint-id": 3, "name": "other", "enforced": true, "timestamp-ms": 1, "type": "check", "expression": false}]}
                    """),
            ImmutableList.of(1, 2));

    @TempDir
    private Path spillPath;

    @Test
    void testCountsOfOneSink()
    {
        ValidatingPageSink sink = sink(1000);
        append(sink, page(0, 20, 0));
        append(sink, page(5, 15, 10));
        append(sink, page(5, 6, 10));
        // k of 10 and more break the check; y, the second channel of the sink, is repeated from 15 to 19
        assertThat(finish(sink)).satisfies(part -> {
            assertThat(part.rows()).isEqualTo(31);
            assertThat(part.violations()).isEqualTo(Map.of(2, 15L, 1, 5L));
            assertThat(part.suspects()).hasSize(5);
        });
    }

    @Test
    void testSpilledKeys()
    {
        ValidatingPageSink sink = sink(100);
        append(sink, page(0, 50, 0));
        long small = sink.getMemoryUsage();
        assertThat(small).isBetween(1L, SpilledHashes.MEMORY_USAGE - 1);
        for (int i = 0; i < 20; i++) {
            append(sink, page(0, 1000, i * 900));
        }
        assertThat(sink.getMemoryUsage()).isGreaterThanOrEqualTo(SpilledHashes.MEMORY_USAGE);
        ValidationPart part = finish(sink);
        assertThat(part.violations()).containsEntry(1, 50L + 19 * 100);
        assertThat(part.suspects()).hasSize(1000);
        assertClosed(sink);
    }

    @Test
    void testAbort()
    {
        ValidatingPageSink sink = sink(10);
        append(sink, page(0, 50, 0));
        sink.abort();
        assertClosed(sink);
    }

    /// The file with keys, which has no name any more, is given back to the file system.
    private static void assertClosed(ValidatingPageSink sink)
    {
        assertThatThrownBy(() -> append(sink, page(0, 200_000, 0))).hasRootCauseInstanceOf(ClosedChannelException.class);
    }

    private ValidatingPageSink sink(int maxHashes)
    {
        return new ValidatingPageSink(HANDLE, TESTING_TYPE_MANAGER, new HashMemory(maxHashes, spillPath));
    }

    private static void append(ValidatingPageSink sink, Page page)
    {
        assertThat(sink.appendPage(page)).isCompleted();
    }

    /// Rows whose columns `k` and `y` count up; the sink is not given `x`.
    private static Page page(int from, int to, int add)
    {
        return new Page(
                new LongArrayBlock(to - from, Optional.empty(), LongStream.range(from, to).toArray()),
                new LongArrayBlock(to - from, Optional.empty(), LongStream.range(from, to).map(k -> k + add).toArray()));
    }

    private static ValidationPart finish(ValidatingPageSink sink)
    {
        Collection<Slice> fragments = getFutureValue(sink.finish());
        return ValidationPart.fromFragment(fragments.stream().collect(onlyElement()));
    }
}
