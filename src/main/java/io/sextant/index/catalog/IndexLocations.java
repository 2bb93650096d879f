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
package io.sextant.index.catalog;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableList;
import io.trino.filesystem.Location;
import io.trino.spi.TrinoException;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import static com.google.common.base.Preconditions.checkArgument;
import static io.sextant.error.SextantErrorCode.INDEX_INVALID_DEFINITION;
import static java.util.Objects.requireNonNull;

/// The files of one index, all under its root:
///
/// ```
/// metadata/v<N>.metadata.json           index metadata; the highest N is current
/// metadata/version-hint.text            a version in decimal digits, current or not much older
/// metadata/tracking-<uuid>.parquet      tracking files
/// data/region-<uuid>.parquet            region files
/// ```
///
/// @param root without a trailing slash
public record IndexLocations(String root)
{
    private static final Pattern METADATA_FILE = Pattern.compile("v([1-9][0-9]{0,9})\\.metadata\\.json");
    private static final Splitter SEGMENTS = Splitter.on('/');

    public IndexLocations
    {
        requireNonNull(root, "root is null");
        root = withoutTrailingSlash(root);
    }

    /// The root of an index for which the user names none: beside the table, so that no maintenance of the table takes the
    /// files of the index for orphans.
    ///
    /// @throws TrinoException with `INDEX_INVALID_DEFINITION` if the table lies at the root of a bucket, beside which is nothing
    public static IndexLocations defaultLocations(String tableLocation, String indexName, String indexUuid)
    {
        IndexRegistration.checkName(indexName);
        if (Location.of(tableLocation).path().chars().allMatch(character -> character == '/')) {
            throw new TrinoException(INDEX_INVALID_DEFINITION, "Table location %s has no place beside it for an index; give the index a location".formatted(tableLocation));
        }
        String table = tableLocation;
        while (table.endsWith("/")) {
            table = withoutTrailingSlash(table);
        }
        return checkedLocations(tableLocation, "%s.indexes/%s-%s".formatted(table, indexName, indexUuid));
    }

    /// The files under a root that the user names.
    ///
    /// A root under the table's location is refused because table maintenance would delete the index, and one above it because
    /// dropping the index would delete the table. The scheme is left out of the comparison, for one place may have several
    /// (`s3` and `s3a`, `local` and `file`).
    ///
    /// @throws TrinoException with `INDEX_INVALID_DEFINITION` if the root is refused
    public static IndexLocations checkedLocations(String tableLocation, String root)
    {
        Location location;
        try {
            location = Location.of(root);
        }
        catch (IllegalArgumentException e) {
            throw refused(root, "it is not a location (%s)".formatted(e.getMessage()));
        }
        String path = withoutTrailingSlash(location.path());
        if (path.isEmpty()) {
            throw refused(root, "it has no path");
        }
        for (String segment : SEGMENTS.split(path)) {
            // An object store takes such a segment literally and a file system resolves it
            if (segment.isEmpty() || segment.equals(".") || segment.equals("..")) {
                throw refused(root, "it has an empty, '.' or '..' path element");
            }
        }

        Location table = Location.of(tableLocation);
        if (maySharePlace(location, table)) {
            List<String> rootSegments = resolvedSegments(location);
            List<String> tableSegments = resolvedSegments(table);
            if (isPrefix(tableSegments, rootSegments)) {
                throw refused(root, "it lies in the table's location %s, where table maintenance would delete it".formatted(tableLocation));
            }
            if (isPrefix(rootSegments, tableSegments)) {
                throw refused(root, "it holds the table's location %s, which dropping the index would delete".formatted(tableLocation));
            }
        }
        return new IndexLocations(root);
    }

    /// The roots that an index around this one would have, the nearest first.
    List<IndexLocations> around()
    {
        int pathStart = root.length() - Location.of(root).path().length();
        ImmutableList.Builder<IndexLocations> around = ImmutableList.builder();
        for (int end = root.lastIndexOf('/'); end > pathStart; end = root.lastIndexOf('/', end - 1)) {
            around.add(new IndexLocations(root.substring(0, end)));
        }
        return around.build();
    }

    public Location metadataDirectory()
    {
        return Location.of(root).appendPath("metadata");
    }

    public Location dataDirectory()
    {
        return Location.of(root).appendPath("data");
    }

    /// The metadata file of a version, the first of which is 1.
    public Location metadataFile(int version)
    {
        checkArgument(version >= 1, "version is not positive: %s", version);
        return metadataDirectory().appendPath("v%s.metadata.json".formatted(version));
    }

    public Location versionHint()
    {
        return metadataDirectory().appendPath("version-hint.text");
    }

    /// A new location at every call.
    public String newTrackingFile()
    {
        return metadataDirectory().appendPath("tracking-%s.parquet".formatted(UUID.randomUUID())).toString();
    }

    /// A new location at every call.
    public String newRegionFile()
    {
        return dataDirectory().appendPath("region-%s.parquet".formatted(UUID.randomUUID())).toString();
    }

    /// The version of a metadata file of this index, from its location; empty for any other file.
    OptionalInt version(Location file)
    {
        String path = file.path();
        String directory = metadataDirectory().path() + "/";
        if (!path.startsWith(directory)) {
            return OptionalInt.empty();
        }
        return parseVersion(path.substring(directory.length()));
    }

    private static OptionalInt parseVersion(String fileName)
    {
        Matcher matcher = METADATA_FILE.matcher(fileName);
        if (!matcher.matches()) {
            return OptionalInt.empty();
        }
        long version = Long.parseLong(matcher.group(1));
        return version < Integer.MAX_VALUE ? OptionalInt.of((int) version) : OptionalInt.empty();
    }

    private static boolean maySharePlace(Location left, Location right)
    {
        return equalIfPresent(left.host(), right.host()) && equalIfPresent(left.userInfo(), right.userInfo());
    }

    private static boolean equalIfPresent(Optional<String> left, Optional<String> right)
    {
        return left.isEmpty() || right.isEmpty() || left.orElseThrow().equalsIgnoreCase(right.orElseThrow());
    }

    private static List<String> resolvedSegments(Location location)
    {
        Deque<String> segments = new ArrayDeque<>();
        for (String segment : SEGMENTS.split(location.path())) {
            if (segment.equals("..")) {
                segments.pollLast();
            }
            else if (!segment.isEmpty() && !segment.equals(".")) {
                segments.addLast(segment);
            }
        }
        return ImmutableList.copyOf(segments);
    }

    private static boolean isPrefix(List<String> prefix, List<String> segments)
    {
        return prefix.size() <= segments.size() && segments.subList(0, prefix.size()).equals(prefix);
    }

    private static String withoutTrailingSlash(String location)
    {
        return location.endsWith("/") ? location.substring(0, location.length() - 1) : location;
    }

    private static TrinoException refused(String root, String reason)
    {
        return new TrinoException(
                INDEX_INVALID_DEFINITION,
                "Index location '%s' is not allowed: %s; leave it out, or give an absolute location of its own, outside the table".formatted(root, reason));
    }
}
