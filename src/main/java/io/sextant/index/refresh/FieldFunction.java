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

import io.trino.spi.block.Block;

import java.util.function.IntFunction;

/// How a stats-only field of the index comes from its identity columns.
@FunctionalInterface
public interface FieldFunction
{
    /// Computes the field's values for the rows of one page.
    ///
    /// @param identityColumns the block of an identity column by its ID in the extract schema
    /// @return a block of the Trino type that the Iceberg connector has for the type of the field
    Block compute(IntFunction<Block> identityColumns, int positionCount);
}
