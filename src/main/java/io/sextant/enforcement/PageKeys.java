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

import io.sextant.expression.vector.FieldPath;
import io.sextant.index.key.KeyBuffer;
import io.sextant.index.key.KeyEncoding;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import org.apache.iceberg.Schema;

import java.util.List;
import java.util.Set;

import static com.google.common.collect.ImmutableList.toImmutableList;

/// The keys of rows in pages whose channels are the columns of a schema, encoded like those of a [KeyReader]. Thread-safe.
final class PageKeys
{
    private final List<FieldPath> fields;
    private final KeyEncoding encoding;

    /// @param fieldIds of fields that the schema has
    PageKeys(Schema schema, Set<Integer> fieldIds)
    {
        List<Integer> order = KeyReader.encodedOrder(fieldIds);
        this.fields = order.stream()
                .map(fieldId -> FieldPath.find(schema.asStruct(), fieldId).orElseThrow())
                .collect(toImmutableList());
        this.encoding = KeyEncoding.of(order.stream().map(schema::findType).collect(toImmutableList()));
    }

    /// Gives the hash of each row from one position to another.
    ///
    /// @param sink is not given rows that have no key
    void hashes(Page page, int from, int to, HashSink sink)
    {
        Block[] blocks = fields.stream()
                .map(field -> field.in(page))
                .toArray(Block[]::new);
        KeyBuffer key = new KeyBuffer();
        for (int position = from; position < to; position++) {
            key.reset();
            if (encoding.encodeNotNull(blocks, position, key)) {
                sink.accept(position, KeyReader.hash(key));
            }
        }
    }

    @FunctionalInterface
    interface HashSink
    {
        void accept(int position, long hash);
    }
}
