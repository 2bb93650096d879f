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

import static java.util.concurrent.CompletableFuture.completedFuture;

/// Trino's launcher is not published as a library, its server is.
void main()
{
    Long owner = Long.getLong("server.owner");
    if (owner != null) {
        // Ends with the process that started it, also if that is killed
        ProcessHandle.of(owner)
                .map(ProcessHandle::onExit)
                .orElseGet(() -> completedFuture(null))
                .thenRun(() -> System.exit(0));
    }
    new io.trino.server.Server().start("483");
}
