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

/// The order of a collation: total, though different strings may be equal. NOT safe for use by several threads.
///
/// Bytes that are not UTF-8 count as U+FFFD wherever strings are compared, so that every value has one place.
public interface CollationOrder
{
    /// The sort key. Compared as unsigned bytes, keys have the order of their values, and equal values have equal keys.
    /// It depends on the version of the collation, so it must not be stored without it.
    Slice key(Slice value);

    /// The same order as that of the keys, usually without computing them.
    default int compare(Slice left, Slice right)
    {
        return compare(new CollatedValue(left), new CollatedValue(right));
    }

    /// For values that are compared many times. A value remembers what was computed for this order: do not use it with another one.
    int compare(CollatedValue left, CollatedValue right);
}
