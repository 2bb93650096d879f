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
import io.airlift.units.DataSize;
import io.sextant.SextantQueryRunner;
import io.sextant.index.key.KeyEncoding;
import io.sextant.index.refresh.ExtractRequest.HotKeys;
import io.sextant.index.region.RegionFile;
import io.sextant.index.region.RegionSchema;
import io.sextant.index.tracking.TrackedRegions;
import io.sextant.index.tracking.TrackingEntry;
import io.trino.filesystem.Location;
import io.trino.testing.AbstractTestQueryFramework;
import io.trino.testing.QueryRunner;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.parallel.ExecutionMode.SAME_THREAD;

/// Derives extracts from those of earlier snapshots. The oracle is the extract that is built in full: it has the same entries
/// in the same order.
// Tests share what they know of the places of rows
@Execution(SAME_THREAD)
final class TestExtractRefresh
        extends AbstractTestQueryFramework
{
    private static final DataSize REGION_SIZE = DataSize.valueOf("2kB");

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
    @Tag("IX-27")
    void testRandomHistories()
            throws IOException
    {
        Random random = new Random(1);
        int refreshes = 0;
        int reused = 0;
        for (String format : List.of("PARQUET", "ORC", "AVRO")) {
            for (int version = 2; version <= 3; version++) {
                String table = tables.createTable("id bigint, k bigint, note varchar", "format = '%s', format_version = %s".formatted(format, version));
                insert(table, 0, 8_000);
                BuiltExtract extract = build(request(table));
                long snapshot = snapshot(table);
                for (int round = 0; round < 4; round++) {
                    for (int i = random.nextInt(3); i >= 0; i--) {
                        change(table, random);
                    }
                    extract = refresh(request(table), snapshot, extract).orElse(build(request(table)));
                    snapshot = snapshot(table);
                    refreshes += extract.written().size() < extract.regions().size() ? 1 : 0;
                    reused += extract.regions().size() - extract.written().size();
                }
            }
        }
        assertThat(refreshes).isGreaterThan(10);
        assertThat(reused).isGreaterThan(50);
    }

    private void change(String table, Random random)
    {
        int id = random.nextInt(8_000);
        String sql = switch (random.nextInt(9)) {
            case 0 -> "INSERT INTO %s SELECT x, x * 7919 %% 10007, 'new' FROM UNNEST(sequence(%s, %s)) t(x)".formatted(table, 10_000 + id, 10_000 + id + random.nextInt(200));
            case 1 -> "INSERT INTO %s SELECT x, 20000 + x, 'late' FROM UNNEST(sequence(%s, %s)) t(x)".formatted(table, id, id + random.nextInt(200));
            case 2 -> "DELETE FROM %s WHERE id BETWEEN %s AND %s".formatted(table, id, id + random.nextInt(100));
            case 3 -> "DELETE FROM %s WHERE id %% 500 = %s".formatted(table, id % 500);
            case 4 -> "DELETE FROM %s WHERE k BETWEEN %s AND %s".formatted(table, id, id + random.nextInt(300));
            case 5 -> "UPDATE %s SET k = k + 1 WHERE id BETWEEN %s AND %s".formatted(table, id, id + random.nextInt(50));
            case 6 -> "UPDATE %s SET note = 'u' WHERE id %% 1000 = %s".formatted(table, id % 1000);
            case 7 -> "MERGE INTO %s t USING (VALUES %s, %s) s(id) ON t.id = s.id WHEN MATCHED THEN DELETE WHEN NOT MATCHED THEN INSERT VALUES (s.id, NULL, 'm')".formatted(table, id, id + 20_000);
            default -> "ALTER TABLE %s EXECUTE optimize".formatted(table) + (random.nextBoolean() ? "(file_size_threshold => '1kB')" : "");
        };
        getQueryRunner().execute(sql);
    }

    @Test
    @Tag("IX-28")
    void testAppendInNewRange()
            throws IOException
    {
        String table = createTable(2);
        BuiltExtract before = build(request(table));
        long snapshot = snapshot(table);
        getQueryRunner().execute("INSERT INTO %s SELECT x, 100000 + x, 'new' FROM UNNEST(sequence(1, 20)) t(x)".formatted(table));
        BuiltExtract after = refresh(request(table), snapshot, before).orElseThrow();
        assertThat(before.regions().size()).isGreaterThan(10);
        assertThat(after.written()).hasSize(1);
        assertThat(after.writtenBytes()).isLessThan(2 * REGION_SIZE.toBytes());
        assertThat(locations(after.regions())).containsAll(locations(before.regions().subList(0, before.regions().size() - 1)));
    }

    @Test
    @Tag("IX-28")
    void testAppendInTheMiddleTouchesOneRegion()
            throws IOException
    {
        String table = createTable(2);
        BuiltExtract before = build(request(table));
        long snapshot = snapshot(table);
        getQueryRunner().execute("INSERT INTO %s SELECT x, 5000, 'new' FROM UNNEST(sequence(1, 20)) t(x)".formatted(table));
        BuiltExtract after = refresh(request(table), snapshot, before).orElseThrow();
        assertThat(after.written()).hasSizeBetween(1, 2);
        assertThat(after.regions()).containsAll(before.regions().subList(0, 3));
    }

    @Test
    @Tag("IX-28")
    void testFewDeletesTouchFewRegions()
            throws IOException
    {
        for (int version = 2; version <= 3; version++) {
            String table = createTable(version);
            BuiltExtract before = build(request(table));
            long snapshot = snapshot(table);
            getQueryRunner().execute("DELETE FROM %s WHERE id = 17 OR id = 3000".formatted(table));
            BuiltExtract after = refresh(request(table), snapshot, before).orElseThrow();
            assertThat(after.written()).hasSizeBetween(1, 4);
            assertThat(after.entryCount()).isEqualTo(before.entryCount() - 2);
        }
    }

    @Test
    @Tag("IX-28")
    void testEmptyAndTinyRegionsVanish()
            throws IOException
    {
        String table = createTable(2);
        BuiltExtract before = build(request(table));
        long snapshot = snapshot(table);
        getQueryRunner().execute("DELETE FROM %s WHERE k BETWEEN 1000 AND 5000".formatted(table));
        BuiltExtract between = refresh(request(table), snapshot, before).orElseThrow();
        assertThat(between.regions().size()).isLessThan(before.regions().size());
        // Nine rows in ten: what is left of ten regions makes one
        snapshot = snapshot(table);
        getQueryRunner().execute("DELETE FROM %s WHERE k %% 10 <> 0".formatted(table));
        BuiltExtract after = refresh(request(table), snapshot, between).orElseThrow();
        assertThat(after.regions().size()).isLessThan(between.regions().size() / 3 + 1);
        snapshot = snapshot(table);
        getQueryRunner().execute("DELETE FROM %s WHERE k >= 0 OR k IS NULL".formatted(table));
        assertThat(refresh(request(table), snapshot, after).orElseThrow().regions()).isEmpty();
    }

    @Test
    void testNothingChanged()
            throws IOException
    {
        String table = createTable(2);
        BuiltExtract before = build(request(table));
        long snapshot = snapshot(table);
        assertThat(refresh(request(table), snapshot, before).orElseThrow().written()).isEmpty();
        extracts.table(table).newAppend().commit();
        assertThat(snapshot(table)).isNotEqualTo(snapshot);
        BuiltExtract after = refresh(request(table), snapshot, before).orElseThrow();
        assertThat(after.written()).isEmpty();
        assertThat(after.regions()).isEqualTo(before.regions());
    }

    @Test
    void testRowsThatComeBack()
            throws IOException
    {
        for (int version = 2; version <= 3; version++) {
            String table = createTable(version);
            long first = snapshot(table);
            getQueryRunner().execute("DELETE FROM %s WHERE id BETWEEN 100 AND 120".formatted(table));
            BuiltExtract before = build(request(table));
            long snapshot = snapshot(table);
            extracts.table(table).manageSnapshots().rollbackTo(first).commit();
            getQueryRunner().execute("DELETE FROM %s WHERE id = 29999".formatted(table));
            BuiltExtract after = refresh(request(table), snapshot, before).orElseGet(() -> build(request(table)));
            assertThat(after.entryCount()).isEqualTo(before.entryCount() + 20);
        }
    }

    @Test
    void testEqualityDeletes()
            throws IOException
    {
        String table = tables.createTable("id bigint, k bigint, part varchar, note varchar", "format_version = 2, partitioning = ARRAY['part']");
        getQueryRunner().execute("INSERT INTO %s SELECT x, x %% 100, 'p' || cast(x %% 2 AS varchar), 'n' FROM UNNEST(sequence(1, 2000)) t(x)".formatted(table));
        BuiltExtract before = build(request(table));
        long snapshot = snapshot(table);
        TestingTables.deleteByEquality(extracts.table(table), "k", 3L);
        BuiltExtract after = refresh(request(table), snapshot, before).orElseThrow();
        assertThat(after.entryCount()).isEqualTo(1980);
        assertThat(after.written().size()).isLessThan(after.regions().size());
    }

    @Test
    void testFilesThatAreGone()
            throws IOException
    {
        String table = createTable(2);
        BuiltExtract before = build(request(table));
        long snapshot = snapshot(table);
        Set<String> files = dataFiles(table);
        getQueryRunner().execute("INSERT INTO %s SELECT x, x, 'more' FROM UNNEST(sequence(50000, 59000)) t(x)".formatted(table));
        String gone = files.iterator().next();
        extracts.table(table).newDelete().deleteFile(gone).commit();
        extracts.fileSystem().deleteFile(Location.of(gone));
        assertThat(refresh(request(table), snapshot, before)).isPresent();
    }

    @Test
    @Tag("IX-35")
    void testHotKeys()
            throws IOException
    {
        for (HotKeys hotKeys : HotKeys.values()) {
            String table = tables.createTable("id bigint, k bigint, note varchar", "format_version = 2");
            insertHot(table, 1, 10_000);
            insertHot(table, 10_001, 20_000);
            ExtractRequest request = TestingExtracts.with(request(table), extracts.fileSystem(), hotKeys);
            BuiltExtract before = build(request);
            long snapshot = snapshot(table);
            getQueryRunner().execute("DELETE FROM %s WHERE id = 4000".formatted(table));
            insertHot(table, 20_001, 20_100);
            ExtractRequest later = TestingExtracts.with(request(table), extracts.fileSystem(), hotKeys);
            BuiltExtract after = refreshOnly(later, new BaseExtract(snapshot, later.schema(), trackedRegions(later.schema(), before)));
            assertThat(after.entryCount()).isEqualTo(before.entryCount() + 99);
            // Entries of one key may stand in any order
            assertThat(extracts.read(later, after.regions())).containsExactlyInAnyOrderElementsOf(extracts.read(later, build(later).regions()));
            if (hotKeys == HotKeys.SPLIT) {
                // Where the row of the hot key stood, and where the new ones come in
                assertThat(after.written().size()).isLessThan(after.regions().size());
            }
        }
    }

    private void insertHot(String table, int from, int to)
    {
        getQueryRunner().execute("INSERT INTO %s SELECT x, IF(x %% 2 = 0, 77, x %% 211), 'h' FROM UNNEST(sequence(%s, %s)) t(x)".formatted(table, from, to));
    }

    @Test
    void testPromotedColumns()
            throws IOException
    {
        String table = tables.createTable("id bigint, k integer, note real", "format_version = 2");
        getQueryRunner().execute("INSERT INTO %s SELECT x, x %% 997, x FROM UNNEST(sequence(1, 3000)) t(x)".formatted(table));
        BuiltExtract before = build(request(table));
        RegionSchema schema = request(table).schema();
        long snapshot = snapshot(table);
        getQueryRunner().execute("ALTER TABLE %s ALTER COLUMN k SET DATA TYPE bigint".formatted(table));
        getQueryRunner().execute("ALTER TABLE %s ALTER COLUMN note SET DATA TYPE double".formatted(table));
        getQueryRunner().execute("INSERT INTO %s VALUES (5000, 5000000000, 1e0), (5001, 5, 2e300)".formatted(table));
        BuiltExtract after = refresh(request(table), new BaseExtract(snapshot, schema, trackedRegions(schema, before))).orElseThrow();
        assertThat(after.written().size()).isLessThan(after.regions().size());
        assertThat(after.regions().getFirst().stats().get(schema.keyFieldIds().getFirst()).groupMax().orElseThrow()).isInstanceOf(Long.class);
    }

    @Test
    void testRowLineage()
            throws IOException
    {
        String table = tables.createTable("id bigint, k bigint", "format_version = 2");
        getQueryRunner().execute("INSERT INTO %s SELECT x, x FROM UNNEST(sequence(1, 1000)) t(x)".formatted(table));
        ExtractRequest request = lineageRequest(table);
        BuiltExtract before = build(request);
        long snapshot = snapshot(table);
        // Rows get IDs now, all of them
        getQueryRunner().execute("ALTER TABLE %s SET PROPERTIES format_version = 3".formatted(table));
        getQueryRunner().execute("INSERT INTO %s SELECT x, x FROM UNNEST(sequence(1001, 4000)) t(x)".formatted(table));
        BuiltExtract between = refresh(lineageRequest(table), snapshot, before).orElseGet(() -> build(lineageRequest(table)));
        snapshot = snapshot(table);
        getQueryRunner().execute("UPDATE %s SET k = 7 WHERE id = 5".formatted(table));
        assertThat(refresh(lineageRequest(table), snapshot, between)).isPresent();
    }

    private ExtractRequest lineageRequest(String table)
    {
        return extracts.request(table, ImmutableList.of("k"), ImmutableList.of("id", "_row_id", "_last_updated_sequence_number", "_spec_id"), REGION_SIZE);
    }

    @Test
    void testWhatCannotBeReused()
            throws IOException
    {
        String table = createTable(2);
        BuiltExtract before = build(request(table));
        long snapshot = snapshot(table);
        getQueryRunner().execute("ALTER TABLE %s EXECUTE optimize".formatted(table));
        assertThatThrownBy(() -> refreshOnly(request(table), base(table, snapshot, before)))
                .isInstanceOf(NotReusableException.class)
                .hasMessageContaining("rows are in files that came or went");

        // An extract that lacks a row which was removed
        String another = createTable(2);
        BuiltExtract complete = build(request(another));
        BuiltExtract incomplete = new BuiltExtract(complete.regions().subList(1, complete.regions().size()), ImmutableList.of(), 1, 0);
        long anotherSnapshot = snapshot(another);
        getQueryRunner().execute("DELETE FROM %s WHERE k IS NULL OR k < 10".formatted(another));
        assertThatThrownBy(() -> refreshOnly(request(another), base(another, anotherSnapshot, incomplete)))
                .isInstanceOf(NotReusableException.class)
                .hasMessageContaining("rows were removed from the table, and it has entries of 0 of them");
    }

    private String createTable(int version)
    {
        String table = tables.createTable("id bigint, k bigint, note varchar", "format_version = %s".formatted(version));
        insert(table, 0, 15_000);
        insert(table, 15_000, 30_000);
        return table;
    }

    private void insert(String table, int from, int to)
    {
        getQueryRunner().execute(("INSERT INTO %s SELECT x, nullif(x * 7919 %% 10007, 5), 'n' || cast(x %% 10 AS varchar) " +
                "FROM (SELECT a * 1000 + b x FROM UNNEST(sequence(%s, %s)) t(a), UNNEST(sequence(0, 999)) u(b))").formatted(table, from / 1000, to / 1000 - 1));
    }

    private ExtractRequest request(String table)
    {
        return extracts.request(table, ImmutableList.of("k"), ImmutableList.of("id", "note"), REGION_SIZE);
    }

    private long snapshot(String table)
    {
        return extracts.table(table).currentSnapshot().snapshotId();
    }

    private Set<String> dataFiles(String table)
    {
        return computeActual("SELECT file_path FROM \"%s$files\" WHERE content = 0".formatted(table)).getOnlyColumnAsSet().stream()
                .map(String.class::cast)
                .collect(toImmutableSet());
    }

    private static List<String> locations(List<RegionFile> regions)
    {
        return regions.stream().map(region -> region.file().location()).toList();
    }

    private BuiltExtract build(ExtractRequest request)
    {
        return extracts.builder(TestingExtracts.config(spillPath)).build(request, new BuildProgress());
    }

    private BaseExtract base(String table, long snapshot, BuiltExtract extract)
    {
        RegionSchema schema = request(table).schema();
        return new BaseExtract(snapshot, schema, trackedRegions(schema, extract));
    }

    private Optional<BuiltExtract> refresh(ExtractRequest request, long snapshot, BuiltExtract before)
            throws IOException
    {
        return refresh(request, new BaseExtract(snapshot, request.schema(), trackedRegions(request.schema(), before)));
    }

    private BuiltExtract refreshOnly(ExtractRequest request, BaseExtract base)
    {
        return extracts.builder(TestingExtracts.config(spillPath)).refresh(request, base, new BuildProgress());
    }

    /// Empty if the extract cannot be reused; else it is compared with the one that is built in full.
    private Optional<BuiltExtract> refresh(ExtractRequest request, BaseExtract base)
            throws IOException
    {
        BuiltExtract after;
        try {
            after = refreshOnly(request, base);
        }
        catch (NotReusableException e) {
            return Optional.empty();
        }
        assertThat(extracts.read(request, after.regions())).isEqualTo(extracts.read(request, build(request).regions()));
        assertThat(locations(after.regions())).containsAll(locations(after.written()));
        return Optional.of(after);
    }

    private static TrackedRegions trackedRegions(RegionSchema schema, BuiltExtract extract)
    {
        return new TrackedRegions(
                extract.regions().stream()
                        .map(region -> new TrackingEntry(region.file(), region.stats(), Optional.empty()))
                        .toList(),
                KeyEncoding.of(schema.keyFieldIds().stream().map(schema::type).toList()),
                schema.keyFieldIds());
    }
}
