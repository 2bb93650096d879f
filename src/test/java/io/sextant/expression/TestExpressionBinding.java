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

import com.fasterxml.jackson.databind.ObjectMapper;
import io.sextant.expression.ExpressionBinding.Bound;
import io.sextant.expression.ExpressionBinding.Unbound;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

import static org.assertj.core.api.Assertions.assertThat;

@Tag("IX-21")
final class TestExpressionBinding
{
    private static final Schema SCHEMA = new Schema(
            NestedField.required(1, "id", Types.LongType.get()),
            NestedField.required(2, "name", Types.StringType.get()),
            NestedField.required(3, "ts", Types.TimestampType.withZone()),
            NestedField.required(4, "day", Types.DateType.get()),
            NestedField.required(5, "weight", Types.DoubleType.get()),
            NestedField.optional(6, "tags", Types.ListType.ofOptional(7, Types.StringType.get())),
            NestedField.optional(8, "size", Types.StructType.of(NestedField.optional(9, "height", Types.IntegerType.get()))),
            NestedField.optional(10, "properties", Types.MapType.ofOptional(11, 12, Types.StringType.get(), Types.StringType.get())));

    @Test
    void testIcebergFunctions()
    {
        assertBound(apply("bucket", "16,{'type':'reference','id':2}"), Types.IntegerType.get());
        assertBound(apply("bucket", "{'type':'literal','value':16,'data-type':'int'},{'type':'reference','id':1}"), Types.IntegerType.get());
        assertBound(apply("truncate", "3,{'type':'reference','id':2}"), Types.StringType.get());
        assertBound(apply("truncate", "10,{'type':'reference','id':1}"), Types.LongType.get());
        assertBound(apply("identity", "{'type':'reference','id':5}"), Types.DoubleType.get());
        assertBound(apply("year", "{'type':'reference','id':3}"), Types.IntegerType.get());
        assertBound(apply("month", "{'type':'reference','id':4}"), Types.IntegerType.get());
        assertBound(apply("day", "{'type':'reference','id':3}"), Types.DateType.get());
        assertBound(apply("hour", "{'type':'reference','id':3}"), Types.IntegerType.get());
        assertBound(apply("bucket", "4," + apply("truncate", "3,{'type':'reference','id':2}")), Types.IntegerType.get());
    }

    @Test
    void testWrongArguments()
    {
        assertUnbound(apply("bucket", "{'type':'reference','id':2},16"), "first argument of function iceberg_functions.bucket is not a positive int literal");
        assertUnbound(apply("bucket", "0,{'type':'reference','id':2}"), "first argument of function iceberg_functions.bucket is not a positive int literal");
        assertUnbound(apply("bucket", ""), "first argument of function iceberg_functions.bucket is not a positive int literal");
        assertUnbound(apply("truncate", "-1,{'type':'reference','id':2}"), "first argument of function iceberg_functions.truncate is not a positive int literal");
        assertUnbound(apply("bucket", "16"), "function iceberg_functions.bucket takes 2 argument(s), not 1");
        assertUnbound(apply("year", "{'type':'reference','id':3},1"), "function iceberg_functions.year takes 1 argument(s), not 2");
        assertUnbound(apply("bucket", "16,{'type':'reference','id':5}"), "function iceberg_functions.bucket does not take a value of type double");
        assertUnbound(apply("hour", "{'type':'reference','id':4}"), "function iceberg_functions.hour does not take a value of type date");
        assertUnbound(apply("year", "{'type':'reference','id':99}"), "field 99 does not exist");
    }

    @Test
    void testTrinoFunctions()
    {
        for (String name : List.of("lower", "upper", "reverse", "trim", "ltrim", "rtrim")) {
            assertBound(trino(name, "{'type':'reference','id':2}"), Types.StringType.get());
            assertUnbound(trino(name, "{'type':'reference','id':1}"), "function trino.%s does not take a value of type long".formatted(name));
        }
        assertBound(trino("length", "{'type':'reference','id':2}"), Types.LongType.get());
        assertUnbound(trino("length", "{'type':'reference','id':1}"), "function trino.length does not take a value of type long");
        assertBound(trino("abs", "{'type':'reference','id':5}"), Types.DoubleType.get());
        assertUnbound(trino("abs", "{'type':'reference','id':1}"), "function trino.abs does not take a value of type long");
        assertBound(trino("cardinality", "{'type':'reference','id':6}"), Types.LongType.get());
        assertUnbound(trino("cardinality", "{'type':'reference','id':2}"), "function trino.cardinality does not take a value of type string");
        assertUnbound(trino("lower", "{'type':'reference','id':2},1"), "function trino.lower takes 1 argument(s), not 2");
    }

