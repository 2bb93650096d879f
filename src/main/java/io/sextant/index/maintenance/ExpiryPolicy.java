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
package io.sextant.index.maintenance;

import io.trino.spi.TrinoException;
import io.trino.spi.connector.ConnectorSession;

import java.time.Duration;
import java.time.Instant;

import static com.google.common.base.Preconditions.checkArgument;
import static io.trino.spi.StandardErrorCode.INVALID_PROCEDURE_ARGUMENT;
import static java.util.Objects.requireNonNull;

/// Which extracts of an index are to go, other than those that no query can use.
///
/// @param retainLast how many of the latest extracts stay however old they are, at least 1
/// @param olderThan extracts made before go
public record ExpiryPolicy(int retainLast, Instant olderThan)
{
    public static final int DEFAULT_RETAIN_LAST = 1;

    private static final Duration DEFAULT_RETENTION = Duration.ofDays(7);

    public ExpiryPolicy
    {
        requireNonNull(olderThan, "olderThan is null");
        checkArgument(retainLast >= 1, "retainLast is not positive: %s", retainLast);
    }

    /// What a user who says nothing gets.
    public static ExpiryPolicy defaults(ConnectorSession session)
    {
        return new ExpiryPolicy(DEFAULT_RETAIN_LAST, defaultOlderThan(session));
    }

    /// The age of seven days, or the least that the session allows if that is more.
    public static Instant defaultOlderThan(ConnectorSession session)
    {
        Duration minRetention = ExpirySessionProperties.minRetention(session);
        return session.getStart().minus(minRetention.compareTo(DEFAULT_RETENTION) > 0 ? minRetention : DEFAULT_RETENTION);
    }

    /// Refuses a time that is more recent than the session allows: a build that has not ended yet must not lose its files.
    public static Instant checkedOlderThan(ConnectorSession session, Instant olderThan)
    {
        Duration minRetention = ExpirySessionProperties.minRetention(session);
        // current_timestamp is rounded to milliseconds
        if (olderThan.isAfter(session.getStart().minus(minRetention).plusMillis(1))) {
            throw new TrinoException(INVALID_PROCEDURE_ARGUMENT, "older_than is %s, which is less than the minimum retention of %s before the query; set the session property %s, or %s in the catalog".formatted(
                    olderThan,
                    minRetention,
                    ExpirySessionProperties.EXPIRE_EXTRACTS_MIN_RETENTION,
                    ExpiryConfig.MIN_RETENTION));
        }
        return olderThan;
    }
}
