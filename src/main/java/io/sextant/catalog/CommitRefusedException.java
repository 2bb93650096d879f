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

import io.trino.spi.ErrorCodeSupplier;
import io.trino.spi.TrinoException;
import org.apache.iceberg.exceptions.CleanableFailure;

import static io.trino.spi.StandardErrorCode.GENERIC_INTERNAL_ERROR;

/// What stopped a commit before it reached the catalog, with its own error code and message.
///
/// Iceberg deletes what it has written for a commit only if the failure says that nothing refers to it.
public class CommitRefusedException
        extends TrinoException
        implements CleanableFailure
{
    CommitRefusedException(RuntimeException cause)
    {
        super(errorCode(cause), cause.getMessage(), cause);
    }

    private static ErrorCodeSupplier errorCode(RuntimeException cause)
    {
        return cause instanceof TrinoException exception ? exception::getErrorCode : GENERIC_INTERNAL_ERROR;
    }
}
