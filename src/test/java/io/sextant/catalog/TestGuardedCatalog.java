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

import com.google.common.base.Defaults;
import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.common.reflect.Reflection;
import io.trino.plugin.iceberg.catalog.TrinoCatalog;
import io.trino.spi.connector.TableNotFoundException;
import org.apache.iceberg.BaseTable;
import org.apache.iceberg.TableOperations;
import org.apache.iceberg.metrics.MetricsReporter;
import org.junit.jupiter.api.Test;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import static io.sextant.catalog.AbstractTestCommitGuard.name;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

final class TestGuardedCatalog
{
    private static final Set<String> DONE_BY_THE_GUARDED_CATALOG = ImmutableSet.of("updateTableComment", "updateColumnComment");

    @Test
    void testEveryMethodIsForwarded()
            throws ReflectiveOperationException
    {
        List<Method> forwarded = new ArrayList<>();
        TrinoCatalog catalog = guarded((_, method, _) -> {
            forwarded.add(method);
            return Defaults.defaultValue(method.getReturnType());
        });
        assertThat(TrinoCatalog.class.getMethods()).anyMatch(Method::isDefault);
        for (Method method : TrinoCatalog.class.getMethods()) {
            if (!DONE_BY_THE_GUARDED_CATALOG.contains(method.getName())) {
                forwarded.clear();
                method.invoke(catalog, Arrays.stream(method.getParameterTypes()).map(Defaults::defaultValue).toArray());
                assertThat(forwarded).containsExactly(method);
            }
        }
    }

    @Test
    void testFailuresComeAsTheyAre()
    {
        TableNotFoundException failure = new TableNotFoundException(name("missing"));
        TrinoCatalog catalog = guarded((_, _, _) -> {
            throw failure;
        });
        assertThatThrownBy(() -> catalog.loadTable(null, name("missing"))).isSameAs(failure);
    }

    @Test
    void testTablesAreGuarded()
    {
        MetricsReporter reporter = _ -> {};
        TableOperations operations = Reflection.newProxy(TableOperations.class, (_, _, _) -> null);
        BaseTable table = new BaseTable(operations, "the name", reporter);
        TrinoCatalog catalog = guarded((_, method, _) -> method.getReturnType() == Optional.class ? Optional.of(table) : table);
        assertThat(ImmutableList.of(
                catalog.loadTable(null, name("t")),
                catalog.getMaterializedViewStorageTable(null, name("v")).orElseThrow())).allSatisfy(guarded -> {
            assertThat(guarded.operations()).isInstanceOf(GuardedTableOperations.class);
            assertThat(guarded.name()).isEqualTo("the name");
            assertThat(guarded.reporter()).isSameAs(reporter);
        });
    }

    private static TrinoCatalog guarded(InvocationHandler delegate)
    {
        return GuardedCatalog.guard(Reflection.newProxy(TrinoCatalog.class, delegate), ImmutableSet.of());
    }
}