    @Test
    void testIfElse()
    {
        assertBound(apply("if_else", "true,1,2"), Types.IntegerType.get());
        assertBound(apply("if_else", "{'type':'is-null','child':{'type':'reference','id':1}},1,{'type':'reference','id':1}"), Types.LongType.get());
        assertBound(apply("if_else", "false,{'type':'literal','value':null,'data-type':'decimal(20,2)'},{'type':'literal','value':'1.50','data-type':'decimal(3,2)'}"), Types.DecimalType.of(20, 2));
        assertBound(apply("if_else", "false,null,{'type':'reference','id':2}"), Types.StringType.get());
        assertUnbound(apply("if_else", "5,1,2"), "first argument of function iceberg_functions.if_else is not a predicate");
        assertUnbound(apply("if_else", "true,1,'a'"), "types int and string have no common type");
        assertUnbound(apply("if_else", "true,1"), "function iceberg_functions.if_else takes 3 argument(s), not 2");
        assertUnbound(apply("if_else", "true,true,{'type':'not','child':true}"), "function iceberg_functions.if_else takes a value, not a predicate");
        assertUnbound(apply("year", "{'type':'not','child':true}"), "function iceberg_functions.year takes a value, not a predicate");
    }

    @Test
    @Tag("CN-16")
    void testNestedFields()
    {
        assertBound("{'type':'reference','id':9}", Types.IntegerType.get());
        assertBound("{'type':'reference','id':6}", SCHEMA.findType(6));
        assertUnbound("{'type':'reference','id':7}", "field tags.element has a value for each element of a list or map, not one for the row");
        assertUnbound("{'type':'reference','id':12}", "field properties.value has a value for each element of a list or map, not one for the row");
    }

    @Test
    void testUnknownFunctions()
    {
        assertUnbound(apply("random", ""), "function iceberg_functions.random is not known");
        assertUnbound("{'type':'apply','function':{'catalog':'trino','identifier':['soundex']},'arguments':[{'type':'reference','id':2}]}", "function trino.soundex is not known");
        // Which function a name without a catalog means is for the engine to say that wrote it
        assertUnbound("{'type':'apply','function':'bucket','arguments':[16,{'type':'reference','id':2}]}", "function bucket is not known");
        assertUnbound("{'type':'apply','function':{'catalog':'iceberg_functions','identifier':['x','bucket']},'arguments':[16,{'type':'reference','id':2}]}", "function iceberg_functions.x.bucket is not known");
        assertUnbound("{'type':'is-null','child':1}", "expression is not understood: {\"type\":\"is-null\",\"child\":1}");
    }

    @Test
    void testLiterals()
    {
        assertBound("true", Types.BooleanType.get());
        assertBound("5", Types.IntegerType.get());
        assertBound("5000000000", Types.LongType.get());
        assertBound("1.5", Types.DoubleType.get());
        assertBound("'a'", Types.StringType.get());
        assertBound("{'type':'literal','value':'12.50','data-type':'decimal(9,2)'}", Types.DecimalType.of(9, 2));
        assertUnbound("{'type':'literal','value':'12.5','data-type':'decimal(9,2)'}", "literal \"12.5\" is not of type decimal(9, 2)");
        assertUnbound("{'type':'literal','value':'zzz','data-type':'binary'}", "literal \"zzz\" is not of type binary");
        assertUnbound("null", "literal null has no data-type");
        assertUnbound("[1]", "expression is not understood: [1]");
        assertUnbound("{'type':'literal','value':[1]}", "literal [1] has no data-type");
        assertUnbound("{'type':'literal','value':1e300,'data-type':'float'}", "literal 1.0E300 is not of type float");
    }

    private static String trino(String name, String arguments)
    {
        return "{'type':'apply','function':{'catalog':'trino','identifier':['%s']},'arguments':[%s]}".formatted(name, arguments);
    }

    private static String apply(String name, String arguments)
    {
        return "{'type':'apply','function':{'catalog':'iceberg_functions','identifier':['%s']},'arguments':[%s]}".formatted(name, arguments);
    }

    private static void assertBound(String expression, Type type)
    {
        assertThat(bind(expression)).isEqualTo(new Bound(type));
    }

    private static void assertUnbound(String expression, String reason)
    {
        assertThat(bind(expression)).isEqualTo(new Unbound(reason));
    }

    private static ExpressionBinding bind(String expression)
    {
        try {
            return ExpressionBinding.bind(ValueExpressionParser.fromJson(new ObjectMapper().readTree(expression.replace('\'', '"'))), SCHEMA);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
