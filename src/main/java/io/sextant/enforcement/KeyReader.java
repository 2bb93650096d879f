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

import io.airlift.slice.Slices;
import io.airlift.slice.XxHash64;
import io.sextant.constraint.ConstraintCondition;
import io.sextant.constraint.TableConstraint;
import io.sextant.index.key.KeyBuffer;
import io.sextant.index.key.KeyEncoding;
import io.sextant.table.DataFilePages;
import io.trino.plugin.iceberg.IcebergColumnHandle;
import io.trino.plugin.iceberg.IcebergUtil;
import io.trino.spi.TrinoException;
import io.trino.spi.block.Block;
import io.trino.spi.predicate.TupleDomain;
import io.trino.spi.type.TypeManager;
import org.apache.iceberg.DataFile;
import org.apache.iceberg.DeleteFile;
import org.apache.iceberg.Schema;
import org.apache.iceberg.transforms.Transforms;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static java.util.Objects.requireNonNull;

/// Reads the keys of live rows, encoded so that equal keys have equal bytes. A row with a null in its key has none.
/// Thread-safe.
final class KeyReader
{
    private final DataFilePages pages;
    private final Schema schema;
    private final List<Integer> fieldIds;
    private final List<IcebergColumnHandle> columns;
    private final KeyEncoding encoding;

    /// @throws TrinoException with NOT_SUPPORTED if the schema lacks a field of the key
    static KeyReader of(DataFilePages pages, Schema schema, TableConstraint constraint, ConstraintCondition.Key key, TypeManager typeManager)
    {
        if (!key.fieldIds().stream().allMatch(fieldId -> schema.findField(fieldId) != null)) {
            throw ConstraintErrors.notEvaluable(constraint, "a column of its key does not exist");
        }
        return new KeyReader(pages, schema, key.fieldIds(), typeManager);
    }

    private KeyReader(DataFilePages pages, Schema schema, Set<Integer> fieldIds, TypeManager typeManager)
    {
        this.schema = requireNonNull(schema, "schema is null");
        this.pages = requireNonNull(pages, "pages is null");
        this.fieldIds = encodedOrder(fieldIds);
        this.columns = this.fieldIds.stream()
                .map(fieldId -> IcebergUtil.getProjectedColumns(schema, typeManager, Set.of(fieldId)).getFirst())
                .collect(toImmutableList());
        this.encoding = KeyEncoding.of(this.fieldIds.stream().map(schema::findType).collect(toImmutableList()));
    }

    /// Takes a key; the buffer is lent for the time of the call.
    @FunctionalInterface
    interface KeySink
    {
        void accept(KeyBuffer key, long hash);
    }

    /// The order in which the fields of a key are encoded, since a key is a set of fields.
    static List<Integer> encodedOrder(Set<Integer> fieldIds)
    {
        return fieldIds.stream().sorted().collect(toImmutableList());
    }

    /// The fields of a key, in the order in which they are encoded.
    List<Integer> fieldIds()
    {
        return fieldIds;
    }

    List<IcebergColumnHandle> columns()
    {
        return columns;
    }

    KeyEncoding encoding()
    {
        return encoding;
    }

    void read(DataFile file, List<DeleteFile> deletes, TupleDomain<IcebergColumnHandle> predicate, KeySink sink)
    {
        KeyBuffer key = new KeyBuffer();
        Block[] blocks = new Block[columns.size()];
        pages.read(file, deletes, columns, predicate, page -> {
            for (int i = 0; i < blocks.length; i++) {
                blocks[i] = page.getBlock(i);
            }
            read(blocks, page.getPositionCount(), key, sink);
        });
    }

    private void read(Block[] blocks, int positionCount, KeyBuffer key, KeySink sink)
    {
        for (int position = 0; position < positionCount; position++) {
            key.reset();
            if (encoding.encodeNotNull(blocks, position, key)) {
                sink.accept(key, hash(key));
            }
        }
    }

    static long hash(KeyBuffer key)
    {
        return XxHash64.hash(Slices.wrappedBuffer(key.array(), 0, key.length()));
    }

    /// A key in words: `id = 5, day = 2026-01-01`
    String describe(byte[] key)
    {
        List<String> values = new ArrayList<>();
        int offset = 0;
        for (int field = 0; field < fieldIds.size(); field++) {
            values.add("%s = %s".formatted(
                    schema.findColumnName(fieldIds.get(field)),
                    Transforms.identity().toHumanString(encoding.type(field), encoding.decodeValue(field, key, offset))));
            offset = encoding.skip(field, key, offset);
        }
        return String.join(", ", values);
    }
}
