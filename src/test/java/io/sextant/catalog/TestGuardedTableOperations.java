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
package io.sextant.catalog;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableMap;
import com.google.common.reflect.Reflection;
import io.trino.spi.TrinoException;
import org.apache.iceberg.PartitionSpec;
import org.apache.iceberg.Schema;
import org.apache.iceberg.SortOrder;
import org.apache.iceberg.TableMetadata;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.exceptions.CleanableFailure;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.types.Types.LongType;
import org.apache.iceberg.types.Types.NestedField;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import static io.trino.spi.StandardErrorCode.CONSTRAINT_VIOLATION;
import static io.trino.spi.StandardErrorCode.GENERIC_INTERNAL_ERROR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class TestGuardedTableOperations
{
    private final TableMetadata base = metadata("base");
    private final TableMetadata candidate = metadata("candidate");
    private final List<List<Object>> calls = new ArrayList<>();
    private final TableOperations delegate = Reflection.newProxy(TableOperations.class, (_, method, arguments) -> {
        ImmutableList.Builder<Object> call = ImmutableList.builder().add(method.getName());
        for (Object argument : arguments == null ? new Object[0] : arguments) {
            call.add(Optional.ofNullable(argument));
        }
        calls.add(call.build());
        return null;
    });

    @Test
    void testEveryMethodIsForwarded()
    {
        assertThat(TableOperations.class.getMethods()).allSatisfy(method ->
                assertThat(GuardedTableOperations.class.getDeclaredMethod(method.getName(), method.getParameterTypes())).isNotNull());
        GuardedTableOperations operations = operations();
        operations.current();
        operations.refresh();
        operations.io();
        operations.encryption();
        operations.metadataFileLocation("file");
        operations.locationProvider();
        operations.temp(candidate);
        assertThat(calls).containsExactly(
                ImmutableList.of("current"),
                ImmutableList.of("refresh"),
                ImmutableList.of("io"),
                ImmutableList.of("encryption"),
                ImmutableList.of("metadataFileLocation", Optional.of("file")),
                ImmutableList.of("locationProvider"),
                ImmutableList.of("temp", Optional.of(candidate)));
    }

    @Test
    void testWithoutGuardsTheCandidateIsCommitted()
    {
        operations().commit(base, candidate);
        assertThat(calls).containsExactly(ImmutableList.of("commit", Optional.of(base), Optional.of(candidate)));
        assertThat(((Optional<?>) calls.getFirst().get(2)).orElseThrow()).isSameAs(candidate);
    }

    @Test
    void testGuardsFollowEachOther()
    {
        TableMetadata first = metadata("first");
        TableMetadata second = metadata("second");
        List<TableMetadata> seen = new ArrayList<>();
        operations(
                attempt -> {
                    seen.add(attempt.candidate());
                    return first;
                },
                attempt -> {
                    seen.add(attempt.candidate());
                    return second;
                }).commit(base, candidate);
        assertThat(seen).containsExactly(candidate, first);
        assertThat(calls).containsExactly(ImmutableList.of("commit", Optional.of(base), Optional.of(second)));
    }

    @Test
    void testRefusalKeepsCodeAndMessage()
    {
        TrinoException violation = new TrinoException(CONSTRAINT_VIOLATION, "Twice the same key");
        assertThatThrownBy(() -> operations(failing(violation)).commit(base, candidate))
                .isInstanceOf(CommitRefusedException.class)
                .hasMessage("Twice the same key")
                .hasCause(violation)
                .extracting(e -> ((TrinoException) e).getErrorCode()).isEqualTo(CONSTRAINT_VIOLATION.toErrorCode());
        assertThat(calls).isEmpty();
    }

    @Test
    void testAnyFailureOfAGuardIsCleanable()
    {
        assertThatThrownBy(() -> operations(failing(new IllegalStateException("A mistake"))).commit(base, candidate))
                .isInstanceOf(CommitRefusedException.class)
                .isInstanceOf(CleanableFailure.class)
                .hasMessage("A mistake")
                .extracting(e -> ((TrinoException) e).getErrorCode()).isEqualTo(GENERIC_INTERNAL_ERROR.toErrorCode());
        assertThatThrownBy(() -> operations(_ -> null).commit(base, candidate)).isInstanceOf(CommitRefusedException.class);
        assertThat(calls).isEmpty();
    }

    @Test
    void testGuardMayAskForAnotherAttempt()
    {
        CommitFailedException failure = new CommitFailedException("Stale");
        assertThatThrownBy(() -> operations(failing(failure)).commit(base, candidate)).isSameAs(failure);
        assertThat(calls).isEmpty();
    }

    private GuardedTableOperations operations(TableGuard... guards)
    {
        return new GuardedTableOperations(delegate, Optional.empty(), ImmutableList.copyOf(guards));
    }

    private static TableGuard failing(RuntimeException failure)
    {
        return _ -> {
            throw failure;
        };
    }

    private static TableMetadata metadata(String location)
    {
        return TableMetadata.newTableMetadata(
                new Schema(NestedField.required(1, "id", LongType.get())),
                PartitionSpec.unpartitioned(),
                SortOrder.unsorted(),
                "memory:///" + location,
                ImmutableMap.of());
    }
}
