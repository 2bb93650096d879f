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
package io.sextant.enforcement;

import io.sextant.constraint.TableConstraint;
import io.trino.spi.TrinoException;

import static io.trino.spi.StandardErrorCode.NOT_SUPPORTED;

final class ConstraintErrors
{
    private ConstraintErrors() {}

    static TrinoException notEvaluable(TableConstraint constraint, String reason)
    {
        return new TrinoException(NOT_SUPPORTED, "No rows can be added to the table, because its enforced %s cannot be evaluated: %s; stop enforcing it (CALL system.alter_constraint) or drop it (CALL system.drop_constraint)"
                .formatted(constraint.description(), reason));
    }

    static TrinoException cannotValidate(TableConstraint constraint, String reason)
    {
        return new TrinoException(NOT_SUPPORTED, "The %s cannot be validated: %s; validate other constraints by their names, or drop it (CALL system.drop_constraint)"
                .formatted(constraint.description(), reason));
    }
}
