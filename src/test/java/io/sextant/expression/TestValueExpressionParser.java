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

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableList;
import io.sextant.expression.ValueExpression.Apply;
import io.sextant.expression.ValueExpression.Literal;
import io.sextant.expression.ValueExpression.Reference;
import io.sextant.expression.ValueExpression.Unrecognized;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class TestValueExpressionParser
{
    private static final ObjectMapper MAPPER = new ObjectMapper();

    @Test
    void testLiterals()
    {
        assertThat(parse("5")).isEqualTo(new Literal(json("5"), Optional.empty()));
        assertThat(parse("\"a\"")).isEqualTo(new Literal(json("\"a\""), Optional.empty()));
        assertThat(parse("{'type':'literal','value':5}")).isEqualTo(new Literal(json("5"), Optional.empty()));
        assertThat(parse("{'type':'literal','value':'2017-08-18','data-type':'date'}")).isEqualTo(new Literal(json("'2017-08-18'"), Optional.of(Types.DateType.get())));
    }

    @Test
    void testReferenceById()
    {
        assertThat(parse("{'type':'reference','id':7}")).isEqualTo(new Reference(7));
    }

    @Test
    @Tag("IX-21")
    void testReferenceByNameIsRefused()
    {
        assertThatThrownBy(() -> parse("{'type':'reference','name':'user_id'}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the expression refers to a field by name instead of by ID: \"user_id\"");
        assertThatThrownBy(() -> parse("{'type':'apply','function':'f','arguments':[{'type':'reference','name':'user_id'}]}"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void testFunctionNames()
    {
        assertThat(parse("{'type':'apply','function':'f','arguments':[]}"))
                .isEqualTo(new Apply(new FunctionName(Optional.empty(), ImmutableList.of("f")), ImmutableList.of()));
        assertThat(parse("{'type':'apply','function':['ns','f'],'arguments':[]}"))
                .isEqualTo(new Apply(new FunctionName(Optional.empty(), ImmutableList.of("ns", "f")), ImmutableList.of()));
        assertThat(parse("{'type':'apply','function':{'identifier':['f']},'arguments':[]}"))
                .isEqualTo(new Apply(new FunctionName(Optional.empty(), ImmutableList.of("f")), ImmutableList.of()));
        assertThat(parse("{'type':'apply','function':{'catalog':'trino','identifier':['lower']},'arguments':[{'type':'reference','id':3}]}"))
                .isEqualTo(new Apply(new FunctionName(Optional.of("trino"), ImmutableList.of("lower")), ImmutableList.of(new Reference(3))));
    }

    @Test
    void testWhatIsNotUnderstoodIsKept()
    {
        for (String text : List.of(
                "[1]",
                "{}",
                "{'type':5}",
                "{'type':'is-null','child':{'type':'reference','id':3}}",
                "{'type':'literal'}",
                "{'type':'literal','value':5,'data-type':'money'}",
                "{'type':'literal','value':5,'unit':'m'}",
                "{'type':'reference','id':3,'name':'a'}",
                "{'type':'reference','id':3,'version':2}",
                "{'type':'reference','id':'3'}",
                "{'type':'reference','id':3000000000}",
                "{'type':'apply','function':'f'}",
                "{'type':'apply','function':'f','arguments':[],'distinct':true}",
                "{'type':'apply','function':5,'arguments':[]}",
                "{'type':'apply','function':[],'arguments':[]}",
                "{'type':'apply','function':[5],'arguments':[]}",
                "{'type':'apply','function':{'catalog':5,'identifier':['f']},'arguments':[]}",
                "{'type':'apply','function':{'catalog':'c','identifier':['f'],'version':1},'arguments':[]}")) {
            assertThat(parse(text)).as(text).isEqualTo(new Unrecognized(json(text)));
            assertThat(ValueExpressionParser.toJson(parse(text))).as(text).isEqualTo(json(text));
        }
    }

    @Test
    void testWrite()
    {
        String text = "{'type':'apply','function':{'catalog':'iceberg_functions','identifier':['bucket']},'arguments':[" +
                "{'type':'literal','value':16,'data-type':'int'}," +
                "{'type':'apply','function':{'identifier':['ns','f']},'arguments':[5,{'type':'reference','id':1}]}]}";
        assertThat(ValueExpressionParser.toJson(parse(text)).toString()).isEqualTo(text.replace('\'', '"'));
        assertThat(ValueExpressionParser.toJson(parse("{'type':'literal','value':[1]}")).toString()).isEqualTo("{\"type\":\"literal\",\"value\":[1]}");
    }

    @Test
    @Tag("IX-21")
    void testReferencedFields()
    {
        assertThat(parse("{'type':'apply','function':'f','arguments':[1,{'type':'reference','id':3},{'type':'apply','function':'g','arguments':[{'type':'reference','id':4},{'type':'reference','id':3}]}]}").referencedFieldIds())
                .containsExactlyInAnyOrder(3, 4);
        assertThat(parse("5").referencedFieldIds()).isEmpty();
    }

    private static ValueExpression parse(String text)
    {
        return ValueExpressionParser.fromJson(json(text));
    }

    private static JsonNode json(String text)
    {
        try {
            return MAPPER.readTree(text.replace('\'', '"'));
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
