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
package io.sextant.expression.vector;

import com.google.common.collect.ImmutableList;
import io.trino.spi.Page;
import io.trino.spi.block.Block;
import org.apache.iceberg.types.Types.NestedField;
import org.apache.iceberg.types.Types.StructType;

import java.util.List;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static io.trino.spi.block.RowBlock.getRowFieldsFromBlock;

/// Where a field is found in pages whose channels are the columns of a schema: the position of a column, then of each field in
/// its struct.
public record FieldPath(List<Integer> positions)
{
    public FieldPath
    {
        positions = ImmutableList.copyOf(positions);
        checkArgument(!positions.isEmpty(), "positions is empty");
    }

    /// Empty if the struct has no such field, or only inside a list or a map, so that a row has no single value of it.
    public static Optional<FieldPath> find(StructType struct, int fieldId)
    {
        List<Integer> positions = positions(struct, fieldId);
        return positions.isEmpty() ? Optional.empty() : Optional.of(new FieldPath(positions));
    }

    private static List<Integer> positions(StructType struct, int fieldId)
    {
        for (int i = 0; i < struct.fields().size(); i++) {
            NestedField field = struct.fields().get(i);
            if (field.fieldId() == fieldId) {
                return ImmutableList.of(i);
            }
            List<Integer> rest = field.type().isStructType() ? positions(field.type().asStructType(), fieldId) : ImmutableList.of();
            if (!rest.isEmpty()) {
                return ImmutableList.<Integer>builder().add(i).addAll(rest).build();
            }
        }
        return ImmutableList.of();
    }

    /// The values of the field.
    public Block in(Page page)
    {
        Block block = page.getBlock(positions.getFirst());
        for (int position : positions.subList(1, positions.size())) {
            // The fields of a null are null
            block = getRowFieldsFromBlock(block).get(position);
        }
        return block;
    }
}
