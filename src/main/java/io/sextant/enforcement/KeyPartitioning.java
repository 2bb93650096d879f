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

import com.google.common.collect.ImmutableSet;
import io.trino.spi.Page;
import io.trino.spi.connector.BucketFunction;
import io.trino.spi.connector.ConnectorBucketNodeMap;
import io.trino.spi.connector.ConnectorPartitioningHandle;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SchemaParser;
import org.apache.iceberg.types.Types.NestedField;

import java.util.List;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static io.trino.spi.connector.ConnectorBucketNodeMap.createBucketNodeMap;
import static java.util.Objects.requireNonNull;

/// Brings rows with equal keys to one page sink, and rows that have no key to any.
///
/// @param schemaJson the columns with the fields of the key
/// @param keyFieldIds empty if rows are to be spread only
public record KeyPartitioning(String schemaJson, Set<Integer> keyFieldIds)
        implements ConnectorPartitioningHandle
{
    // Enough for each of many nodes to get its share
    private static final int BUCKETS = 4096;

    public KeyPartitioning
    {
        requireNonNull(schemaJson, "schemaJson is null");
        keyFieldIds = ImmutableSet.copyOf(keyFieldIds);
    }

    public ConnectorBucketNodeMap bucketNodeMap()
    {
        return createBucketNodeMap(BUCKETS);
    }

    /// The bucket of each row.
    ///
    /// @param bucketCount of all buckets
    public BucketFunction bucketFunction(int bucketCount)
    {
        return new KeyBucketFunction(new PageKeys(schema(), keyFieldIds), !keyFieldIds.isEmpty(), bucketCount);
    }

    List<String> columnNames()
    {
        return schema().columns().stream()
                .map(NestedField::name)
                .collect(toImmutableList());
    }

    private Schema schema()
    {
        return SchemaParser.fromJson(schemaJson);
    }

    private record KeyBucketFunction(PageKeys keys, boolean hasKey, int bucketCount)
            implements BucketFunction
    {
        @Override
        public int getBucket(Page page, int position)
        {
            int[] bucket = new int[1];
            getBuckets(page, position, 1, bucket);
            return bucket[0];
        }

        @Override
        public void getBuckets(Page page, int positionOffset, int length, int[] buckets)
        {
            for (int i = 0; i < length; i++) {
                buckets[i] = (positionOffset + i) % bucketCount;
            }
            if (hasKey) {
                // By the last bits: the hashes of one sink are spilled by their first ones
                keys.hashes(page, positionOffset, positionOffset + length, (position, hash) ->
                        buckets[position - positionOffset] = Math.floorMod((int) hash, bucketCount));
            }
        }
    }
}
