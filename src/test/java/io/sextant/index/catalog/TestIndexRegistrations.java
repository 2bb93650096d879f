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

import com.google.common.collect.ImmutableMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static io.sextant.error.SextantErrorCode.INDEX_INVALID_DEFINITION;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static org.assertj.core.api.Assertions.assertThat;

final class TestIndexRegistrations
{
    private static final String UUID = "9c12d441-03fe-4693-9a96-a0705ddf69c1";
    private static final String JSON = "{\"index-uuid\":\"9c12d441-03fe-4693-9a96-a0705ddf69c1\",\"location\":\"s3://lake/t.indexes/by_user\"}";
    private static final IndexRegistration REGISTRATION = new IndexRegistration("by_user", UUID, "s3://lake/t.indexes/by_user");

    @Test
    void testProperty()
    {
        assertThat(IndexRegistrations.propertyName("by_user")).isEqualTo("sextant.index.by_user");
        assertThat(IndexRegistrations.propertyValue(REGISTRATION)).isEqualTo(JSON);
        IndexRegistrations registrations = IndexRegistrations.fromTableProperties(ImmutableMap.of("sextant.index.by_user", JSON, "write.format.default", "PARQUET"));
        assertThat(registrations.indexes()).isEqualTo(ImmutableMap.of("by_user", REGISTRATION));
        assertThat(registrations.malformed()).isEmpty();
        assertThat(registrations.find("by_user")).contains(REGISTRATION);
        assertThat(registrations.find("by_city")).isEmpty();
        assertThat(registrations.contains("by_user")).isTrue();
        assertThat(registrations.contains("by_city")).isFalse();
    }

    @Test
    @Tag("IX-03")
    void testManyIndexes()
    {
        IndexRegistrations registrations = IndexRegistrations.fromTableProperties(ImmutableMap.of(
                "sextant.index.zebra", JSON,
                "sextant.index.by_user", JSON,
                "sextant.index.by-city_2", JSON));
        assertThat(registrations.indexes().keySet()).containsExactly("by-city_2", "by_user", "zebra");
    }

    @Test
    void testUnknownFieldsAreIgnored()
    {
        String json = "{\"index-uuid\":\"" + UUID + "\",\"location\":\"s3://lake/t.indexes/by_user\",\"comment\":{\"a\":[1]}}";
        assertThat(IndexRegistrations.fromTableProperties(ImmutableMap.of("sextant.index.by_user", json)).find("by_user")).contains(REGISTRATION);
    }

    @Test
    void testMalformedPropertyIsReported()
    {
        assertMalformed("by_user", "");
        assertMalformed("by_user", "{");
        assertMalformed("by_user", "[]");
        assertMalformed("by_user", "null");
        assertMalformed("by_user", JSON + JSON);
        assertMalformed("by_user", "{\"location\":\"s3://lake/x\"}");
        assertMalformed("by_user", "{\"index-uuid\":\"" + UUID + "\"}");
        assertMalformed("by_user", "{\"index-uuid\":1,\"location\":\"s3://lake/x\"}");
        assertMalformed("by_user", "{\"index-uuid\":\"by_user\",\"location\":\"s3://lake/x\"}");
        assertMalformed("by_user", "{\"index-uuid\":\"1-1-1-1-1\",\"location\":\"s3://lake/x\"}");
        assertMalformed("by_user", "{\"index-uuid\":\"" + UUID + "\",\"location\":\"\"}");
        assertMalformed("by_user", "{\"index-uuid\":\"" + UUID + "\",\"location\":\"t.indexes/x\"}");
        assertMalformed("by_user", "{\"index-uuid\":\"" + UUID + "\",\"location\":\"s3://lake/\"}");
        assertMalformed("By_User", JSON);
        assertMalformed("", JSON);
        assertThat(IndexRegistrations.fromTableProperties(ImmutableMap.of("sextant.index.by_user", "{}")).malformed())
                .isEqualTo(ImmutableMap.of("by_user", "Table property sextant.index.by_user is malformed: no string field index-uuid"));
    }

    private static void assertMalformed(String name, String json)
    {
        IndexRegistrations registrations = IndexRegistrations.fromTableProperties(ImmutableMap.of("sextant.index." + name, json, "sextant.index.good", JSON));
        assertThat(registrations.indexes().keySet()).as(json).containsExactly("good");
        assertThat(registrations.malformed().keySet()).as(json).containsExactly(name);
        assertThat(registrations.malformed().get(name)).startsWith("Table property sextant.index.%s is malformed: ".formatted(name));
        assertThat(registrations.contains(name)).isTrue();
    }

    @Test
    void testNames()
    {
        for (String name : new String[] {"a", "by_user", "by-user", "a1", "a".repeat(128)}) {
            IndexRegistration.checkName(name);
        }
        for (String name : new String[] {"", "A", "1a", "_a", "-a", "a b", "a.b", "a/b", "..", "ä", "a\n", "a".repeat(129)}) {
            assertTrinoExceptionThrownBy(() -> IndexRegistration.checkName(name))
                    .hasErrorCode(INDEX_INVALID_DEFINITION)
                    .hasMessage("Index name '%s' is not allowed; use 1 to 128 lower-case letters, digits, underscores and hyphens, and begin with a letter".formatted(name));
        }
    }
}
