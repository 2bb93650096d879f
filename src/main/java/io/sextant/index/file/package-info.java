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
/// The files an index is made of, whatever they hold: where one is, what is known of its columns, how its pages are read
/// through the Iceberg connector, and how a Parquet file is written column by column without Hadoop.
///
/// Region files and tracking files are built on it in their own packages; nothing here knows about either.
package io.sextant.index.file;
