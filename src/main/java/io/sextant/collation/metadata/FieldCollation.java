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
package io.sextant.collation.metadata;

import com.google.common.collect.ImmutableList;
import io.sextant.collation.Collation;
import io.sextant.collation.Collations;

import java.util.List;
import java.util.Optional;

import static java.util.Objects.requireNonNull;

/// The collation of one string field, with the metric fields for its bounds. Those of a collation that the field had before
/// may stay: files still have such bounds, and a query may still ask by that collation.
///
/// @param collation name as it was written; perhaps of a provider that is not known here
/// @param metrics empty for elements of lists and values of maps, which have no bounds
public record FieldCollation(String collation, List<CollationMetric> metrics)
{
    public FieldCollation
    {
        requireNonNull(collation, "collation is null");
        metrics = ImmutableList.copyOf(metrics);
    }

    public FieldCollation withCollation(String collation)
    {
        return new FieldCollation(collation, metrics);
    }

    public FieldCollation withMetric(CollationMetric metric)
    {
        return new FieldCollation(collation, ImmutableList.<CollationMetric>builder().addAll(metrics).add(metric).build());
    }

    /// The metric whose bounds are in just the order of a collation; empty if there is none of the same name and version.
    public Optional<CollationMetric> metricOf(Collation collation)
    {
        return metrics.stream()
                .filter(metric -> isOf(metric, collation) && collation.matchesVersion(metric.version()))
                .findFirst();
    }

    /// The metrics for a collation, of whatever version.
    public List<CollationMetric> metricsOfAnyVersion(Collation collation)
    {
        return metrics.stream()
                .filter(metric -> isOf(metric, collation))
                .toList();
    }

    private static boolean isOf(CollationMetric metric, Collation collation)
    {
        return Collations.find(metric.collation())
                .map(Collation::name)
                .equals(Optional.of(collation.name()));
    }
}
