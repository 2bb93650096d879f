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
package io.sextant.collation.metadata;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import io.sextant.collation.Collations;
import io.trino.spi.StandardErrorCode;
import io.trino.spi.TrinoException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class TestCollationsProperty
{
    private static final String VERSION = "153.136.0.0";
    private static final CollationMetric METRIC = new CollationMetric(7, "icu.en_US-ci", VERSION);
    private static final FieldCollation FIELD = new FieldCollation("icu.en_US-ci", ImmutableList.of(METRIC));
    private static final String JSON = "{\"2\":{\"collation\":\"icu.en_US-ci\",\"collation-metrics\":[{\"id\":7,\"collation\":\"icu.en_US-ci\",\"version\":\"153.136.0.0\"}]}}";

    @Test
    @Tag("CO-17")
    void testAbsentPropertyIsNoCollation()
    {
        assertThat(CollationsProperty.read(ImmutableMap.of())).isEqualTo(TableCollations.NONE);
        assertThat(CollationsProperty.readIfWellFormed(ImmutableMap.of("format", "PARQUET"))).isEqualTo(TableCollations.NONE);
        assertThat(read("{}").fields()).isEmpty();
        assertThat(CollationsProperty.toValue(TableCollations.NONE)).isEqualTo("{}");
    }

    @Test
    void testRead()
    {
        assertThat(CollationsProperty.NAME).isEqualTo("sextant.collations");
        TableCollations collations = read(JSON);
        assertThat(collations.fields()).isEqualTo(ImmutableMap.of(2, FIELD));
        assertThat(collations.find(2)).contains(FIELD);
        assertThat(collations.find(7)).isEmpty();
    }

    @Test
    void testWrite()
    {
        assertThat(CollationsProperty.toValue(TableCollations.NONE.with(2, FIELD))).isEqualTo(JSON);
    }

    @Test
    @Tag("CO-07")
    void testSeveralFields()
    {
        TableCollations collations = TableCollations.NONE
                .with(10, new FieldCollation("icu.da", ImmutableList.of(
                        new CollationMetric(12, "icu.en_USA-CS", VERSION),
                        new CollationMetric(11, "icu.da", "153.136.48.0"))))
                .with(9, new FieldCollation("spark.UTF8_LCASE", ImmutableList.of()))
                .with(2, FIELD);
        // By field ID, though 10 is less than 9 as text; metrics as they came
        String json = "{\"2\":{\"collation\":\"icu.en_US-ci\",\"collation-metrics\":[{\"id\":7,\"collation\":\"icu.en_US-ci\",\"version\":\"153.136.0.0\"}]}," +
                "\"9\":{\"collation\":\"spark.UTF8_LCASE\"}," +
                "\"10\":{\"collation\":\"icu.da\",\"collation-metrics\":[{\"id\":12,\"collation\":\"icu.en_USA-CS\",\"version\":\"153.136.0.0\"},{\"id\":11,\"collation\":\"icu.da\",\"version\":\"153.136.48.0\"}]}}";
        assertThat(CollationsProperty.toValue(collations)).isEqualTo(json);
        assertThat(read(json).fields()).isEqualTo(collations.fields());
    }

    @Test
    @Tag("CO-16")
    @Tag("CO-18")
    void testRewriteKeepsWhatIsNotUnderstood()
    {
        for (String json : List.of(
                JSON,
                "{}",
                "{\"2\":{\"collation\":\"spark.UTF8_LCASE\"}}",
                "{\"2\":{\"collation\":\"icu.zz-bogus\"}}",
                "{\"2\":{\"collation\":\"\"}}",
                "{\"2\":{\"collation\":\"utf8\"}}",
                "{\"2\":{\"comment\":{\"a\":[1.50,null,\"\u00e9\"]},\"collation\":\"icu.da\",\"strength\":2,\"collation-metrics\":[{\"id\":7,\"collation\":\"x.y\",\"version\":\"\"}]},\"3\":{\"collation\":\"icu.sv\",\"z\":12345678901234567890}}",
                "{\"2\":{\"collation\":\"a.b\",\"collation-metrics\":[{\"id\":8,\"collation\":\"a.b\",\"version\":\"1\"},{\"id\":7,\"collation\":\"a.b\",\"version\":\"1\"}]}}")) {
            // The order of keys within a field is not fixed: metrics come last
            assertThat(read(CollationsProperty.toValue(read(json)))).as(json).isEqualTo(read(json));
        }
    }

    @Test
    @Tag("CO-16")
    void testForeignKeysStayWhenTheFieldChanges()
    {
        String json = "{\"2\":{\"a\":[1.50],\"collation\":\"icu.da\",\"b\":null},\"3\":{\"collation\":\"spark.UTF8_LCASE\",\"c\":{\"d\":true}}}";
        TableCollations changed = read(json).with(2, FIELD);
        assertThat(CollationsProperty.toValue(changed)).isEqualTo(
                "{\"2\":{\"a\":[1.50],\"collation\":\"icu.en_US-ci\",\"b\":null,\"collation-metrics\":[{\"id\":7,\"collation\":\"icu.en_US-ci\",\"version\":\"153.136.0.0\"}]}," +
                        "\"3\":{\"collation\":\"spark.UTF8_LCASE\",\"c\":{\"d\":true}}}");
        assertThat(CollationsProperty.toValue(read(json).retain(fieldId -> fieldId == 3))).isEqualTo("{\"3\":{\"collation\":\"spark.UTF8_LCASE\",\"c\":{\"d\":true}}}");
        // What was read is left as it was
        assertThat(CollationsProperty.toValue(read(json))).isEqualTo(json);
    }

    @Test
    @Tag("CO-16")
    void testForeignKeysOfMetricsStay()
    {
        String json = "{\"2\":{\"collation\":\"icu.da\",\"collation-metrics\":[{\"id\":7,\"collation\":\"icu.da\",\"version\":\"1\",\"tight\":true}]}}";
        assertThat(CollationsProperty.toValue(read(json))).isEqualTo(json);
    }

    @Test
    void testEmptyMetricsAreNone()
    {
        assertThat(read("{\"2\":{\"collation\":\"icu.da\",\"collation-metrics\":[]}}").fields()).isEqualTo(ImmutableMap.of(2, new FieldCollation("icu.da", ImmutableList.of())));
        assertThat(read("{\"2\":{\"collation\":\"icu.da\",\"collation-metrics\":null}}").fields()).isEqualTo(ImmutableMap.of(2, new FieldCollation("icu.da", ImmutableList.of())));
    }

    @Test
    void testMalformed()
    {
        assertMalformed("", "not a JSON object");
        assertMalformed("[]", "not a JSON object");
        assertMalformed("null", "not a JSON object");
        assertMalformed("nonsense", "Unrecognized token");
        assertMalformed("{} {}", "Trailing token");
        assertMalformed("{'2':{'collation':'icu.da'},'2':{'collation':'icu.da'}}", "Duplicate field");
        assertMalformed("{'name':{'collation':'icu.da'}}", "not a field ID: name");
        assertMalformed("{'2.0':{'collation':'icu.da'}}", "not a field ID: 2.0");
        assertMalformed("{'':{'collation':'icu.da'}}", "not a field ID: ");
        assertMalformed("{'3000000000':{'collation':'icu.da'}}", "not a field ID: 3000000000");
        assertMalformed("{'2':'icu.da'}", "collation is not a string: ");
        assertMalformed("{'2':{}}", "collation is not a string: ");
        assertMalformed("{'2':{'collation':null}}", "collation is not a string: null");
        assertMalformed("{'2':{'collation':5}}", "collation is not a string: 5");
        assertMalformed("{'2':{'collation':'icu.da','collation-metrics':{}}}", "collation-metrics is not a list");
        assertMalformed("{'2':{'collation':'icu.da','collation-metrics':'x'}}", "collation-metrics is not a list");
        assertMalformed("{'2':{'collation':'icu.da','collation-metrics':[7]}}", "id of a metric is not an int: ");
        assertMalformed("{'2':{'collation':'icu.da','collation-metrics':[{'collation':'icu.da','version':'1'}]}}", "id of a metric is not an int: ");
        assertMalformed("{'2':{'collation':'icu.da','collation-metrics':[{'id':'7','collation':'icu.da','version':'1'}]}}", "id of a metric is not an int: \"7\"");
        assertMalformed("{'2':{'collation':'icu.da','collation-metrics':[{'id':3000000000,'collation':'icu.da','version':'1'}]}}", "id of a metric is not an int: 3000000000");
        assertMalformed("{'2':{'collation':'icu.da','collation-metrics':[{'id':7.0,'collation':'icu.da','version':'1'}]}}", "id of a metric is not an int: 7.0");
        assertMalformed("{'2':{'collation':'icu.da','collation-metrics':[{'id':0,'collation':'icu.da','version':'1'}]}}", "metric ID is not positive: 0");
        assertMalformed("{'2':{'collation':'icu.da','collation-metrics':[{'id':7,'version':'1'}]}}", "collation is not a string: ");
        assertMalformed("{'2':{'collation':'icu.da','collation-metrics':[{'id':7,'collation':'icu.da'}]}}", "version is not a string: ");
    }

    @Test
    @Tag("CO-09")
    @Tag("case-36")
    void testMetricIdsAreUnique()
    {
        String metric = "{'id':%s,'collation':'icu.da','version':'1'}";
        assertMalformed("{'2':{'collation':'icu.da','collation-metrics':[%s,%s]}}".formatted(metric.formatted(7), metric.formatted(7)), "metric ID 7 is used twice");
        assertMalformed("{'2':{'collation':'icu.da','collation-metrics':[%s]},'3':{'collation':'icu.da','collation-metrics':[%s]}}".formatted(metric.formatted(7), metric.formatted(7)), "metric ID 7 is used twice");
        assertMalformed("{'2':{'collation':'icu.da','collation-metrics':[%s]},'7':{'collation':'icu.da'}}".formatted(metric.formatted(7)), "metric ID 7 is that of a field");
        assertThatThrownBy(() -> read(JSON).with(7, new FieldCollation("icu.da", ImmutableList.of()))).hasMessage("metric ID 7 is that of a field");
    }

    /// A metric is used only by its name and version.
    @Test
    @Tag("CO-08")
    @Tag("CO-15")
    @Tag("case-28")
    void testMetricOfCollation()
    {
        FieldCollation field = new FieldCollation("icu.sv", ImmutableList.of(
                new CollationMetric(11, "icu.en_US-ci", "153.128.0.0"),
                new CollationMetric(12, "icu.en_US-ci", ""),
                new CollationMetric(13, "icu.en_US", VERSION),
                new CollationMetric(14, "icu.en_USA-as-CI", "153.136"),
                new CollationMetric(15, "icu.en_US-ci", VERSION),
                new CollationMetric(16, "spark.UTF8_LCASE", "1")));
        assertThat(field.metricOf(Collations.get("icu.en_US-ci"))).hasValueSatisfying(metric -> assertThat(metric.id()).isEqualTo(14));
        assertThat(field.metricOf(Collations.get("icu.en_US-cs"))).hasValueSatisfying(metric -> assertThat(metric.id()).isEqualTo(13));
        assertThat(field.metricOf(Collations.get("icu.en_US-ai"))).isEmpty();
        // Has the same version, but it is another order
        assertThat(field.metricOf(Collations.get("icu.en-ci"))).isEmpty();
        assertThat(field.metricOf(Collations.get("icu.sv"))).isEmpty();
        assertThat(field.metricsOfAnyVersion(Collations.get("icu.en_US-ci"))).extracting(CollationMetric::id).containsExactly(11, 12, 14, 15);
        assertThat(field.metricsOfAnyVersion(Collations.get("icu.sv"))).isEmpty();
    }

    @Test
    @Tag("CO-15")
    void testChangeOfCollationKeepsMetrics()
    {
        FieldCollation changed = FIELD.withCollation("icu.sv").withMetric(new CollationMetric(8, "icu.sv", "153.136.48.0"));
        assertThat(CollationsProperty.toValue(TableCollations.NONE.with(2, changed))).isEqualTo(
                "{\"2\":{\"collation\":\"icu.sv\",\"collation-metrics\":[{\"id\":7,\"collation\":\"icu.en_US-ci\",\"version\":\"153.136.0.0\"},{\"id\":8,\"collation\":\"icu.sv\",\"version\":\"153.136.48.0\"}]}}");
    }

    private static TableCollations read(String value)
    {
        return CollationsProperty.read(ImmutableMap.of(CollationsProperty.NAME, value));
    }

    /// Fails for one who changes collations, and is none for one who reads or writes rows.
    private static void assertMalformed(String value, String problem)
    {
        String json = value.replace('\'', '"');
        assertThatThrownBy(() -> read(json))
                .isInstanceOfSatisfying(TrinoException.class, e -> assertThat(e.getErrorCode()).isEqualTo(StandardErrorCode.INVALID_TABLE_PROPERTY.toErrorCode()))
                .hasMessageStartingWith("Table property sextant.collations is malformed; repair or remove it: ")
                .hasMessageContaining(problem);
        assertThat(CollationsProperty.readIfWellFormed(ImmutableMap.of(CollationsProperty.NAME, json))).isEqualTo(TableCollations.NONE);
    }
}
