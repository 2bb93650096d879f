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
package io.sextant.expression.sql;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sextant.expression.Predicate;
import io.sextant.expression.PredicateParser;
import io.sextant.expression.TestingRows;
import org.junit.jupiter.api.Test;

import java.io.UncheckedIOException;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

final class TestSqlPredicateFormatter
{
    private static final String X = "{'type':'reference','id':3}";
    private static final String Y = "{'type':'reference','id':4}";
    private static final String D = "{'type':'reference','id':7}";

    private final SqlPredicateFormatter formatter = new SqlPredicateFormatter(TestingRows.SCHEMA);

    @Test
    void testCheckIsShownAsItWasWritten()
    {
        for (String sql : List.of(
                "x > 0",
                "x > 0 AND x IS NOT NULL",
                "x = y",
                "x IN (1, 2)",
                "NOT (x IN (1, 2))",
                "x > 0 OR v = 'it''s'",
                "starts_with(v, 'a')",
                "NOT (d > 0.0E0)",
                "is_nan(d)",
                "s.t.b <> 'a'",
                "lower(v) = 'a'",
                "year(tz AT TIME ZONE 'UTC') >= 2020",
                "price > DECIMAL '1.50'",
                "tz >= TIMESTAMP '2020-01-01 00:00:00.000000 UTC'")) {
            assertThat(formatter.formatCheck(new SqlPredicateParser(TestingRows.SCHEMA).parseCheck(sql))).isEqualTo(sql);
        }
    }

    @Test
    void testPlainFormIsNotShownForAnotherCheck()
    {
        // The comparison alone refuses nulls, which SQL would not
        assertThat(formatter.formatCheck(parse("{'type':'gt','left':%s,'right':0}".formatted(X)))).isEqualTo("COALESCE(x > 0, false)");
        assertThat(formatter.formatCheck(parse("{'type':'or','left':{'type':'gt','left':%s,'right':0},'right':{'type':'is-null','child':%s}}".formatted(X, Y)))).isEqualTo("COALESCE(x > 0, false) OR y IS NULL");
    }

    @Test
    void testExactForms()
    {
        assertExact("{'type':'eq','left':%s,'right':%s}".formatted(X, Y), "x IS NOT DISTINCT FROM y");
        assertExact("{'type':'not-eq','left':%s,'right':'a'}".formatted("{'type':'reference','id':13}"), "v IS DISTINCT FROM 'a'");
        assertExact("{'type':'lt','left':%s,'right':%s}".formatted(X, Y), "COALESCE(x < y, false)");
        assertExact("{'type':'lt-eq','left':%s,'right':%s}".formatted(X, Y), "(COALESCE(x <= y, false) OR x IS NOT DISTINCT FROM y)");
        assertExact("{'type':'not-nan','child':%s}".formatted(D), "NOT (COALESCE(is_nan(d), false))");
        assertExact("{'type':'in','child':%s,'values':[]}".formatted(X), "false");
        assertExact("{'type':'in','child':%s,'values':['1970-01-02']}".formatted("{'type':'reference','id':18}"), "COALESCE(day IN (DATE '1970-01-02'), false)");
        assertExact("{'type':'and','left':{'type':'or','left':true,'right':false},'right':{'type':'not','child':true}}", "(true OR false) AND NOT (true)");
        assertExact(
                "{'type':'eq','left':{'type':'apply','function':{'catalog':'iceberg_functions','identifier':['bucket']},'arguments':[16,{'type':'reference','id':13}]},'right':3}",
                "bucket(v, 16) IS NOT DISTINCT FROM 3");
    }

    @Test
    void testWhatCannotBeEvaluatedIsShownToo()
    {
        assertExact("{'type':'like','left':1}", "{\"type\":\"like\",\"left\":1}");
        assertExact("{'type':'is-null','child':{'type':'reference','id':99}}", "<field 99> IS NULL");
        assertExact("{'type':'is-null','child':{'type':'apply','function':['f'],'arguments':[%s,1]}}".formatted(X), "f(x, 1) IS NULL");
    }

    private void assertExact(String json, String sql)
    {
        assertThat(formatter.format(parse(json))).isEqualTo(sql);
    }

    private static Predicate parse(String json)
    {
        try {
            return PredicateParser.fromJson(new ObjectMapper().readTree(json.replace('\'', '"')));
        }
        catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
    }
}
