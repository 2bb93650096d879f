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
package io.sextant.expression;

import com.google.errorprone.annotations.FormatMethod;

/// An expression that cannot be evaluated over a schema; the message is the reason in words for a user.
final class UnboundException
        extends RuntimeException
{
    @FormatMethod
    UnboundException(String format, Object... arguments)
    {
        super(format.formatted(arguments));
    }
}
