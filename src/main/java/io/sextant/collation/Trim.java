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

/// Where spaces, U+0020 and nothing else, are left out before comparing.
enum Trim
{
    NONE(false, false),
    LTRIM(true, false),
    RTRIM(false, true),
    TRIM(true, true);

    private final boolean left;
    private final boolean right;

    Trim(boolean left, boolean right)
    {
        this.left = left;
        this.right = right;
    }

    /// The rest of the value, in the same memory.
    Slice apply(Slice value)
    {
        int start = 0;
        int end = value.length();
        while (right && end > start && value.getByte(end - 1) == ' ') {
            end--;
        }
        while (left && start < end && value.getByte(start) == ' ') {
            start++;
        }
        return value.slice(start, end - start);
    }
}
