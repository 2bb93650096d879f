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
package io.sextant.function;

import com.ibm.icu.text.Collator;
import com.ibm.icu.text.RawCollationKey;
import com.ibm.icu.text.RuleBasedCollator;
import com.ibm.icu.util.ULocale;
import io.airlift.slice.Slice;
import io.airlift.slice.Slices;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.runner.RunnerException;

import java.util.Random;

import static io.trino.jmh.Benchmarks.benchmark;
import static java.util.concurrent.TimeUnit.NANOSECONDS;

/// Nanoseconds to compute one sort key: by the function, and by ICU4J alone from a string that is there already.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(NANOSECONDS)
@Fork(1)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
public class BenchmarkCollationKey
{
    private static final int VALUES = 8192;

    @Param({"icu.root", "icu.en_US-ci", "icu.de-ci-ai", "icu.sv"})
    private String collation;

    @Param({"ascii", "accented"})
    private String alphabet;

    private final CollationKeyFunction function = new CollationKeyFunction();
    private final RawCollationKey rawKey = new RawCollationKey();
    private Slice collationName;
    private RuleBasedCollator collator;
    private String[] strings;
    private Slice[] slices;

    @Setup
    public void setup()
    {
        collationName = Slices.utf8Slice(collation);
        String locale = collation.substring("icu.".length()).split("-", 2)[0];
        collator = ((RuleBasedCollator) Collator.getInstance(locale.equals("root") ? ULocale.ROOT : new ULocale(locale))).cloneAsThawed();
        if (collation.endsWith("-ci")) {
            collator.setStrength(Collator.SECONDARY);
        }
        if (collation.endsWith("-ai")) {
            collator.setStrength(Collator.PRIMARY);
        }
        String letters = alphabet.equals("ascii") ? "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLM '-" : "aeiounsßäöüéèñçåøABCDÄÖÜÉÑ '-";
        Random random = new Random(42);
        strings = new String[VALUES];
        slices = new Slice[VALUES];
        for (int i = 0; i < VALUES; i++) {
            StringBuilder text = new StringBuilder();
            int length = 8 + random.nextInt(17);
            while (text.length() < length) {
                text.append(letters.charAt(random.nextInt(letters.length())));
            }
            strings[i] = text.toString();
            slices[i] = Slices.utf8Slice(strings[i]);
        }
    }

    @Benchmark
    @OperationsPerInvocation(VALUES)
    public long function()
    {
        long bytes = 0;
        for (Slice value : slices) {
            bytes += function.collationKey(value, collationName).length();
        }
        return bytes;
    }

    @Benchmark
    @OperationsPerInvocation(VALUES)
    public long icu()
    {
        long bytes = 0;
        for (String value : strings) {
            bytes += collator.getRawCollationKey(value, rawKey).size;
        }
        return bytes;
    }

    static void main()
            throws RunnerException
    {
        benchmark(BenchmarkCollationKey.class).run();
    }
}
