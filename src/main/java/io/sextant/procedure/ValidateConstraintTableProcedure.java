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
package io.sextant.procedure;

import com.google.common.collect.ImmutableList;
import com.google.inject.Provider;
import io.sextant.enforcement.DistributedValidation;
import io.trino.spi.connector.TableProcedureMetadata;

import static io.trino.spi.connector.TableProcedureExecutionMode.distributedWithFilteringAndRepartitioning;
import static io.trino.spi.session.PropertyMetadata.stringProperty;

/// `ALTER TABLE t EXECUTE validate_constraint(constraint_name)`, which is made by [DistributedValidation].
public class ValidateConstraintTableProcedure
        implements Provider<TableProcedureMetadata>
{
    @Override
    public TableProcedureMetadata get()
    {
        return new TableProcedureMetadata(
                DistributedValidation.PROCEDURE,
                distributedWithFilteringAndRepartitioning(),
                ImmutableList.of(stringProperty(DistributedValidation.CONSTRAINT_NAME, "Constraint to validate; all of the table if none is named", null, false)));
    }
}
