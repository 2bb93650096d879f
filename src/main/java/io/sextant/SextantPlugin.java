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
package io.sextant;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSet;
import com.google.inject.Module;
import io.sextant.function.CollationKeyFunction;
import io.sextant.function.CollationVersionFunction;
import io.sextant.function.ThetaSketchStatistic;
import io.trino.spi.Plugin;
import io.trino.spi.connector.ConnectorFactory;

import java.util.Set;

import static java.util.Objects.requireNonNull;

public class SextantPlugin
        implements Plugin
{
    private final Module extension;

    public SextantPlugin()
    {
        this(_ -> {});
    }

    SextantPlugin(Module extension)
    {
        this.extension = requireNonNull(extension, "extension is null");
    }

    @Override
    public Iterable<ConnectorFactory> getConnectorFactories()
    {
        return ImmutableList.of(new SextantConnectorFactory(extension));
    }

    @Override
    public Set<Class<?>> getFunctions()
    {
        return ImmutableSet.of(ThetaSketchStatistic.class, CollationKeyFunction.class, CollationVersionFunction.class);
    }
}
