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
import io.sextant.index.file.FieldStats;
import io.sextant.index.file.IndexFile;
import io.sextant.index.scan.TestingIndexes;
import io.sextant.index.tracking.TrackingEntry;
import io.trino.filesystem.Location;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import static io.trino.testing.TestingAccessControlManager.TestingPrivilegeType.SELECT_COLUMN;
import static io.trino.testing.TestingAccessControlManager.TestingPrivilegeType.SET_TABLE_PROPERTIES;
import static io.trino.testing.TestingAccessControlManager.privilege;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.TestInstance.Lifecycle.PER_CLASS;

/// `CALL system.verify_index` on indexes that are exact, and on indexes with every kind of fault.
@TestInstance(PER_CLASS)
final class TestExtractVerifier
        extends AbstractTestQueryFramework
{
    private static final int KEY = 1;

    private Path spill;
    private TestingIndexes indexes;
    private RewrittenExtracts extracts;

    @Override
    protected QueryRunner createQueryRunner()
            throws Exception
    {
        spill = Files.createTempDirectory("spill");
        return TestingIndexes.queryRunner()
                .addCatalogProperty("sextant.index.metadata-cache-ttl", "0ms")
                .addCatalogProperty("sextant.index.build.max-memory", "1MB")
                .addCatalogProperty("sextant.index.build.spill-path", spill.toString())
                .build();
    }

    @BeforeAll
    void createIndexes()
    {
        indexes = new TestingIndexes(getDistributedQueryRunner());
        extracts = new RewrittenExtracts(indexes);
    }

    @Test
    void testEveryType()
    {
        String columns = "b boolean, i integer, l bigint, r real, d double, n decimal(30, 5), dt date, tm time(6), ts timestamp(6), tz timestamp(6) with time zone, s varchar, u uuid, bin varbinary";
        String table = indexes.createTable(columns, "format_version = 2");
        assertUpdate("INSERT INTO " + table + " VALUES (true, 1, 2, REAL '-0.0', nan(), 1.5, DATE '2026-12-07', TIME '01:02:03', TIMESTAMP '2026-12-07 01:02:03', TIMESTAMP '2026-12-07 01:02:03 UTC', 'é', UUID '12151fd2-7586-11e9-8f9e-2a86e4085a59', X'00ff')", 1);
        assertUpdate("INSERT INTO " + table + " VALUES (false, -1, -2, REAL '0.0', -infinity(), -1.5, DATE '1900-01-01', TIME '00:00:00', TIMESTAMP '1900-01-01 00:00:00', TIMESTAMP '1900-01-01 00:00:00 UTC', '', UUID '00000000-0000-0000-0000-000000000000', X'')", 1);
        assertUpdate("INSERT INTO " + table + " (i) VALUES NULL, NULL", 2);
        List<String> keys = ImmutableList.of("b", "i", "l", "r", "d", "n", "dt", "tm", "ts", "tz", "s", "u", "bin");
        for (String key : keys) {
            indexes.createIndex(table, "by_" + key, key);
            verify(table, "by_" + key);
        }
        indexes.createIndex(table, "by_all", keys.toArray(String[]::new));
        verify(table, "by_all");
    }

    @Test
    void testDeletesPartitionsAndLag()
    {
        String table = indexes.createTable("k integer, v varchar, p integer", "format_version = 2, partitioning = ARRAY['p']");
        assertUpdate("INSERT INTO " + table + " SELECT n, CAST(n AS varchar), n % 3 FROM TABLE(sequence(1, 1000)) AS s(n)", 1000);
        assertUpdate("DELETE FROM " + table + " WHERE k % 7 = 0", 142);
        assertUpdate("UPDATE " + table + " SET v = 'changed', p = 5 WHERE k % 10 = 1", 86);
        assertUpdate("CALL system.create_index(schema_name => 'tpch', table_name => '" + table + "', index_name => 'by_k', key => ARRAY['k'], include => ARRAY['v'])");
        verify(table, "by_k");
        // Deletes since then are no fault of the extract
        assertUpdate("DELETE FROM " + table + " WHERE k % 7 = 1", 143);
        assertUpdate("INSERT INTO " + table + " VALUES (1, 'new', 1)", 1);
        verify(table, "by_k");
        assertUpdate("ALTER TABLE " + table + " RENAME COLUMN k TO id");
        verify(table, "by_k");
        indexes.refreshIndex(table, "by_k");
        verify(table, "by_k");
    }

    @Test
    void testMoreEntriesThanMemory()
            throws IOException
    {
        String table = indexes.createTable("k integer, v varchar", "format_version = 2");
        assertUpdate("INSERT INTO " + table + " SELECT (n * 7919) % 100003, 'some text that takes memory ' || CAST(n AS varchar) FROM TABLE(sequence(1, 100000)) AS s(n)", 100_000);
        assertUpdate("CALL system.create_index(schema_name => 'tpch', table_name => '" + table + "', index_name => 'by_k', key => ARRAY['k'], include => ARRAY['v'])");
        verify(table, "by_k");
        extracts.rewrite(table, "by_k", entries -> {
            List<RewrittenExtracts.Entry> changed = new ArrayList<>(entries);
            changed.remove(77_000);
            changed.remove(11);
            return ImmutableList.of(changed);
        });
        assertProblem(table, "2 entries are missing, such as \\(k=12, .*v=some text that takes memory .*\\); \\(k=77001, .*\\)");
        try (Stream<Path> left = Files.list(spill)) {
            assertThat(left).isEmpty();
        }
    }

    @Test
    void testEmptyTable()
    {
        String table = indexes.createTable("k integer", "format_version = 2");
        assertUpdate("INSERT INTO " + table + " VALUES 1", 1);
        assertUpdate("DELETE FROM " + table + " WHERE k = 1", 1);
        indexes.createIndex(table, "by_k", "k");
        verify(table, "by_k");
    }

    @Test
    void testRewrittenExtractIsAsGood()
    {
        String table = table();
        extracts.rewrite(table, "by_k", RewrittenExtracts::inTwoRegions);
        assertQuery("SELECT regions FROM \"" + table + "$indexes\"", "VALUES 2");
        verify(table, "by_k");
    }

    @Test
    void testMissingEntry()
    {
        String table = table();
        extracts.rewrite(table, "by_k", entries -> RewrittenExtracts.inTwoRegions(without(entries, 30)));
        assertProblem(table, "1 entries are missing, such as \\(k=30, [^,]*=local:///.*, [^,]*=29, v=v30\\)");
    }

    @Test
    void testExtraEntry()
    {
        String table = table();
        extracts.rewrite(table, "by_k", entries -> RewrittenExtracts.inTwoRegions(with(entries, entry(entries, 30).withPosition(1000))));
        assertProblem(table, "1 entries are of no live row, such as \\(k=30, .*=1000, v=v30\\)");
    }

    @Test
    void testEntryOfUnknownDataFile()
    {
        String table = table();
        extracts.rewrite(table, "by_k", entries -> RewrittenExtracts.inTwoRegions(with(entries, entry(entries, 30).withFile("local:///gone.parquet"))));
        assertProblem(table, "1 entries are of no live row, such as one of data file local:///gone.parquet, which the snapshot does not have, in local:///.*");
    }

    @Test
    void testEntryOfDeletedRow()
    {
        String table = table();
        List<RewrittenExtracts.Entry> before = extracts.read(table, "by_k");
        assertUpdate("DELETE FROM " + table + " WHERE k IN (30, 31)", 2);
        indexes.refreshIndex(table, "by_k");
        verify(table, "by_k");
        extracts.rewrite(table, "by_k", _ -> RewrittenExtracts.inTwoRegions(before));
        assertProblem(table, "2 entries are of no live row, such as \\(k=30, .*\\); \\(k=31, .*\\)");
    }

    @Test
    void testWrongValues()
    {
        String table = table();
        extracts.rewrite(table, "by_k", entries -> RewrittenExtracts.inTwoRegions(with(without(entries, 30), entry(entries, 30).withKey(31))));
        assertProblem(table, "1 entries are missing, such as \\(k=30, .*v=v30\\). 1 entries are of no live row, such as \\(k=31, .*v=v30\\)");
        table = table();
        extracts.rewrite(table, "by_k", entries -> RewrittenExtracts.inTwoRegions(with(without(entries, 30), entry(entries, 30).withValue("x"))));
        assertProblem(table, "1 entries are missing, such as \\(k=30, .*v=v30\\). 1 entries are of no live row, such as \\(k=30, .*v=x\\)");
    }

    @Test
    void testCountsAndFirstExamples()
    {
        String table = table();
        extracts.rewrite(table, "by_k", entries -> ImmutableList.of(entries.subList(20, 100)));
        assertProblem(table, "20 entries are missing, such as \\(k=1, [^;]*\\); \\(k=2, [^;]*\\); \\(k=3, [^;]*\\)");
    }

    @Test
    @Tag("IX-30")
    void testEntryInTheWrongRegion()
    {
        // Above the last key of its region
        String table = table();
        extracts.rewrite(
                table,
                "by_k",
                entries -> ImmutableList.of(with(entries.subList(0, 50), entry(entries, 75)), without(entries.subList(50, 100), 75)),
                regions -> ImmutableList.of(withGroupMax(regions.getFirst(), 50), regions.getLast()));
        assertProblem(table, "1 entries are out of place, such as \\(k=75, .*\\) above the group_max_value in .*. 1 statements on regions are wrong, such as group_max_value is not the last key in .*");
        // Below that of the region before
        table = table();
        extracts.rewrite(
                table,
                "by_k",
                entries -> ImmutableList.of(without(entries.subList(0, 50), 20), with(entries.subList(50, 100), entry(entries, 20))),
                regions -> ImmutableList.of(regions.getFirst(), withBounds(regions.getLast(), 51, 100)));
        assertProblem(table, "1 entries are out of place, such as \\(k=20, .*\\) below the last key of the region before in .*. 1 statements on regions are wrong, such as lower_bound 51 of k is above value 20 in .*");
    }

    @Test
    void testEntriesOutOfOrderInsideARegion()
    {
        String table = table();
        // In the order of the included column, which is not that of the key
        extracts.rewriteInOrderOfValues(table, "by_k", region -> withGroupMax(withBounds(region, 1, 100), 100));
        assertProblem(table, "\\d+ entries are out of place, such as \\(k=11, .*v=v11\\) after a greater key in .*. 1 statements on regions are wrong, such as group_max_value is not the last key in .*");
    }

    @Test
    void testWrongStatistics()
    {
        assertWrongRegion(region -> withBounds(region, 5, 50), "1 statements on regions are wrong, such as lower_bound 5 of k is above value 1 in .*");
        assertWrongRegion(region -> withGroupMax(withBounds(region, 1, 40), 40), ".* statements on regions are wrong, such as upper_bound 40 of k is below value 50 in .*");
        assertWrongRegion(region -> withGroupMax(withBounds(region, 1, 50), 49), "1 entries are out of place, such as \\(k=50, .*\\) above the group_max_value in .*. 1 statements on regions are wrong, such as group_max_value is not the last key in .*");
        assertWrongRegion(region -> withNullCount(region, 1), "1 statements on regions are wrong, such as null_value_count of k is 1 instead of 0 in .*");
    }

    private void assertWrongRegion(UnaryOperator<TrackingEntry> change, String problem)
    {
        String table = table();
        extracts.rewrite(table, "by_k", RewrittenExtracts::inTwoRegions, regions -> ImmutableList.of(change.apply(regions.getFirst()), regions.getLast()));
        assertProblem(table, problem);
    }

    @Test
    void testWrongRecordCount()
    {
        String table = table();
        extracts.rewrite(table, "by_k", RewrittenExtracts::inTwoRegions, regions -> regions.stream()
                .map(region -> new TrackingEntry(
                        new IndexFile(region.file().location(), region.file().format(), region.file().sizeInBytes(), 51),
                        ImmutableMap.of(KEY, region.contentStats().get(KEY)),
                        Optional.empty()))
                .toList());
        assertQueryFails("CALL system.verify_index('tpch', '" + table + "', 'by_k')", ".*(50|51).*");
    }

    @Test
    @Tag("case-5")
    void testMissingFiles()
            throws IOException
    {
        String table = table();
        String region = (String) computeScalar("SELECT location FROM \"" + table + "$regions\"");
        indexes.indexedTable(table).fileSystem().deleteFile(Location.of(region));
        assertQueryFails("CALL system.verify_index('tpch', '" + table + "', 'by_k')", "Index file local:///.* does not exist; rebuild the index");
    }

    @Test
    void testNothingToVerify()
    {
        String table = indexes.createTable("k integer", "format_version = 2");
        assertUpdate("INSERT INTO " + table + " VALUES 1", 1);
        assertUpdate("CALL system.create_index(schema_name => 'tpch', table_name => '" + table + "', index_name => 'by_k', key => ARRAY['k'], build => false)");
        String call = "CALL system.verify_index('tpch', '" + table + "', 'by_k')";
        assertQueryFails(call, "Index by_k of table .* serves no query, so there is nothing to verify: no extract is of the current snapshot .*");
        assertQueryFails("CALL system.verify_index('tpch', '" + table + "', 'none')", "Table .* has no index none; .*");
    }

    @Test
    void testPrivileges()
    {
        String table = table();
        String call = "CALL system.verify_index('tpch', '" + table + "', 'by_k')";
        assertAccessDenied(call, "Cannot set table properties to .*", privilege(table, SET_TABLE_PROPERTIES));
        assertAccessDenied(call, "Cannot select from columns .*", privilege(table + ".v", SELECT_COLUMN));
    }

    private void verify(String table, String index)
    {
        assertUpdate("CALL system.verify_index('tpch', '" + table + "', '" + index + "')");
    }

    private void assertProblem(String table, String problem)
    {
        assertQueryFails(
                "CALL system.verify_index('tpch', '" + table + "', 'by_k')",
                "Index by_k of table tpch." + table + " does not match snapshot \\d+: " + problem + "\\. Build it anew with CALL system.refresh_index\\(.., mode => 'full'\\)");
        assertUpdate("DROP TABLE " + table);
    }

    /// Rows 1 to 100 at the positions 0 to 99 of one file, indexed by `k` with `v`.
    private String table()
    {
        String table = indexes.createTable("k integer, v varchar", "format_version = 2");
        assertUpdate("INSERT INTO " + table + " SELECT n, 'v' || CAST(n AS varchar) FROM TABLE(sequence(1, 100)) AS s(n) ORDER BY n", 100);
        assertUpdate("CALL system.create_index(schema_name => 'tpch', table_name => '" + table + "', index_name => 'by_k', key => ARRAY['k'], include => ARRAY['v'])");
        return table;
    }

    private static RewrittenExtracts.Entry entry(List<RewrittenExtracts.Entry> entries, int key)
    {
        return entries.stream()
                .filter(entry -> entry.key() == key)
                .findFirst()
                .orElseThrow();
    }

    private static List<RewrittenExtracts.Entry> without(List<RewrittenExtracts.Entry> entries, int key)
    {
        return entries.stream()
                .filter(entry -> entry.key() != key)
                .toList();
    }

    private static List<RewrittenExtracts.Entry> with(List<RewrittenExtracts.Entry> entries, RewrittenExtracts.Entry entry)
    {
        return Stream.concat(entries.stream(), Stream.of(entry)).toList();
    }

    private static TrackingEntry withGroupMax(TrackingEntry region, int groupMax)
    {
        return withKeyStats(region, stats -> new FieldStats(
                stats.lower(),
                stats.upper(),
                Optional.of(groupMax),
                stats.tightBounds(),
                stats.valueCount(),
                stats.nullValueCount(),
                stats.nanValueCount(),
                stats.averageSize()));
    }

    private static TrackingEntry withBounds(TrackingEntry region, int lower, int upper)
    {
        return withKeyStats(region, stats -> new FieldStats(
                Optional.of(lower),
                Optional.of(upper),
                stats.groupMax(),
                false,
                stats.valueCount(),
                stats.nullValueCount(),
                stats.nanValueCount(),
                stats.averageSize()));
    }

    private static TrackingEntry withNullCount(TrackingEntry region, long nulls)
    {
        return withKeyStats(region, stats -> new FieldStats(
                stats.lower(),
                stats.upper(),
                stats.groupMax(),
                stats.tightBounds(),
                stats.valueCount(),
                OptionalLong.of(nulls),
                stats.nanValueCount(),
                stats.averageSize()));
    }

    private static TrackingEntry withKeyStats(TrackingEntry region, UnaryOperator<FieldStats> change)
    {
        return new TrackingEntry(region.file(), ImmutableMap.of(KEY, change.apply(region.contentStats().get(KEY))), Optional.empty());
    }
}
