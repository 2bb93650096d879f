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
package io.sextant.enforcement;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.airlift.json.JsonCodec;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;

import java.util.List;
import java.util.Map;

import static io.airlift.json.JsonCodec.jsonCodec;

/// What one page sink has found out about its rows.
///
/// @param violations rows that break a check, or key hashes that more than one row has, by constraint ID
/// @param suspects some of these hashes: of two keys with one hash neither may be repeated
public record ValidationPart(long rows, Map<Integer, Long> violations, List<Long> suspects)
{
    private static final JsonCodec<ValidationPart> CODEC = jsonCodec(ValidationPart.class);

    public ValidationPart
    {
        violations = ImmutableMap.copyOf(violations);
        suspects = ImmutableList.copyOf(suspects);
    }

    static ValidationPart fromFragment(Slice fragment)
    {
        return CODEC.fromJson(fragment.getBytes());
    }

    Slice toFragment()
    {
        return Slices.wrappedBuffer(CODEC.toJsonBytes(this));
    }
}
