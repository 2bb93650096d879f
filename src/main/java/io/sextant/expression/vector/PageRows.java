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

import io.trino.spi.Page;
import org.apache.iceberg.types.Type;

import java.util.HashMap;
import java.util.Map;

import static java.util.Objects.requireNonNull;

/// The rows of a page, whose channels are the columns of a schema. Each field is read once, however often it is used.
public final class PageRows
{
    private final Page page;
    private final Map<Field, Vector> vectors = new HashMap<>();

    public PageRows(Page page)
    {
        this.page = requireNonNull(page, "page is null");
    }

    public int count()
    {
        return page.getPositionCount();
    }

    public Vector read(Field field)
    {
        return vectors.computeIfAbsent(field, this::readField);
    }

    private Vector readField(Field field)
    {
        return VectorReader.read(field.type(), field.path().in(page));
    }

    /// A column, or a field inside the structs of one.
    public record Field(Type type, FieldPath path)
    {
        public Field
        {
            requireNonNull(type, "type is null");
            requireNonNull(path, "path is null");
        }
    }
}
