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

/// An order of strings that is supported here. Safe to share between threads.
public interface Collation
{
    CollationName name();

    /// The version of the order, as it is recorded beside bounds. It says nothing without the name: all locales with rules of their
    /// own have one and the same.
    String version();

    /// Whether bounds that were recorded with that version are in this very order.
    boolean matchesVersion(String recorded);

    /// A new instance for one thread: it is NOT safe to share. That takes about a microsecond and some kilobytes of work space.
    CollationOrder order();
}
