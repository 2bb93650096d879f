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
/// Finds the indexes of a table, and reads, creates, changes and drops their metadata files.
/// A table names its indexes in its properties ([IndexRegistrations]); all else about an index lies under the index's own
/// root ([IndexLocations]), where [IndexCatalog] replaces one metadata file by the next, atomically.
package io.sextant.index.catalog;
