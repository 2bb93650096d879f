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
package io.sextant.index.scan;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.sextant.index.file.FieldStats;
import io.sextant.index.file.IndexFile;
import io.sextant.index.key.KeyEncoding;
import io.sextant.index.tracking.TrackedRegions;
import io.sextant.index.tracking.TrackingEntry;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.Range;
import io.trino.spi.predicate.ValueSet;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.TreeSet;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.spi.type.BigintType.BIGINT;
import static org.assertj.core.api.Assertions.assertThat;

final class TestRegionSelection
{
    private static final int FIELD = 1;
    private static final Schema SCHEMA = new Schema(NestedField.optional(FIELD, "k", Types.LongType.get()));

    @Test
    @Tag("IX-35")
    void testEveryRegionWithAMatchIsSelected()
    {
        Random random = new Random(20);
        for (int round = 0; round < 2000; round++) {
            List<List<Long>> regions = randomRegions(random);
            Domain domain = randomDomain(random);
            RegionSelection selection = select(regions, domain);
            List<String> selected = selection.regions().stream().map(region -> region.file().location()).collect(toImmutableList());
            for (int region = 0; region < regions.size(); region++) {
                if (regions.get(region).stream().anyMatch(domain::includesNullableValue)) {
                    assertThat(selected).as("%s in %s", domain, regions).contains("region-" + region);
                }
            }
            assertThat(selection.totalRegions()).isEqualTo(regions.size());
        }
    }

    @Test
    void testOneKeyMayFillSeveralRegions()
    {
        List<List<Long>> regions = ImmutableList.of(ImmutableList.of(1L, 5L), ImmutableList.of(5L, 5L), ImmutableList.of(5L, 9L), ImmutableList.of(10L));
        assertThat(select(regions, Domain.singleValue(BIGINT, 5L)).regions()).hasSize(3);
    }

    @Test
    void testPointReadsOneRegionAndAGapNone()
    {
        List<List<Long>> regions = ImmutableList.of(ImmutableList.of(1L, 10L), ImmutableList.of(20L, 30L));
        assertThat(select(regions, Domain.singleValue(BIGINT, 10L)).regions()).extracting(region -> region.file().location()).containsExactly("region-0");
        assertThat(select(regions, Domain.singleValue(BIGINT, 15L)).regions()).isEmpty();
        assertThat(select(regions, Domain.singleValue(BIGINT, 31L)).regions()).isEmpty();
        assertThat(select(regions, Domain.onlyNull(BIGINT)).regions()).isEmpty();
    }

    @Test
    void testEstimateFollowsTheShareOfTheKeySpace()
    {
        List<Long> even = new ArrayList<>();
        for (long key = 0; key < 10_000; key++) {
            even.add(key);
        }
        List<List<Long>> regions = ImmutableList.of(ImmutableList.of(-1L), even);
        Domain tenth = Domain.create(ValueSet.ofRanges(Range.range(BIGINT, 1000L, true, 2000L, false)), false);
        assertThat(select(regions, tenth).estimatedEntries()).isBetween(900.0, 1100.0);
        assertThat(select(regions, Domain.singleValue(BIGINT, 77L)).estimatedEntries()).isBetween(1.0, 10.0);
    }

    private static RegionSelection select(List<List<Long>> regions, Domain domain)
    {
        ColumnRanges ranges = ColumnRanges.of(Types.LongType.get(), domain).orElseThrow();
        List<TrackingEntry> entries = new ArrayList<>();
        for (int region = 0; region < regions.size(); region++) {
            entries.add(entry("region-" + region, regions.get(region)));
        }
        TrackedRegions tracked = new TrackedRegions(entries, KeyEncoding.of(ImmutableList.of(Types.LongType.get())), ImmutableList.of(FIELD));
        return RegionSelection.select(tracked, ranges.ranges(), ImmutableMap.of(FIELD, ranges), SCHEMA);
    }

    private static TrackingEntry entry(String location, List<Long> keys)
    {
        List<Long> values = keys.stream().filter(key -> key != null).toList();
        FieldStats stats = new FieldStats(
                values.stream().findFirst().map(Object.class::cast),
                values.isEmpty() ? Optional.empty() : Optional.of(values.getLast()),
                Optional.ofNullable(keys.getLast()),
                true,
                OptionalLong.of(keys.size()),
                OptionalLong.of(keys.size() - values.size()),
                OptionalLong.empty(),
                OptionalInt.empty());
        return new TrackingEntry(new IndexFile(location, FileFormat.PARQUET, 100, keys.size()), ImmutableMap.of(FIELD, stats), Optional.empty());
    }

    /// Keys in index order, nulls first, cut into regions at random places, also inside a key.
    private static List<List<Long>> randomRegions(Random random)
    {
        List<Long> keys = new ArrayList<>();
        int nulls = random.nextInt(3);
        for (int i = 0; i < nulls; i++) {
            keys.add(null);
        }
        random.longs(1 + random.nextInt(30), -20, 20).sorted().forEach(keys::add);
        TreeSet<Integer> cuts = new TreeSet<>();
        for (int cut = 0; cut < random.nextInt(6); cut++) {
            cuts.add(1 + random.nextInt(keys.size()));
        }
        cuts.add(keys.size());
        List<List<Long>> regions = new ArrayList<>();
        int start = 0;
        for (int cut : cuts) {
            regions.add(keys.subList(start, cut));
            start = cut;
        }
        return regions;
    }

    private static Domain randomDomain(Random random)
    {
        List<Range> ranges = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(3); i++) {
            long low = random.nextLong(-25, 25);
            ranges.add(switch (random.nextInt(4)) {
                case 0 -> Range.equal(BIGINT, low);
                case 1 -> Range.greaterThan(BIGINT, low);
                case 2 -> Range.lessThanOrEqual(BIGINT, low);
                default -> Range.range(BIGINT, low, random.nextBoolean(), low + random.nextLong(1, 11), random.nextBoolean());
            });
        }
        Domain domain = Domain.create(ValueSet.ofRanges(ranges), random.nextInt(4) == 0);
        return domain.isAll() ? Domain.notNull(BIGINT) : domain;
    }
}
