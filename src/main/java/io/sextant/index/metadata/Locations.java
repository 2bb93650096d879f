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
package io.sextant.index.metadata;

import java.util.regex.Pattern;

import static com.google.common.base.CharMatcher.is;

/// Locations in metadata: absolute if they have a URI scheme or start with a slash, else relative to the root of the index.
final class Locations
{
    private static final Pattern SCHEME = Pattern.compile("[a-zA-Z][a-zA-Z0-9+.-]*:.*", Pattern.DOTALL);

    private Locations() {}

    static boolean isAbsolute(String location)
    {
        return location.startsWith("/") || SCHEME.matcher(location).matches();
    }

    static String resolve(String root, String location)
    {
        return isAbsolute(location) ? location : is('/').trimTrailingFrom(root) + "/" + location;
    }
}
