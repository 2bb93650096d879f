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
package io.sextant.index.file;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import io.trino.spi.TrinoException;
import io.trino.spi.predicate.Domain;
import io.trino.spi.predicate.TupleDomain;
import org.apache.iceberg.FileFormat;
import org.apache.iceberg.MetadataColumns;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;

import static io.sextant.error.SextantErrorCode.INDEX_CORRUPT;
import static io.sextant.error.SextantErrorCode.INDEX_STORAGE_ERROR;
import static io.sextant.error.SextantErrorCode.INDEX_UNSUPPORTED;
import static io.sextant.index.file.TestingIndexFiles.fieldIds;
import static io.trino.spi.type.BigintType.BIGINT;
import static io.trino.spi.type.DoubleType.DOUBLE;
import static io.trino.testing.assertions.TrinoExceptionAssert.assertTrinoExceptionThrownBy;
import static org.apache.iceberg.types.Types.NestedField.optional;
import static org.apache.iceberg.types.Types.NestedField.required;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class TestIndexFileReader
{
    private static final String LOCATION = "memory:///index/region.file";
    private static final Schema SCHEMA = new Schema(
            optional(1, "key", Types.LongType.get()),
            optional(2, "name", Types.StringType.get()),
            optional(3, "amount", Types.DoubleType.get()),
            required(105, "file", Types.StringType.get()),
            required(106, "pos", Types.LongType.get()));

    private static final List<FileFormat> FORMATS = ImmutableList.of(FileFormat.PARQUET, FileFormat.ORC, FileFormat.AVRO);

    private final CountingMemoryFileSystem fileSystem = new CountingMemoryFileSystem();

    @Test
    void testFilesOfOthersAreRead()
            throws IOException
    {
        for (FileFormat format : FORMATS) {
            checkFilesOfOthersAreRead(format);
        }
    }

    private void checkFilesOfOthersAreRead(FileFormat format)
            throws IOException
    {
        List<List<Object>> rows = rows(5000);
        IndexFile file = write(format, SCHEMA, rows);
        assertThat(read(IndexFileScan.of(file, SCHEMA, fieldIds(SCHEMA)))).isEqualTo(rows);
    }

    @Test
    @Tag("IX-37")
    @Tag("IX-40")
    void testColumnsAreMatchedById()
            throws IOException
    {
        for (FileFormat format : FORMATS) {
            checkColumnsAreMatchedById(format);
        }
    }

    private void checkColumnsAreMatchedById(FileFormat format)
            throws IOException
    {
        List<List<Object>> rows = rows(100);
        IndexFile file = write(format, SCHEMA, rows);
        // Two columns have changed their names, in another order
        Schema renamed = new Schema(
                required(106, "key", Types.LongType.get()),
                optional(1, "pos", Types.LongType.get()),
                optional(2, "_row_id", Types.StringType.get()));
        List<List<Object>> expected = rows.stream()
                .map(row -> Arrays.asList(row.get(4), row.get(0), row.get(1)))
                .toList();
        assertThat(read(IndexFileScan.of(file, renamed, List.of(106, 1, 2)))).isEqualTo(expected);
    }

    @Test
    void testPromotedTypesAreRead()
            throws IOException
    {
        for (FileFormat format : FORMATS) {
            checkPromotedTypesAreRead(format);
        }
    }

    private void checkPromotedTypesAreRead(FileFormat format)
            throws IOException
    {
        Schema old = new Schema(required(1, "i", Types.IntegerType.get()), required(2, "f", Types.FloatType.get()));
        IndexFile file = write(format, old, List.of(List.of(1, 1.5f), List.of(-7, -0.0f)));
        Schema wide = new Schema(optional(1, "i", Types.LongType.get()), optional(2, "f", Types.DoubleType.get()));
        assertThat(read(IndexFileScan.of(file, wide, List.of(1, 2)))).containsExactly(List.of(1L, 1.5), List.of(-7L, -0.0));

        // Of the statistics of a promoted column the connector makes nothing good
        for (TupleDomain<Integer> predicate : List.of(
                TupleDomain.withColumnDomains(ImmutableMap.of(1, Domain.singleValue(BIGINT, -7L))),
                TupleDomain.withColumnDomains(ImmutableMap.of(2, Domain.singleValue(DOUBLE, -0.0))))) {
            assertThat(read(IndexFileScan.of(file, wide, List.of(1, 2)).withPredicate(predicate))).contains(List.of(-7L, -0.0));
        }
    }

    @Test
    void testMissingColumnIsDamageUnlessOptional()
            throws IOException
    {
        for (FileFormat format : FORMATS) {
            checkMissingColumnIsDamageUnlessOptional(format);
        }
    }

    private void checkMissingColumnIsDamageUnlessOptional(FileFormat format)
            throws IOException
    {
        Schema schema = new Schema(ImmutableList.<Types.NestedField>builder().addAll(SCHEMA.columns()).add(optional(131, "key_metadata", Types.BinaryType.get())).build());
        IndexFile file = write(format, SCHEMA, rows(10));
        assertTrinoExceptionThrownBy(() -> read(IndexFileScan.of(file, schema, List.of(1, 131))))
                .hasErrorCode(INDEX_CORRUPT)
                .hasMessage("Index file %s is damaged: it has no column with field ID 131 (key_metadata); rebuild the index", LOCATION);
        assertThat(read(IndexFileScan.of(file, schema, List.of(106, 131)).withOptionalFields(ImmutableSet.of(131))))
                .hasSize(10)
                .allMatch(row -> row.get(1) == null);
    }

    @Test
    @Tag("IX-40")
    void testColumnsOfEqualNamesAreDamage()
            throws IOException
    {
        // The connector finds the pages of a column by its name in lower case
        Schema schema = new Schema(optional(1, "key", Types.LongType.get()), optional(2, "KEY", Types.LongType.get()));
        IndexFile file = write(FileFormat.PARQUET, schema, List.of(List.of(1L, 2L)));
        assertTrinoExceptionThrownBy(() -> read(IndexFileScan.of(file, schema, List.of(1))))
                .hasErrorCode(INDEX_CORRUPT)
                .hasMessage("Index file %s is damaged: it has two columns with the name key; rebuild the index", LOCATION);
    }

    @Test
    void testNullWhereNoneMayBe()
            throws IOException
    {
        for (FileFormat format : FORMATS) {
            checkNullWhereNoneMayBe(format);
        }
    }

    private void checkNullWhereNoneMayBe(FileFormat format)
            throws IOException
    {
        IndexFile file = write(format, SCHEMA, rows(10));
        Schema strict = new Schema(required(2, "name", Types.StringType.get()));
        assertTrinoExceptionThrownBy(() -> read(IndexFileScan.of(file, strict, List.of(2))))
                .hasErrorCode(INDEX_CORRUPT)
                .hasMessage("Index file %s is damaged: column name (field ID 2) has a null, and may have none; rebuild the index", LOCATION);
    }

    @Test
    void testOtherTypes()
            throws IOException
    {
        for (FileFormat format : FORMATS) {
            checkOtherTypes(format);
        }
    }

    private void checkOtherTypes(FileFormat format)
            throws IOException
    {
        IndexFile file = write(format, SCHEMA, rows(10));
        for (Type type : List.of(Types.StringType.get(), Types.IntegerType.get(), Types.DateType.get(), Types.UUIDType.get(), Types.TimestampType.withZone())) {
            Schema other = new Schema(optional(1, "key", type));
            assertThatThrownBy(() -> read(IndexFileScan.of(file, other, List.of(1))))
                    .as("%s as %s", format, type)
                    .isInstanceOf(TrinoException.class)
                    .hasMessageContaining(LOCATION)
                    .extracting(e -> ((TrinoException) e).getErrorCode())
                    .isEqualTo(INDEX_CORRUPT.toErrorCode());
        }
    }

    @Test
    void testOtherRecordCount()
            throws IOException
    {
        for (FileFormat format : FORMATS) {
            checkOtherRecordCount(format);
        }
    }

    private void checkOtherRecordCount(FileFormat format)
            throws IOException
    {
        IndexFile file = write(format, SCHEMA, rows(1000));
        for (long recordCount : List.of(0L, 999L, 1001L)) {
            IndexFile other = new IndexFile(file.location(), format, file.sizeInBytes(), recordCount);
            assertTrinoExceptionThrownBy(() -> read(IndexFileScan.of(other, SCHEMA, List.of(1))))
                    .hasErrorCode(INDEX_CORRUPT)
                    .hasMessageContaining("%s is damaged: it has", LOCATION)
                    .hasMessageContaining("that the index says".substring(5));
            if (format != FileFormat.AVRO) {
                // Rows that a predicate leaves out are not counted as they are read
                TupleDomain<Integer> predicate = TupleDomain.withColumnDomains(ImmutableMap.of(1, Domain.singleValue(BIGINT, 100L)));
                assertTrinoExceptionThrownBy(() -> read(IndexFileScan.of(other, SCHEMA, List.of(1)).withPredicate(predicate)))
                        .hasErrorCode(INDEX_CORRUPT)
                        .hasMessage("Index file %s is damaged: it has 1000 rows, the index says %s; rebuild the index", LOCATION, recordCount);
            }
        }
    }

    @Test
    void testDamage()
            throws IOException
    {
        for (FileFormat format : FORMATS) {
            checkDamage(format);
        }
    }

    private void checkDamage(FileFormat format)
            throws IOException
    {
        byte[] content = TestingFileWriters.write(format, SCHEMA, rows(20_000));
        IndexFile file = new IndexFile(LOCATION, format, content.length, 20_000);
        for (int sixteenth = 0; sixteenth < 16; sixteenth++) {
            byte[] truncated = Arrays.copyOf(content, content.length * sixteenth / 16);
            fileSystem.write(LOCATION, truncated);
            assertDamaged(file, "truncated at %s of %s bytes".formatted(truncated.length, content.length));
            assertDamaged(new IndexFile(LOCATION, format, truncated.length, 20_000), "truncated at %s of %s bytes, with that size".formatted(truncated.length, content.length));
        }

        byte[] foreign = new byte[content.length];
        new Random(7).nextBytes(foreign);
        fileSystem.write(LOCATION, foreign);
        assertDamaged(file, "foreign bytes");

        fileSystem.write(LOCATION, content);
        assertDamaged(new IndexFile(LOCATION, format, content.length + 1, 20_000), "size too large");
        assertDamaged(new IndexFile(LOCATION, format, content.length - 1, 20_000), "size too small");
        for (FileFormat otherFormat : FORMATS) {
            if (otherFormat != format) {
                assertDamaged(new IndexFile(LOCATION, otherFormat, content.length, 20_000), "read as " + otherFormat);
            }
        }
    }

    @Test
    void testDamageToFilesOfOurOwn()
    {
        byte[] content = writeColumnar(SCHEMA, rows(20_000), 4096);
        IndexFile file = new IndexFile(LOCATION, FileFormat.PARQUET, content.length, 20_000);
        for (int sixteenth = 0; sixteenth < 16; sixteenth++) {
            byte[] truncated = Arrays.copyOf(content, content.length * sixteenth / 16);
            fileSystem.write(LOCATION, truncated);
            assertDamaged(file, "truncated at %s of %s bytes".formatted(truncated.length, content.length));
            assertDamaged(new IndexFile(LOCATION, FileFormat.PARQUET, truncated.length, 20_000), "truncated at %s, with that size".formatted(truncated.length));
        }
        fileSystem.write(LOCATION, content);
        assertDamaged(new IndexFile(LOCATION, FileFormat.PARQUET, content.length + 1, 20_000), "size too large");
        assertDamaged(new IndexFile(LOCATION, FileFormat.PARQUET, content.length - 1, 20_000), "size too small");
    }

    @Test
    void testDamageWithinPages()
    {
        List<List<Object>> rows = rows(2000);
        byte[] content = writeColumnar(SCHEMA, rows, 500);
        IndexFile file = new IndexFile(LOCATION, FileFormat.PARQUET, content.length, 2000);
        int footerLength = ByteBuffer.wrap(content).order(ByteOrder.LITTLE_ENDIAN).getInt(content.length - 8);
        Random random = new Random(11);
        for (int i = 0; i < 300; i++) {
            byte[] damaged = content.clone();
            damaged[4 + random.nextInt(content.length - footerLength - 12)] ^= (byte) (1 << random.nextInt(8));
            fileSystem.write(LOCATION, damaged);
            try {
                assertThat(read(IndexFileScan.of(file, SCHEMA, fieldIds(SCHEMA)))).isEqualTo(rows);
            }
            catch (TrinoException e) {
                assertThat(e.getErrorCode()).isIn(INDEX_CORRUPT.toErrorCode(), INDEX_STORAGE_ERROR.toErrorCode());
                assertThat(e.getMessage()).contains(LOCATION);
            }
        }
    }

    @Test
    void testMissingFile()
    {
        for (FileFormat format : FORMATS) {
            checkMissingFile(format);
        }
    }

    private void checkMissingFile(FileFormat format)
    {
        assertTrinoExceptionThrownBy(() -> read(IndexFileScan.of(new IndexFile("memory:///gone", format, 1000, 1), SCHEMA, List.of(1))))
                .hasErrorCode(INDEX_STORAGE_ERROR)
                .hasMessage("Index file memory:///gone does not exist; rebuild the index");
    }

    @Test
    void testReservedFieldIdsAreRefused()
    {
        // To such a column the connector would give the path of the region file itself
        Schema schema = new Schema(MetadataColumns.FILE_PATH);
        IndexFile file = new IndexFile(LOCATION, FileFormat.PARQUET, 1000, 1);
        assertTrinoExceptionThrownBy(() -> read(IndexFileScan.of(file, schema, List.of(MetadataColumns.FILE_PATH.fieldId()))))
                .hasErrorCode(INDEX_UNSUPPORTED)
                .hasMessageContaining("reserved field ID 2147483646");
    }

    @Test
    void testReads()
    {
        List<List<Object>> rows = new ArrayList<>();
        for (long i = 0; i < 20_000; i++) {
            rows.add(List.of(i, "name", 1.0, "file", i));
        }
        byte[] content = writeColumnar(SCHEMA, rows, 4096);
        fileSystem.write(LOCATION, content);
        IndexFile file = new IndexFile(LOCATION, FileFormat.PARQUET, content.length, rows.size());
        IndexFileScan lookup = IndexFileScan.of(file, SCHEMA, List.of(1, 105, 106))
                .withPredicate(TupleDomain.withColumnDomains(ImmutableMap.of(1, Domain.singleValue(BIGINT, 10_000L))));
        IndexFileReader reader = TestingIndexFiles.newReader(fileSystem);

        fileSystem.resetCounts();
        assertThat(TestingIndexFiles.read(reader, lookup)).hasSize(4096).contains(List.of(10_000L, "file", 10_000L));
        assertThat(fileSystem.reads()).isEqualTo(2);
        assertThat(fileSystem.otherRequests()).isZero();

        fileSystem.resetCounts();
        assertThat(TestingIndexFiles.read(reader, lookup)).hasSize(4096);
        assertThat(fileSystem.reads()).isEqualTo(1);
        assertThat(fileSystem.otherRequests()).isZero();
        assertThat(fileSystem.bytesRead()).isLessThan(content.length / 3);
    }

    @Test
    @Tag("IX-40")
    void testEveryBitIsProtected()
    {
        List<List<Object>> rows = rows(64);
        byte[] content = writeColumnar(SCHEMA, rows, 32);
        IndexFile file = new IndexFile(LOCATION, FileFormat.PARQUET, content.length, rows.size());
        IndexFileScan lookup = IndexFileScan.of(file, SCHEMA, fieldIds(SCHEMA))
                .withPredicate(TupleDomain.withColumnDomains(ImmutableMap.of(1, Domain.singleValue(BIGINT, 2L))));
        List<List<Object>> expected = rows.stream()
                .filter(row -> Objects.equals(row.get(0), 2L))
                .toList();
        int detected = 0;
        for (int bit = 0; bit < content.length * 8; bit++) {
            byte[] damaged = content.clone();
            damaged[bit / 8] ^= (byte) (1 << (bit % 8));
            fileSystem.write(LOCATION, damaged);
            try {
                assertThat(read(lookup)).as("bit %s", bit).containsAll(expected);
            }
            catch (TrinoException e) {
                assertThat(e.getErrorCode()).as("bit %s", bit).isIn(INDEX_CORRUPT.toErrorCode(), INDEX_STORAGE_ERROR.toErrorCode());
                detected++;
            }
        }
        assertThat(detected).isGreaterThan(content.length * 4);
    }

    @Test
    @Tag("IX-40")
    void testFileUnderNameOfAnother()
    {
        List<List<Object>> rows = rows(10);
        ColumnarParquetWriter writer = fill(SCHEMA, rows, 10);
        byte[] content = writer.finish("other.parquet");
        fileSystem.write(LOCATION, content);
        assertTrinoExceptionThrownBy(() -> read(IndexFileScan.of(new IndexFile(LOCATION, FileFormat.PARQUET, content.length, rows.size()), SCHEMA, fieldIds(SCHEMA))))
                .hasErrorCode(INDEX_CORRUPT)
                .hasMessage("Index file %s is damaged: it is file other.parquet, under another name; rebuild the index", LOCATION);
        String moved = "memory:///elsewhere/other.parquet";
        fileSystem.write(moved, content);
        assertThat(read(IndexFileScan.of(new IndexFile(moved, FileFormat.PARQUET, content.length, rows.size()), SCHEMA, fieldIds(SCHEMA)))).isEqualTo(rows);
    }

    private void assertDamaged(IndexFile file, String description)
    {
        assertThatThrownBy(() -> read(IndexFileScan.of(file, SCHEMA, fieldIds(SCHEMA))))
                .as(description)
                .isInstanceOf(TrinoException.class)
                .hasMessageContaining(LOCATION)
                .extracting(e -> ((TrinoException) e).getErrorCode())
                .as(description)
                .isIn(INDEX_CORRUPT.toErrorCode(), INDEX_STORAGE_ERROR.toErrorCode());
    }

    private IndexFile write(FileFormat format, Schema schema, List<List<Object>> rows)
            throws IOException
    {
        byte[] content = TestingFileWriters.write(format, schema, rows);
        fileSystem.write(LOCATION, content);
        return new IndexFile(LOCATION, format, content.length, rows.size());
    }

    private List<List<Object>> read(IndexFileScan scan)
    {
        return TestingIndexFiles.read(fileSystem, scan);
    }

    private static byte[] writeColumnar(Schema schema, List<List<Object>> rows, int rowGroupSize)
    {
        return fill(schema, rows, rowGroupSize).finish();
    }

    private static ColumnarParquetWriter fill(Schema schema, List<List<Object>> rows, int rowGroupSize)
    {
        ColumnarParquetWriter writer = new ColumnarParquetWriter(schema, ImmutableSet.of(1), ImmutableMap.of(), ImmutableMap.of());
        List<Integer> fieldIds = fieldIds(schema);
        for (int row = 0; row < rows.size(); row++) {
            for (int column = 0; column < fieldIds.size(); column++) {
                writer.column(fieldIds.get(column)).append(rows.get(row).get(column));
            }
            if ((row + 1) % rowGroupSize == 0) {
                writer.endRowGroup();
            }
        }
        return writer;
    }

    private static List<List<Object>> rows(int count)
    {
        List<List<Object>> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            rows.add(Arrays.asList(
                    i < 3 ? null : (long) i / 3,
                    i % 5 == 0 ? null : "näme " + i % 100,
                    i % 7 == 0 ? null : i / 4.0,
                    "s3://bucket/table/data/" + i % 8 + ".parquet",
                    (long) i));
        }
        return rows;
    }
}
