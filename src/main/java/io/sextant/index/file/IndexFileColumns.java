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
package io.sextant.index.file;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Type.TypeID;
import org.apache.iceberg.types.TypeUtil;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

import static com.google.common.collect.ImmutableMap.toImmutableMap;
import static io.sextant.index.file.IndexFileErrors.corrupt;
import static java.util.Objects.requireNonNull;

/// What an index file says of itself.
///
/// @param types of the top-level columns by field ID; empty where the reader of the format checks types itself
/// @param recordCount rows in the file, where the format tells without reading them
/// @param metadata key/value metadata of a Parquet file, empty for other formats
/// @param rowGroups of a Parquet file of our own, empty for other files
/// @param chunks of a Parquet file of our own, none for other files
record IndexFileColumns(Map<Integer, Optional<Type>> types, OptionalLong recordCount, Map<String, String> metadata, List<RowGroupBounds> rowGroups, SealedChunks chunks)
{
    IndexFileColumns
    {
        types = ImmutableMap.copyOf(types);
        requireNonNull(recordCount, "recordCount is null");
        metadata = ImmutableMap.copyOf(metadata);
        rowGroups = ImmutableList.copyOf(rowGroups);
        requireNonNull(chunks, "chunks is null");
    }

    /// Fails if the file cannot be the one that is meant: a column is missing or has another type, or rows are missing. The
    /// connector would read a missing column as nulls.
    void check(IndexFileScan scan)
    {
        for (NestedField field : scan.fields()) {
            Optional<Type> type = types.get(field.fieldId());
            if (type == null) {
                if (!scan.optionalFieldIds().contains(field.fieldId())) {
                    throw corrupt(scan.file(), "it has no column with field ID %s (%s)".formatted(field.fieldId(), field.name()));
                }
                continue;
            }
            if (type.isPresent() && !isReadable(type.orElseThrow(), field.type())) {
                throw corrupt(scan.file(), "column %s (field ID %s) has type %s, not %s".formatted(field.name(), field.fieldId(), type.orElseThrow(), field.type()));
            }
        }
        if (recordCount.isPresent() && recordCount.getAsLong() != scan.file().recordCount()) {
            throw corrupt(scan.file(), "it has %s rows, the index says %s".formatted(recordCount.getAsLong(), scan.file().recordCount()));
        }
    }

    private static boolean isReadable(Type fileType, Type type)
    {
        if (!type.isPrimitiveType()) {
            return fileType.typeId() == type.typeId();
        }
        if (isSameInOtherWords(fileType, type)) {
            return true;
        }
        // Trino's ORC files do not tell fixed from binary
        if (type.typeId() == TypeID.FIXED && fileType.typeId() == TypeID.BINARY) {
            return true;
        }
        return TypeUtil.isPromotionAllowed(fileType, type.asPrimitiveType());
    }

    // Iceberg finds neither UUIDs nor timestamps of nanoseconds in a Parquet schema; Trino's reader does
    private static boolean isSameInOtherWords(Type fileType, Type type)
    {
        return switch (type) {
            case Types.UUIDType _ -> fileType.equals(Types.FixedType.ofLength(16));
            case Types.TimestampNanoType timestamp -> fileType instanceof Types.TimestampType fileTimestamp
                    && fileTimestamp.shouldAdjustToUTC() == timestamp.shouldAdjustToUTC();
            default -> false;
        };
    }

    /// The part of a scan's predicate by which the connector prunes rightly. It compares the statistics of a promoted column
    /// as if they had the new type, and fails or misses rows.
    TupleDomain<Integer> usablePredicate(IndexFileScan scan)
    {
        Set<Integer> fieldIds = ImmutableSet.copyOf(scan.fieldIds());
        return scan.predicate().filter((fieldId, _) -> fieldIds.contains(fieldId) && isSameType(fieldId, scan));
    }

    /// The scan cut into ranges that together have every row group that may fulfil its predicate. The connector prunes within
    /// them, but not by every type.
    List<IndexFileScan> prune(IndexFileScan scan)
    {
        Map<Integer, Domain> domains = usablePredicate(scan).getDomains().orElse(ImmutableMap.of()).entrySet().stream()
                .filter(entry -> RowGroupBounds.isNeededFor(scan.schema().asStruct().field(entry.getKey()).type()))
                .collect(toImmutableMap(Map.Entry::getKey, Map.Entry::getValue));
        if (domains.isEmpty() || rowGroups.isEmpty()) {
            return ImmutableList.of(scan);
        }
        ImmutableList.Builder<IndexFileScan> ranges = ImmutableList.builder();
        long start = -1;
        long end = -1;
        for (RowGroupBounds rowGroup : rowGroups) {
            if (rowGroup.start() < scan.start() || rowGroup.start() >= scan.start() + scan.length() || !mayFulfil(rowGroup, domains, scan)) {
                continue;
            }
            if (rowGroup.start() != end) {
                if (start >= 0) {
                    ranges.add(scan.withRange(start, end - start));
                }
                start = rowGroup.start();
            }
            end = rowGroup.end();
        }
        if (start >= 0) {
            ranges.add(scan.withRange(start, end - start));
        }
        return ranges.build();
    }

    private static boolean mayFulfil(RowGroupBounds rowGroup, Map<Integer, Domain> domains, IndexFileScan scan)
    {
        return domains.entrySet().stream()
                .allMatch(entry -> rowGroup.mayContain(entry.getKey(), scan.schema().asStruct().field(entry.getKey()).type(), entry.getValue()));
    }

    private boolean isSameType(int fieldId, IndexFileScan scan)
    {
        Optional<Type> type = types.get(fieldId);
        if (type == null || type.isEmpty()) {
            return type != null;
        }
        Type readType = scan.schema().asStruct().field(fieldId).type();
        return type.orElseThrow().equals(readType) || isSameInOtherWords(type.orElseThrow(), readType);
    }
}
