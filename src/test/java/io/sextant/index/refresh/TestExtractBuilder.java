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
import com.google.common.collect.ImmutableMap;
import io.airlift.units.DataSize;
import io.sextant.SextantQueryRunner;
import io.sextant.index.refresh.ExtractRequest.HotKeys;
import io.sextant.index.region.RegionFile;
import io.sextant.index.region.RegionSchema;
import io.trino.Session;
import io.trino.filesystem.Location;
import io.trino.spi.block.BlockBuilder;
import io.trino.spi.type.SqlTimestamp;
import io.trino.spi.type.SqlTimestampWithTimeZone;
import io.trino.spi.type.SqlVarbinary;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.MaterializedRow;
import io.trino.testing.QueryRunner;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.FileScanTask;
import org.apache.iceberg.io.CloseableIterable;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

import static io.trino.spi.type.BigintType.BIGINT;
import static java.util.Comparator.comparing;
import static java.util.Comparator.comparingLong;
import static java.util.Comparator.naturalOrder;
import static java.util.Comparator.nullsFirst;
import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.parallel.ExecutionMode.SAME_THREAD;

/// Builds extracts of tables that were written and changed by SQL. What is expected comes from SQL alone: live rows from a
/// plain select, and positions from the order in which the rows of a file came out while nothing was deleted from it.
// Tests share what they know of the places of rows
@Execution(SAME_THREAD)
final class TestExtractBuilder
        extends AbstractTestQueryFramework
{
    private static final List<String> FORMATS = ImmutableList.of("PARQUET", "ORC", "AVRO");
    private static final DataSize LARGE = DataSize.valueOf("8MB");

    @TempDir
    Path spillPath;

    private TestingExtracts extracts;
    private TestingTables tables;

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        return SextantQueryRunner.builder().build();
    }

    @BeforeEach
    void setUp()
    {
        extracts = new TestingExtracts(getQueryRunner());
        tables = new TestingTables(getQueryRunner());
    }

    @Test
    @Tag("IX-26")
    void testLiveRows()
            throws IOException
    {
        for (String format : FORMATS) {
            for (int version = 1; version <= 3; version++) {
                testLiveRows(format, version);
            }
        }
    }

    private void testLiveRows(String format, int version)
            throws IOException
    {
        String table = tables.createTable("id bigint, k bigint, note varchar", "format = '%s', format_version = %s".formatted(format, version));
        tables.insert(table, "SELECT x, x * 7919 % 101, 'n' || cast(x AS varchar) FROM UNNEST(sequence(1, 1000)) t(x)");
        tables.insert(table, "SELECT x, nullif(x % 10, 3), NULL FROM UNNEST(sequence(1001, 1500)) t(x)");
        assertExtract(table, "k", "note");
        if (version > 1) {
            tables.change("DELETE FROM %s WHERE id %% 7 = 0".formatted(table));
            tables.change("UPDATE %s SET k = k + 1 WHERE id BETWEEN 300 AND 400".formatted(table));
            tables.change("DELETE FROM %s WHERE id > 1490 OR k IS NULL".formatted(table));
            tables.change("MERGE INTO %s t USING (VALUES 5, 6, 2000) s(id) ON t.id = s.id WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT VALUES (s.id + 3000, -5, 'm')".formatted(table));
            assertExtract(table, "k", "note");
            assertThat(extracts.table(table).currentSnapshot().summary().get("total-position-deletes")).isNotEqualTo("0");
        }
    }

    @Test
    @Tag("IX-26")
    void testPartitionedTables()
            throws IOException
    {
        for (String format : FORMATS) {
            testPartitionedTables(format);
        }
    }

    private void testPartitionedTables(String format)
            throws IOException
    {
        String table = tables.createTable("id bigint, k varchar, d date", "format = '%s', format_version = 2, partitioning = ARRAY['k', 'month(d)']".formatted(format));
        tables.insert(table, "SELECT x, CASE x % 4 WHEN 0 THEN NULL ELSE 'p' || cast(x % 4 AS varchar) END, DATE '2020-01-01' + (x % 60) * INTERVAL '1' DAY FROM UNNEST(sequence(1, 400)) t(x)");
        tables.change("DELETE FROM %s WHERE id %% 5 = 0".formatted(table));
        assertExtract(table, "k", "d");
        assertExtract(table, "d", "k");

        // Files of two specs
        tables.change("ALTER TABLE %s SET PROPERTIES partitioning = ARRAY['bucket(id, 3)']".formatted(table));
        tables.insert(table, "SELECT x, 'q', DATE '2021-01-01' FROM UNNEST(sequence(1001, 1100)) t(x)");
        tables.change("DELETE FROM %s WHERE id %% 11 = 0".formatted(table));
        assertExtract(table, "k", "d");
    }

    @Test
    @Tag("IX-26")
    void testEvolvedSchema()
            throws IOException
    {
        for (String format : FORMATS) {
            testEvolvedSchema(format);
        }
    }

    private void testEvolvedSchema(String format)
            throws IOException
    {
        String table = tables.createTable("id bigint, k integer, gone varchar, r real", "format = '%s', format_version = 2".formatted(format));
        tables.insert(table, "SELECT x, x % 13, 'a', x FROM UNNEST(sequence(1, 100)) t(x)");
        tables.change("ALTER TABLE %s ALTER COLUMN k SET DATA TYPE bigint".formatted(table));
        tables.change("ALTER TABLE %s DROP COLUMN gone".formatted(table));
        tables.change("ALTER TABLE %s ADD COLUMN late varchar".formatted(table));
        tables.change("ALTER TABLE %s RENAME COLUMN k TO kk".formatted(table));
        tables.insert(table, "SELECT x, 5000000000 + x, 1, 'late' || cast(x AS varchar) FROM UNNEST(sequence(101, 150)) t(x)");
        tables.change("DELETE FROM %s WHERE id %% 3 = 0".formatted(table));
        assertExtract(table, "kk", "late");
        assertExtract(table, "late", "kk");
    }

    @Test
    @Tag("IX-26")
    void testNestedKey()
            throws IOException
    {
        for (String format : FORMATS) {
            testNestedKey(format);
        }
    }

    private void testNestedKey(String format)
            throws IOException
    {
        String table = tables.createTable("id bigint, r ROW(a bigint, s ROW(b varchar))", "format = '%s', format_version = 2".formatted(format));
        tables.insert(table, "SELECT x, CASE WHEN x % 5 = 0 THEN NULL ELSE ROW(nullif(x % 7, 0), IF(x % 3 = 0, NULL, ROW('b' || cast(x % 4 AS varchar)))) END FROM UNNEST(sequence(1, 200)) t(x)");
        tables.change("DELETE FROM %s WHERE id BETWEEN 50 AND 70".formatted(table));
        assertExtract(table, "r.a", "r.s.b");
        assertExtract(table, "r.s.b", "r.a");
    }

    @Test
    @Tag("IX-26")
    void testKeysOfAllTypes()
            throws IOException
    {
        Map<String, String> expressions = new LinkedHashMap<>();
        expressions.put("boolean", "x % 2 = 0");
        expressions.put("integer", "cast(500 - x AS integer)");
        expressions.put("bigint", "(500 - x) * 10000000000");
        expressions.put("decimal(12,2)", "cast((500 - x) / 4.0 AS decimal(12,2))");
        expressions.put("decimal(30,3)", "cast((500 - x) / 4.0 AS decimal(30,3))");
        expressions.put("date", "DATE '1970-02-01' - (x % 50) * INTERVAL '1' DAY");
        expressions.put("time(6)", "TIME '00:00:01.000001' + x * INTERVAL '17' SECOND");
        expressions.put("timestamp(6)", "TIMESTAMP '1970-01-01 00:05:00.000007' - x * INTERVAL '1' SECOND");
        expressions.put("timestamp(6) with time zone", "TIMESTAMP '1970-01-01 00:05:00.000007 UTC' - x * INTERVAL '1' SECOND");
        expressions.put("varchar", "reverse(cast(x AS varchar))");
        expressions.put("varbinary", "reverse(to_utf8(cast(x AS varchar)))");
        expressions.put("real", "cast(250 - x AS real)");
        expressions.put("double", "(250 - x) / 8e0");
        for (Map.Entry<String, String> entry : expressions.entrySet()) {
            String table = tables.createTable("id bigint, k " + entry.getKey(), "format_version = 2");
            tables.insert(table, "SELECT x, CASE WHEN x %% 9 = 0 THEN NULL ELSE %s END FROM UNNEST(sequence(1, 300)) t(x)".formatted(entry.getValue()));
            tables.change("DELETE FROM %s WHERE id %% 17 = 0".formatted(table));
            assertExtract(table, "k", "id");
        }
    }

    @Test
    @Tag("IX-26")
    void testEqualityDeletes()
            throws IOException
    {
        String table = tables.createTable("id bigint, k bigint, part varchar", "format_version = 2, partitioning = ARRAY['part']");
        tables.insert(table, "SELECT x, x % 10, 'p' || cast(x % 2 AS varchar) FROM UNNEST(sequence(1, 100)) t(x)");
        TestingTables.deleteByEquality(extracts.table(table), "k", 3L);
        TestingTables.deleteByEquality(extracts.table(table), "id", 20L);
        // Rows that were inserted after an equality delete are not touched by it
        tables.insertNew(table, "SELECT x, 3, 'p1' FROM UNNEST(sequence(101, 110)) t(x)");
        tables.change("DELETE FROM %s WHERE id = 102".formatted(table));

        Set<Long> live = tables.ids().stream()
                .filter(id -> id > 100 ? id != 102 : id % 10 != 3 && id != 20)
                .collect(toSet());
        assertThat(live).hasSize(98);
        ExtractRequest request = extracts.request(table, ImmutableList.of("k"), ImmutableList.of("id"), LARGE);
        List<List<Object>> rows = extracts.read(request, build(request).regions());
        assertThat(rows.stream().map(row -> (Long) row.get(3)).collect(toSet())).isEqualTo(live);
        for (List<Object> row : rows) {
            long id = (Long) row.get(3);
            assertThat(row).containsExactly(id > 100 ? 3L : id % 10, tables.place(id).path(), tables.place(id).position(), id);
        }
        assertThat(rows).isSortedAccordingTo(entryOrder());
    }

    @Test
    void testNoLiveRows()
            throws IOException
    {
        String table = tables.createTable("id bigint, k bigint", "format_version = 2");
        tables.insert(table, "VALUES (1, 2), (3, 4)");
        tables.change("DELETE FROM %s WHERE id IN (1, 3)".formatted(table));
        BuiltExtract extract = build(extracts.request(table, ImmutableList.of("k"), ImmutableList.of(), LARGE));
        assertThat(extract.regions()).isEmpty();
        assertThat(extract.entryCount()).isZero();
        assertThat(extracts.files(extracts.directory())).isEmpty();
    }

    @Test
    @Tag("IX-11")
    @Tag("IX-26")
    void testOlderSnapshot()
            throws IOException
    {
        String table = tables.createTable("id bigint, k bigint", "format_version = 2");
        tables.insert(table, "SELECT x, -x FROM UNNEST(sequence(1, 50)) t(x)");
        ExtractRequest request = extracts.request(table, ImmutableList.of("k"), ImmutableList.of("id"), LARGE);
        tables.change("DELETE FROM %s WHERE id < 10".formatted(table));
        tables.insert(table, "VALUES (100, 100)");
        tables.change("ALTER TABLE %s DROP COLUMN k".formatted(table));
        request.table().refresh();
        assertThat(request.table().currentSnapshot().snapshotId()).isNotEqualTo(request.snapshotId());
        assertThat(request.table().schema().findField("k")).isNull();
        assertThat(extracts.read(request, build(request).regions()))
                .allMatch(row -> row.get(0).equals(-(Long) row.get(3)))
                .extracting(row -> row.get(3))
                .containsExactlyInAnyOrderElementsOf(Stream.iterate(1L, id -> id + 1).limit(50).toList());
    }

    @Test
    @Tag("IX-26")
    void testRowLineageAndSpecColumns()
            throws IOException
    {
        String table = tables.createTable("id bigint, k bigint", "format_version = 3");
        tables.insert(table, "SELECT x, x % 3 FROM UNNEST(sequence(1, 20)) t(x)");
        tables.insert(table, "SELECT x, x % 3 FROM UNNEST(sequence(21, 30)) t(x)");
        tables.change("UPDATE %s SET k = 7 WHERE id = 5".formatted(table));
        ExtractRequest request = extracts.request(table, ImmutableList.of("k"), ImmutableList.of("id", "_row_id", "_last_updated_sequence_number", "_spec_id"), LARGE);
        Map<Object, List<Object>> expected = new HashMap<>();
        for (MaterializedRow row : computeActual("SELECT id, \"$row_id\", \"$last_updated_sequence_number\" FROM plain.tpch." + table)) {
            expected.put(row.getField(0), ImmutableList.of(row.getField(0), row.getField(1), row.getField(2), 0));
        }
        assertThat(expected).hasSize(30);
        for (List<Object> row : extracts.read(request, build(request).regions())) {
            assertThat(row.subList(3, 7)).isEqualTo(expected.remove(row.get(3)));
        }
        assertThat(expected).isEmpty();
    }

    @Test
    @Tag("IX-01")
    void testTableIsNotTouched()
            throws IOException
    {
        String table = tables.createTable("id bigint, k bigint", "format_version = 2");
        tables.insert(table, "SELECT x, x FROM UNNEST(sequence(1, 100)) t(x)");
        BaseTable before = extracts.table(table);
        List<String> filesBefore = extracts.files(Location.of(before.location()));
        build(extracts.request(table, ImmutableList.of("k"), ImmutableList.of(), LARGE));
        BaseTable after = extracts.table(table);
        assertThat(extracts.files(Location.of(before.location()))).isNotEmpty().isEqualTo(filesBefore);
        assertThat(after.operations().current().metadataFileLocation()).isEqualTo(before.operations().current().metadataFileLocation());
        assertThat(ImmutableList.copyOf(after.snapshots())).hasSameSizeAs(ImmutableList.copyOf(before.snapshots()));
    }

    @Test
    @Tag("IX-35")
    @Tag("IX-40")
    void testRegionsEndWhereTheKeyChanges()
            throws IOException
    {
        ExtractRequest request = hotKeyRequest(HotKeys.KEEP_TOGETHER);
        List<Set<Object>> keys = new ArrayList<>();
        List<List<Object>> all = new ArrayList<>();
        List<RegionFile> regions = build(request).regions();
        for (RegionFile region : regions) {
            List<List<Object>> rows = extracts.read(request, ImmutableList.of(region));
            assertThat(rows).hasSize((int) region.file().recordCount());
            keys.add(rows.stream().map(List::getFirst).collect(toSet()));
            all.addAll(rows);
        }
        assertThat(regions.size()).isGreaterThan(5);
        assertThat(all).hasSize(30_000).isSortedAccordingTo(entryOrder());
        Set<Object> seen = new HashSet<>();
        for (Set<Object> regionKeys : keys) {
            assertThat(seen).doesNotContainAnyElementsOf(regionKeys);
            seen.addAll(regionKeys);
        }
        // The hot key and nothing but what else came before the region was full
        assertThat(regions.stream().mapToLong(region -> region.file().recordCount()).max().orElseThrow()).isGreaterThan(15_000);
    }

    @Test
    @Tag("IX-35")
    void testHotKeysAreSplitWhenAllowed()
            throws IOException
    {
        ExtractRequest request = hotKeyRequest(HotKeys.SPLIT);
        List<RegionFile> regions = build(request).regions();
        assertThat(regions.stream().mapToLong(region -> region.file().recordCount()).max().orElseThrow()).isLessThan(3_000);
        assertThat(extracts.read(request, regions)).hasSize(30_000).isSortedAccordingTo(entryOrder());
    }

    private ExtractRequest hotKeyRequest(HotKeys hotKeys)
    {
        String table = tables.createTable("id bigint, k bigint", "format_version = 2");
        tables.insert(table, "SELECT x, IF(x % 2 = 0, 77, x % 211) FROM UNNEST(sequence(1, 10000)) t(x)");
        tables.insert(table, "SELECT x, IF(x % 2 = 0, 77, x % 211) FROM UNNEST(sequence(10001, 20000)) t(x)");
        tables.insert(table, "SELECT x, IF(x % 2 = 0, 77, x % 211) FROM UNNEST(sequence(20001, 30000)) t(x)");
        ExtractRequest request = extracts.request(table, ImmutableList.of("k"), ImmutableList.of("id"), DataSize.valueOf("2kB"));
        return TestingExtracts.with(request, request.fileSystem(), hotKeys);
    }

    @Test
    void testStatsOnlyKey()
            throws IOException
    {
        String table = tables.createTable("id bigint, k bigint", "format_version = 2");
        tables.insert(table, "SELECT x, x * 7 FROM UNNEST(sequence(1, 500)) t(x)");
        ExtractRequest plain = extracts.request(table, ImmutableList.of("k"), ImmutableList.of("id"), LARGE);
        int keyId = plain.schema().keyFieldIds().getFirst();
        NestedField remainder = NestedField.optional(5000, "remainder", Types.LongType.get());
        RegionSchema schema = new RegionSchema(
                plain.schema().schema(),
                ImmutableList.of(remainder),
                ImmutableList.of(5000, keyId),
                plain.schema().fileFieldId(),
                plain.schema().positionFieldId());
        ExtractRequest request = new ExtractRequest(
                plain.session(),
                plain.table(),
                plain.snapshotId(),
                schema,
                plain.sourceIds(),
                ImmutableMap.of(5000, (columns, positionCount) -> {
                    BlockBuilder builder = BIGINT.createFixedSizeBlockBuilder(positionCount);
                    for (int position = 0; position < positionCount; position++) {
                        BIGINT.writeLong(builder, BIGINT.getLong(columns.apply(keyId), position) % 4);
                    }
                    return builder.build();
                }),
                plain.fileSystem(),
                plain.regionLocations(),
                LARGE,
                HotKeys.KEEP_TOGETHER);
        List<RegionFile> regions = build(request).regions();
        List<Long> keys = extracts.read(request, regions).stream().map(row -> (Long) row.getFirst()).toList();
        assertThat(keys).hasSize(500).isSortedAccordingTo(comparingLong((Long key) -> key % 4).thenComparing(naturalOrder()));
        assertThat(regions.getLast().stats().get(5000).groupMax()).contains(3L);
        assertThat(regions.getLast().stats().get(keyId).groupMax()).contains(3479L);
    }

    @Test
    void testLargeFileIsReadInRowGroupRanges()
            throws IOException
    {
        String table = tables.createTable("id bigint, k bigint", "format_version = 2");
        Session smallRowGroups = Session.builder(getSession())
                .setCatalogSessionProperty(SextantQueryRunner.CATALOG, "parquet_writer_row_group_max_row_count", "1000")
                .build();
        assertUpdate(smallRowGroups, "INSERT INTO %s SELECT x, x * 7919 %% 10007 FROM UNNEST(sequence(1, 9000)) t(x) CROSS JOIN (VALUES 1) u".formatted(table), 9000);
        tables.recordPlaces(table);
        tables.change("DELETE FROM %s WHERE id %% 100 = 7".formatted(table));
        BaseTable icebergTable = extracts.table(table);
        try (CloseableIterable<FileScanTask> tasks = icebergTable.newScan().planFiles()) {
            for (FileScanTask task : tasks) {
                List<FileRange> ranges = FileRanges.split(task, 1);
                assertThat(ranges.size()).isEqualTo(task.file().splitOffsets().size()).isGreaterThan(1);
                assertThat(ranges.getFirst().start()).isZero();
                assertThat(ranges.stream().mapToLong(FileRange::length).sum()).isEqualTo(task.file().fileSizeInBytes());
            }
        }
        ExtractRequest request = extracts.request(table, ImmutableList.of("k"), ImmutableList.of("id"), LARGE);
        BuildProgress progress = new BuildProgress();
        BuiltExtract extract = extracts.builder(TestingExtracts.config(spillPath), 1).build(request, progress);
        assertEntries(extracts.read(request, extract.regions()), "SELECT id, k, id FROM plain.tpch." + table);
        assertThat(progress.readFiles()).isEqualTo(progress.totalFiles()).isEqualTo(1);
        assertThat(progress.readBytes()).isEqualTo(progress.totalBytes()).isGreaterThan(0);
    }

    private BuiltExtract build(ExtractRequest request)
            throws IOException
    {
        BuildProgress progress = new BuildProgress();
        BuiltExtract extract = extracts.builder(TestingExtracts.config(spillPath)).build(request, progress);
        assertThat(progress.phase()).isEqualTo(BuildProgress.Phase.FINISHED);
        assertThat(progress.readFiles()).isEqualTo(progress.totalFiles());
        assertThat(progress.writtenEntries()).isEqualTo(progress.readEntries()).isEqualTo(extract.entryCount());
        assertThat(progress.memoryUsage()).isZero();
        try (Stream<Path> files = Files.list(spillPath)) {
            assertThat(files).isEmpty();
        }
        return extract;
    }

    private void assertExtract(String table, String key, String include)
            throws IOException
    {
        // The ID tells which row it is, so it must be there
        ExtractRequest request = extracts.request(table, ImmutableList.of(key), key.equals("id") || include.equals("id") ? ImmutableList.of("id") : ImmutableList.of("id", include), LARGE);
        List<List<Object>> rows = extracts.read(request, build(request).regions());
        assertEntries(rows, "SELECT id, %s, %s FROM plain.tpch.%s".formatted(key, include, table));
    }

    private void assertEntries(List<List<Object>> rows, String sql)
    {
        List<String> expected = new ArrayList<>();
        for (MaterializedRow row : computeActual(sql)) {
            TestingTables.Place place = tables.place((Long) row.getField(0));
            expected.add("%s|%s|%s|%s|%s".formatted(string(row.getField(1)), place.path(), place.position(), row.getField(0), string(row.getField(2))));
        }
        assertThat(expected).isNotEmpty();
        List<String> actual = rows.stream()
                .map(row -> "%s|%s|%s|%s|%s".formatted(string(row.get(0)), row.get(1), row.get(2), row.get(3), string(row.getLast())))
                .toList();
        assertThat(actual).containsExactlyInAnyOrderElementsOf(expected);
        if (rows.stream().allMatch(row -> row.getFirst() == null || row.getFirst() instanceof Comparable<?>)) {
            assertThat(rows).isSortedAccordingTo(entryOrder());
        }
    }

    private static String string(Object value)
    {
        return switch (value) {
            case SqlVarbinary binary -> new String(binary.getBytes(), StandardCharsets.ISO_8859_1);
            case byte[] binary -> new String(binary, StandardCharsets.ISO_8859_1);
            case SqlTimestamp timestamp -> timestamp.toString().replace(' ', 'T');
            case SqlTimestampWithTimeZone timestamp -> timestamp.toZonedDateTime().toInstant().toString();
            case ZonedDateTime timestamp -> timestamp.toInstant().toString();
            case BigDecimal decimal -> decimal.toPlainString();
            case null -> "null";
            default -> value.toString();
        };
    }

    @SuppressWarnings("unchecked")
    private static Comparator<List<Object>> entryOrder()
    {
        return comparing((List<Object> row) -> (Comparable<Object>) row.get(0), nullsFirst(naturalOrder()))
                .thenComparing(row -> (String) row.get(1))
                .thenComparingLong(row -> (Long) row.get(2));
    }
}
