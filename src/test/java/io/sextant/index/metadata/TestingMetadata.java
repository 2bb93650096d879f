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
package io.sextant.index.metadata;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.google.common.collect.ImmutableList;
import com.google.common.io.Resources;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.types.Types.NestedField;

import java.io.IOException;
import java.io.UncheckedIOException;

import static com.fasterxml.jackson.databind.DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS;
import static com.fasterxml.jackson.databind.cfg.JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES;

/// Metadata files from the test resources, and small metadata to change.
final class TestingMetadata
{
    static final int FILE_ID = 2147483646;
    static final int POSITION_ID = 2147483645;

    private static final JsonMapper MAPPER = JsonMapper.builder()
            .enable(USE_BIG_DECIMAL_FOR_FLOATS)
            .disable(STRIP_TRAILING_BIGDECIMAL_ZEROES)
            .build();

    private TestingMetadata() {}

    static byte[] resource(String name)
    {
        try {
            return Resources.toByteArray(Resources.getResource(TestingMetadata.class, "v1/" + name));
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The text of a resource without the white space between its tokens.
    static String compactResource(String name)
    {
        return json(resource(name)).toString();
    }

    static JsonNode json(byte[] text)
    {
        try {
            return MAPPER.readTree(text);
        }
        catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static IndexMetadata read(String name)
    {
        return IndexMetadataParser.fromJson(name, resource(name));
    }

    /// Ordering key `user_id` (1, int), with `_file` (105) and `_pos` (106).
    static IndexMetadataBuilder usersById()
    {
        return IndexMetadata.builder()
                .indexUuid("9c12d441-03fe-4693-9a96-a0705ddf69c1")
                .tableUuid("a3f1f3c2-0f4d-4c1a-8f2b-5f0c9a1b7d11")
                .location("s3://bucket/users.indexes/by_id")
                .lastUpdatedMillis(1000)
                .identityFields(ImmutableList.of(
                        new IdentityField(1, 1),
                        new IdentityField(FILE_ID, 105),
                        new IdentityField(POSITION_ID, 106)))
                .schemas(ImmutableList.of(usersSchema(0, NestedField.required(1, "user_id", Types.IntegerType.get()))))
                .orderingKey(ImmutableList.of(1));
    }

    static Schema usersSchema(int schemaId, NestedField userId)
    {
        return new Schema(
                schemaId,
                userId,
                NestedField.required(105, "_file", Types.StringType.get()),
                NestedField.required(106, "_pos", Types.LongType.get()));
    }
}
