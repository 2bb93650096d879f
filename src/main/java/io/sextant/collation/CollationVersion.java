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

import com.google.common.base.CharMatcher;

import static java.util.Objects.requireNonNull;

/// The version of an order, as the provider reports it: of the collator with its data, not of the library.
///
/// ICU4C leaves out zeros at the end which ICU4J writes, so `153.136` is taken for `153.136.0.0`: they are one version in memory.
record CollationVersion(String text)
{
    // ICU 72 and 73 both report it, and place U+05F3 and U+05F4 differently
    private static final String AMBIGUOUS = "153.120.";
    private static final int PARTS = 4;

    CollationVersion
    {
        requireNonNull(text, "text is null");
    }

    /// Whether the order with that recorded version is this one. False for what is no version, and for versions that more than one order has.
    boolean matches(String recorded)
    {
        if (recorded.isEmpty() || (recorded + ".").startsWith(AMBIGUOUS)) {
            return false;
        }
        return padded(recorded).equals(padded(text));
    }

    private static String padded(String version)
    {
        int dots = CharMatcher.is('.').countIn(version);
        return version + ".0".repeat(Math.max(PARTS - 1 - dots, 0));
    }
}
