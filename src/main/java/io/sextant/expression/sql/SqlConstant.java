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
package io.sextant.expression.sql;

import java.util.Optional;

import static java.util.Objects.requireNonNull;

/// A literal of a SQL expression.
///
/// @param value empty for NULL; a number is a BigDecimal, or a Double or Float where SQL has an approximate one
/// @param text as the user wrote it
record SqlConstant(Optional<Object> value, String text)
{
    SqlConstant
    {
        requireNonNull(value, "value is null");
        requireNonNull(text, "text is null");
    }
}
