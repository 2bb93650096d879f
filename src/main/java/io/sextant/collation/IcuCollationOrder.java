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

import com.ibm.icu.text.RawCollationKey;
import com.ibm.icu.text.RuleBasedCollator;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;

import java.util.Arrays;

import static com.ibm.icu.text.Collator.PRIMARY;
import static java.util.Objects.requireNonNull;

/// The order of ICU's sort keys.
///
/// `compare` of ICU4J contradicts its own sort keys from the second level on: `Größe` and `Große` come the other way round. So it
/// is asked for the first level only, which decides most comparisons, and keys decide the rest.
final class IcuCollationOrder
        implements CollationOrder
{
    private final RuleBasedCollator collator;
    private final RuleBasedCollator primary;
    private final boolean primaryOnly;
    private final Trim trim;
    private final RawCollationKey buffer = new RawCollationKey();

    IcuCollationOrder(RuleBasedCollator collator, Trim trim)
    {
        this.collator = requireNonNull(collator, "collator is null");
        this.trim = requireNonNull(trim, "trim is null");
        primaryOnly = collator.getStrength() == PRIMARY && !collator.isCaseLevel();
        primary = collator.cloneAsThawed();
        primary.setStrength(PRIMARY);
        primary.setCaseLevel(false);
    }

    @Override
    public Slice key(Slice value)
    {
        return textKey(trim.apply(value).toStringUtf8());
    }

    @Override
    public int compare(CollatedValue left, CollatedValue right)
    {
        Slice leftBytes = compared(left);
        Slice rightBytes = compared(right);
        if (leftBytes.equals(rightBytes)) {
            return 0;
        }
        int result = primary.compare(text(left), text(right));
        if (result != 0 || primaryOnly) {
            return result;
        }
        return key(left).compareTo(key(right));
    }

    private Slice compared(CollatedValue value)
    {
        if (value.compared == null) {
            value.compared = trim.apply(value.value());
        }
        return value.compared;
    }

    private String text(CollatedValue value)
    {
        if (value.text == null) {
            value.text = compared(value).toStringUtf8();
        }
        return value.text;
    }

    private Slice key(CollatedValue value)
    {
        if (value.key == null) {
            value.key = textKey(text(value));
        }
        return value.key;
    }

    private Slice textKey(String text)
    {
        collator.getRawCollationKey(text, buffer);
        return Slices.wrappedBuffer(Arrays.copyOf(buffer.bytes, buffer.size));
    }
}
