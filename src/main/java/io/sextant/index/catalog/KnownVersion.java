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
package io.sextant.index.catalog;

/// What was last found out about the current version of one index.
///
/// @param version 0 if nothing is known
/// @param checkedNanos when it was last found to have no successor
/// @param soughtNanos when it was last sought without relying on the version known before
record KnownVersion(int version, long checkedNanos, long soughtNanos)
{
    static final KnownVersion NONE = new KnownVersion(0, 0, 0);

    boolean isKnown()
    {
        return version > 0;
    }
}
