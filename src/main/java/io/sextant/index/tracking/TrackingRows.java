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
package io.sextant.index.tracking;

import jakarta.annotation.Nullable;
import org.apache.iceberg.Schema;

import java.io.IOException;
import java.util.Map;
import java.util.function.Consumer;

/// The rows of a tracking file, in whichever file format.
interface TrackingRows
{
    /// The columns of the file that have field IDs, with the types that the file has.
    Schema schema();

    /// The key/value metadata of the file.
    Map<String, String> metadata();

    /// How many rows the file says it has, apart from those that can be read.
    ///
    /// @throws IOException if the file contradicts itself
    long rowCount()
            throws IOException;

    /// Reads some columns of all rows, in the order of the file.
    ///
    /// @param columns a part of [#schema()]
    void read(Schema columns, Consumer<Row> consumer)
            throws IOException;

    /// A row, valid until the next one.
    @FunctionalInterface
    interface Row
    {
        /// The value of a column, a struct or a leaf, in the Java class that Iceberg has for its type; null also if a struct
        /// around it is null. The value of a struct has no meaning but to be there.
        @Nullable
        Object value(int fieldId);
    }
}
