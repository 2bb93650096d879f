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

import com.google.common.collect.ImmutableList;

import java.util.List;
import java.util.Optional;

import static com.google.common.base.Preconditions.checkArgument;
import static java.util.Objects.requireNonNull;

/// The name of a function: the catalog that defines it, if stated, and its path of names within that catalog.
/// Names are case-sensitive.
public record FunctionName(Optional<String> catalog, List<String> identifier)
{
    /// The reserved catalog of the functions that the Iceberg specification defines.
    public static final String ICEBERG_FUNCTIONS = "iceberg_functions";

    /// The catalog that stands for Trino's own functions.
    public static final String TRINO = "trino";

    public FunctionName
    {
        requireNonNull(catalog, "catalog is null");
        identifier = ImmutableList.copyOf(requireNonNull(identifier, "identifier is null"));
        checkArgument(!identifier.isEmpty(), "function name is empty");
    }

    public static FunctionName icebergFunction(String name)
    {
        return new FunctionName(Optional.of(ICEBERG_FUNCTIONS), ImmutableList.of(name));
    }

    public static FunctionName trinoFunction(String name)
    {
        return new FunctionName(Optional.of(TRINO), ImmutableList.of(name));
    }

    @Override
    public String toString()
    {
        String path = String.join(".", identifier);
        return catalog.map(name -> name + "." + path).orElse(path);
    }
}
