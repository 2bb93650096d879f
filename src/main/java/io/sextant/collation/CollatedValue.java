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
package io.sextant.collation;

import io.airlift.slice.Slice;

import static java.util.Objects.requireNonNull;

/// A value that is compared many times under one order: its text and its key are computed once, when needed.
public final class CollatedValue
{
    private final Slice value;

    // Null until the order needs them
    Slice compared;
    String text;
    Slice key;

    public CollatedValue(Slice value)
    {
        this.value = requireNonNull(value, "value is null");
    }

    /// The value as it was given, spaces included.
    public Slice value()
    {
        return value;
    }
}
