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
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import static com.google.common.collect.ImmutableList.toImmutableList;
import static com.google.common.collect.ImmutableSet.toImmutableSet;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.importer.ImportOption.Predefined.DO_NOT_INCLUDE_TESTS;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

final class TestArchitecture
{
    private static final String ROOT = "io.sextant";
    private static final Path SOURCES = Path.of("src/main/java");
    private static final int MAX_LINES = 400;
    // Functions from values of Trino to values of Iceberg
    private static final String VALUE_CONVERSIONS = "io.trino.plugin.iceberg.util";

    /// From the lowest layer to the highest. A package may use what lies in lower layers, so neither its neighbours nor
    /// anything above. A package stands for its subpackages too, unless those are named themselves.
    private static final List<Set<String>> LAYERS = ImmutableList.of(
            ImmutableSet.of("error"),
            ImmutableSet.of("expression", "catalog", "collation", "filesystem", "table"),
            ImmutableSet.of("index.metadata", "constraint"),
            ImmutableSet.of("index.key", "collation.metadata"),
            ImmutableSet.of("index.file"),
            ImmutableSet.of("index.tracking", "index.region"),
            ImmutableSet.of("index.catalog"),
            ImmutableSet.of("index.refresh", "index.scan", "collation.maintenance", "collation.scan", "collation.write"),
            ImmutableSet.of("index.maintenance"),
            ImmutableSet.of("enforcement"),
            ImmutableSet.of("procedure", "function", "system"),
            ImmutableSet.of(""));

    private static final JavaClasses CLASSES = new ClassFileImporter()
            .withImportOption(DO_NOT_INCLUDE_TESTS)
            .importPackages(ROOT);

    @Test
    void testEveryPackageHasALayer()
    {
        Set<String> layered = LAYERS.stream().flatMap(Set::stream).map(TestArchitecture::packageName).collect(toImmutableSet());
        assertThat(packages()).allSatisfy(name -> assertThat(layered).anyMatch(layer -> name.equals(layer) || (!layer.equals(ROOT) && name.startsWith(layer + "."))));
    }

    @Test
    void testPackagesUseLowerLayersOnly()
    {
        for (int layer = 0; layer < LAYERS.size(); layer++) {
            for (String name : LAYERS.get(layer)) {
                String[] forbidden = LAYERS.subList(layer, LAYERS.size()).stream()
                        .flatMap(Set::stream)
                        .filter(other -> !other.equals(name))
                        .map(TestArchitecture::packagePattern)
                        .toArray(String[]::new);
                noClasses().that().resideInAPackage(packagePattern(name))
                        .should().dependOnClassesThat().resideInAnyPackage(forbidden)
                        .allowEmptyShould(true)
                        .check(CLASSES);
            }
        }
    }

    @Test
    void testNoPackageCycles()
    {
        slices().matching(ROOT + ".(**)").should().beFreeOfCycles().check(CLASSES);
    }

    @Test
    void testFormatKnowsNoConnectorAndNoFileSystem()
    {
        noClasses().that().resideInAnyPackage(packagePattern("index.metadata"), packagePattern("index.key"), packagePattern("constraint"))
                .should().dependOnClassesThat(resideInAnyPackage("io.trino.plugin..", "io.trino.filesystem..").and(not(resideInAPackage(VALUE_CONVERSIONS))))
                .allowEmptyShould(true)
                .check(CLASSES);
    }

    @Test
    void testEveryPackageIsDescribed()
    {
        assertThat(packages()).allSatisfy(name -> assertThat(SOURCES.resolve(name.replace('.', '/')).resolve("package-info.java")).exists());
    }

    @Test
    void testFilesAreSmall()
            throws IOException
    {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            List<Path> sources = files.filter(Files::isRegularFile).collect(toImmutableList());
            assertThat(sources).isNotEmpty();
            assertThat(sources).allSatisfy(source -> assertThat(Files.readAllLines(source)).hasSizeLessThanOrEqualTo(MAX_LINES));
        }
    }

    private static Set<String> packages()
    {
        return CLASSES.stream()
                .map(javaClass -> javaClass.getPackage().getName())
                .collect(toImmutableSet());
    }

    private static String packageName(String name)
    {
        return name.isEmpty() ? ROOT : ROOT + "." + name;
    }

    private static String packagePattern(String name)
    {
        boolean hasNamedSubpackages = LAYERS.stream().flatMap(Set::stream).anyMatch(other -> !other.equals(name) && other.startsWith(name.isEmpty() ? "" : name + "."));
        return hasNamedSubpackages ? packageName(name) : packageName(name) + "..";
    }
}
