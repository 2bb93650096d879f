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
import io.sextant.expression.Predicate.And;
import io.sextant.expression.Predicate.Comparison;
import io.sextant.expression.Predicate.ComparisonOperator;
import io.sextant.expression.Predicate.Constant;
import io.sextant.expression.Predicate.Membership;
import io.sextant.expression.Predicate.MembershipOperator;
import io.sextant.expression.Predicate.Not;
import io.sextant.expression.Predicate.Or;
import io.sextant.expression.Predicate.TestOperator;
import io.sextant.expression.Predicate.Unrecognized;
import io.sextant.expression.ValueExpression.Apply;
import io.sextant.expression.ValueExpression.Literal;
import io.sextant.expression.ValueExpression.Reference;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Optional;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class TestPredicateParser
{
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String FIELD = "{'type':'reference','id':3}";
    private static final Reference REFERENCE = new Reference(3);
    private static final Literal FIVE = new Literal(json("5"), Optional.empty());
    private static final Comparison EQUAL = new Comparison(ComparisonOperator.EQ, REFERENCE, FIVE);

    @Test
    void testLogic()
    {
        assertReadAndWritten("true", Constant.TRUE);
        assertReadAndWritten("false", Constant.FALSE);
        assertReadAndWritten("{'type':'not','child':true}", new Not(Constant.TRUE));
        assertReadAndWritten("{'type':'and','left':true,'right':false}", new And(Constant.TRUE, Constant.FALSE));
        assertReadAndWritten("{'type':'or','left':true,'right':{'type':'eq','left':%s,'right':5}}".formatted(FIELD), new Or(Constant.TRUE, EQUAL));
    }

    @Test
    void testTests()
    {
        assertReadAndWritten("{'type':'is-null','child':%s}".formatted(FIELD), new Predicate.Test(TestOperator.IS_NULL, REFERENCE));
        assertReadAndWritten("{'type':'not-null','child':%s}".formatted(FIELD), new Predicate.Test(TestOperator.NOT_NULL, REFERENCE));
        assertReadAndWritten("{'type':'is-nan','child':%s}".formatted(FIELD), new Predicate.Test(TestOperator.IS_NAN, REFERENCE));
        assertReadAndWritten("{'type':'not-nan','child':%s}".formatted(FIELD), new Predicate.Test(TestOperator.NOT_NAN, REFERENCE));
    }

    @Test
    void testComparisons()
    {
        for (ComparisonOperator operator : ComparisonOperator.values()) {
            String name = switch (operator) {
                case LT -> "lt";
                case LT_EQ -> "lt-eq";
                case GT -> "gt";
                case GT_EQ -> "gt-eq";
                case EQ -> "eq";
                case NOT_EQ -> "not-eq";
                case STARTS_WITH -> "starts-with";
                case NOT_STARTS_WITH -> "not-starts-with";
            };
            assertReadAndWritten("{'type':'%s','left':%s,'right':5}".formatted(name, FIELD), new Comparison(operator, REFERENCE, FIVE));
        }
    }

    @Test
    void testMemberships()
    {
        Literal date = new Literal(json("'2017-08-18'"), Optional.of(Types.DateType.get()));
        assertReadAndWritten("{'type':'in','child':%s,'values':[5]}".formatted(FIELD), new Membership(MembershipOperator.IN, REFERENCE, ImmutableList.of(FIVE)));
        assertReadAndWritten("{'type':'not-in','child':%s,'values':[]}".formatted(FIELD), new Membership(MembershipOperator.NOT_IN, REFERENCE, ImmutableList.of()));
        assertReadAndWritten(
                "{'type':'in','child':%s,'values':{'type':'literals','values':['2017-08-18','2017-08-18'],'data-type':'date'}}".formatted(FIELD),
                new Membership(MembershipOperator.IN, REFERENCE, ImmutableList.of(date, date)));
        assertReadAndWritten(
                "{'type':'in','child':%s,'values':[5,{'type':'literal','value':'2017-08-18','data-type':'date'}]}".formatted(FIELD),
                new Membership(MembershipOperator.IN, REFERENCE, ImmutableList.of(FIVE, date)));
    }

    @Test
    void testPredicateAsArgument()
    {
        assertReadAndWritten(
                "{'type':'eq','left':{'type':'apply','function':{'catalog':'iceberg_functions','identifier':['if_else']},'arguments':[{'type':'eq','left':%s,'right':5},5,true]},'right':5}".formatted(FIELD),
                new Comparison(
                        ComparisonOperator.EQ,
                        new Apply(FunctionName.icebergFunction("if_else"), ImmutableList.of(EQUAL, FIVE, new Literal(json("true"), Optional.empty()))),
                        FIVE));
    }

    @Test
    void testOlderForms()
    {
        assertReadAs("{'type':'is-null','term':%s}".formatted(FIELD), "{'type':'is-null','child':%s}".formatted(FIELD));
        assertReadAs("{'type':'lt','term':%s,'value':5}".formatted(FIELD), "{'type':'lt','left':%s,'right':5}".formatted(FIELD));
        assertReadAs("{'type':'in','term':%s,'values':[5]}".formatted(FIELD), "{'type':'in','child':%s,'values':[5]}".formatted(FIELD));
    }

    @Test
    @Tag("CN-16")
    void testReferenceByNameIsRefused()
    {
        for (String text : List.of(
                "{'type':'is-null','child':{'type':'reference','name':'x'}}",
                "{'type':'not','child':{'type':'eq','left':5,'right':{'type':'reference','name':'x'}}}",
                "{'type':'or','left':true,'right':{'type':'in','child':{'type':'reference','name':'x'},'values':[5]}}",
                "{'type':'is-null','child':{'type':'apply','function':'f','arguments':[{'type':'is-nan','child':{'type':'reference','name':'x'}}]}}",
                "{'type':'is-null','term':'x'}",
                "{'type':'eq','term':'x','value':5}",
                "{'type':'eq','term':{'type':'reference','term':'x'},'value':5}",
                "{'type':'in','term':{'type':'transform','transform':'day','term':{'type':'reference','term':'x'}},'values':[5]}")) {
            assertThatThrownBy(() -> parse(text)).as(text)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("the expression refers to a field by name instead of by ID: \"x\"");
        }
    }

    @Test
    void testWhatIsNotUnderstoodIsKept()
    {
        for (String text : List.of(
                "null",
                "5",
                "[true]",
                "{}",
                "{'type':'literal','value':true}",
                "{'type':'xor','left':true,'right':true}",
                "{'type':'not','child':true,'hint':1}",
                "{'type':'and','left':true}",
                "{'type':'is-null','left':5}",
                "{'type':'eq','left':5,'right':5,'collation':'icu.de'}",
                "{'type':'in','child':5,'values':5}",
                "{'type':'in','child':5,'values':[%s]}".formatted(FIELD),
                "{'type':'in','child':5,'values':{'type':'literals','values':[5],'data-type':'money'}}",
                "{'type':'in','child':5,'values':{'type':'literals','values':[5],'data-type':'int','sorted':true}}")) {
            assertThat(parse(text)).as(text).isEqualTo(new Unrecognized(json(text)));
            assertThat(PredicateParser.toJson(parse(text))).as(text).isEqualTo(json(text));
            String nested = "{'type':'not','child':%s}".formatted(text);
            assertThat(PredicateParser.toJson(parse(nested))).as(nested).isEqualTo(json(nested));
        }
    }

    @Test
    void testReferencedFields()
    {
        assertThat(parse("{'type':'or','left':{'type':'eq','left':{'type':'reference','id':1},'right':{'type':'reference','id':2}},'right':{'type':'not','child':{'type':'in','child':%s,'values':[5]}}}".formatted(FIELD)).referencedFieldIds())
                .containsExactlyInAnyOrder(1, 2, 3);
        assertThat(parse("{'type':'and','left':{'type':'is-null','child':{'type':'reference','id':1}},'right':false}").referencedFieldIds())
                .containsExactly(1);
        // A field may not be dropped only because it is used in a way that is not understood
        assertThat(parse("{'type':'like','left':{'type':'reference','id':1},'right':[{'type':'reference','id':2},{'type':'literal','id':7}]}").referencedFieldIds())
                .containsExactlyInAnyOrder(1, 2);
    }

    @Test
    void testDepthIsLimited()
    {
        assertThat(parse(nested(ExpressionJson.MAX_DEPTH)).referencedFieldIds()).isEmpty();
        assertThatThrownBy(() -> PredicateParser.fromJson(json(nested(ExpressionJson.MAX_DEPTH + 1))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the expression is nested more than 500 levels deep");
        assertThatThrownBy(() -> ValueExpressionParser.fromJson(json(nested(ExpressionJson.MAX_DEPTH + 1))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the expression is nested more than 500 levels deep");
    }

    private static String nested(int depth)
    {
        return "{'type':'not','child':".repeat(depth) + "true" + "}".repeat(depth);
    }

    private static void assertReadAs(String text, String written)
    {
        assertThat(parse(text)).isEqualTo(parse(written)).isNotInstanceOf(Unrecognized.class);
        assertThat(PredicateParser.toJson(parse(text))).isEqualTo(json(written));
    }

    private static void assertReadAndWritten(String text, Predicate predicate)
    {
        assertThat(parse(text)).isEqualTo(predicate);
        assertThat(PredicateParser.toJson(predicate).toString()).isEqualTo(text.replace('\'', '"'));
    }

    private static Predicate parse(String text)
    {
        return PredicateParser.fromJson(json(text));
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
