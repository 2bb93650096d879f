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
package io.sextant.testing;

import com.google.common.collect.Multiset;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.trino.Session;
import io.trino.testing.QueryRunner;

import static com.google.common.collect.ImmutableMultiset.toImmutableMultiset;
import static io.trino.filesystem.tracing.FileSystemAttributes.FILE_LOCATION;
import static java.util.Objects.requireNonNull;

/// The file operations of single statements, taken from the spans of Trino's traced file systems.
///
/// Statements must run one after the other, or their operations cannot be told apart.
public final class FileAccess
{
    private final QueryRunner queryRunner;

    public FileAccess(QueryRunner queryRunner)
    {
        this.queryRunner = requireNonNull(queryRunner, "queryRunner is null");
    }

    /// Runs a statement. What a metastore in files does for itself is left out, since real metastores keep no files.
    public Multiset<FileOperation> of(Session session, String sql)
    {
        queryRunner.execute(session, sql);
        return queryRunner.getSpans().stream()
                .filter(span -> span.getAttributes().get(FILE_LOCATION) != null)
                .map(FileAccess::operation)
                .filter(operation -> operation.kind() != FileKind.METASTORE)
                .collect(toImmutableMultiset());
    }

    /// The operations on one kind of file.
    public static Multiset<FileOperation> on(FileKind kind, Multiset<FileOperation> operations)
    {
        return operations.stream()
                .filter(operation -> operation.kind() == kind)
                .collect(toImmutableMultiset());
    }

    private static FileOperation operation(SpanData span)
    {
        return new FileOperation(FileKind.of(requireNonNull(span.getAttributes().get(FILE_LOCATION))), span.getName());
    }

    /// One call of the file system on one file.
    ///
    /// @param operation a method of Trino's file system, such as `InputFile.newStream` or `Input.readTail`
    public record FileOperation(FileKind kind, String operation)
    {
        public FileOperation
        {
            requireNonNull(kind, "kind is null");
            requireNonNull(operation, "operation is null");
        }
    }

    public enum FileKind
    {
        DATA,
        MANIFEST,
        MANIFEST_LIST,
        TABLE_METADATA,
        STATISTICS,
        INDEX_METADATA,
        INDEX_TRACKING,
        INDEX_REGION,
        METASTORE;

        static FileKind of(String location)
        {
            String name = location.substring(location.lastIndexOf('/') + 1);
            if (location.contains(".indexes/")) {
                return ofIndex(name);
            }
            if (name.endsWith(".metadata.json")) {
                return TABLE_METADATA;
            }
            if (name.endsWith(".avro") && location.contains("/metadata/")) {
                return name.startsWith("snap-") ? MANIFEST_LIST : MANIFEST;
            }
            if (name.endsWith(".stats")) {
                return STATISTICS;
            }
            if (location.contains("/data/")) {
                return DATA;
            }
            if (location.contains("/.trino") || name.startsWith(".") || !name.contains(".")) {
                return METASTORE;
            }
            throw new IllegalArgumentException("What is this file: " + location);
        }

        private static FileKind ofIndex(String name)
        {
            if (name.startsWith("tracking-")) {
                return INDEX_TRACKING;
            }
            if (name.startsWith("region-")) {
                return INDEX_REGION;
            }
            return INDEX_METADATA;
        }
    }
}
