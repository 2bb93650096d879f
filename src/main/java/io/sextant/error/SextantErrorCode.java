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
package io.sextant.error;

import io.trino.spi.ErrorCode;
import io.trino.spi.ErrorCodeSupplier;
import io.trino.spi.ErrorType;

import static io.trino.spi.ErrorType.EXTERNAL;
import static io.trino.spi.ErrorType.INTERNAL_ERROR;
import static io.trino.spi.ErrorType.USER_ERROR;

/// What can go wrong in Sextant itself; all else keeps the codes of Trino and of its Iceberg connector.
public enum SextantErrorCode
        implements ErrorCodeSupplier
{
    /// No index of that name is registered on the table.
    INDEX_NOT_FOUND(0, USER_ERROR),
    INDEX_ALREADY_EXISTS(1, USER_ERROR),
    /// The definition given for an index is not allowed, or the table has no such column.
    INDEX_INVALID_DEFINITION(2, USER_ERROR),
    /// An index file breaks the format: truncated, foreign, or contradicting itself.
    INDEX_CORRUPT(3, EXTERNAL),
    /// An index file has a format version that this release does not know.
    INDEX_VERSION_UNSUPPORTED(4, EXTERNAL),
    /// The file is well-formed, but uses a feature that this release cannot handle.
    INDEX_UNSUPPORTED(5, USER_ERROR),
    /// Somebody else changed the index, again and again, while this change was tried.
    INDEX_COMMIT_CONFLICT(6, EXTERNAL),
    /// The file system cannot create a file exclusively, so that an index there could lose updates.
    INDEX_STORAGE_UNSUITABLE(7, USER_ERROR),
    INDEX_STORAGE_ERROR(8, EXTERNAL),
    INDEX_BUILD_FAILED(9, INTERNAL_ERROR),
    INDEX_BUILD_CANCELED(10, USER_ERROR);

    private final ErrorCode errorCode;

    SextantErrorCode(int code, ErrorType type)
    {
        errorCode = new ErrorCode(code + 0x0534_0000, name(), type);
    }

    @Override
    public ErrorCode toErrorCode()
    {
        return errorCode;
    }
}
