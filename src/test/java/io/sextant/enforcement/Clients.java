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

import com.google.common.collect.ImmutableList;
import io.trino.client.FailureException;
import io.trino.testing.QueryFailedException;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

import static java.util.Objects.requireNonNull;

/// Runs statements of several clients at the same time.
final class Clients
{
    private final Consumer<String> execute;

    Clients(Consumer<String> execute)
    {
        this.execute = requireNonNull(execute, "execute is null");
    }

    /// What a client does, statement by statement.
    @FunctionalInterface
    interface Client
    {
        void run(int number)
                throws Exception;
    }

    /// The end of a statement.
    ///
    /// @param failure empty if the statement succeeded
    record Outcome(String sql, Optional<QueryFailedException> failure)
    {
        boolean succeeded()
        {
            return failure.isEmpty();
        }

        String message()
        {
            return failure.orElseThrow().getMessage();
        }

        /// The name of the error code.
        String error()
        {
            return requireNonNull(((FailureException) failure.orElseThrow().getCause()).getFailureInfo().getErrorInfo(), "no error code").getName();
        }
    }

    /// Starts all clients at one moment, and waits for them.
    void run(int clients, Client client)
            throws Exception
    {
        CyclicBarrier start = new CyclicBarrier(clients);
        try (ExecutorService executor = Executors.newFixedThreadPool(clients)) {
            List<Future<Void>> futures = new ArrayList<>();
            for (int number = 0; number < clients; number++) {
                int numberOfClient = number;
                Callable<Void> task = () -> {
                    start.await();
                    client.run(numberOfClient);
                    return null;
                };
                futures.add(executor.submit(task));
            }
            for (Future<Void> future : futures) {
                future.get();
            }
        }
    }

    /// Runs one statement for each client.
    List<Outcome> run(List<String> statements)
            throws Exception
    {
        Outcome[] outcomes = new Outcome[statements.size()];
        run(statements.size(), client -> outcomes[client] = outcome(statements.get(client)));
        return ImmutableList.copyOf(outcomes);
    }

    Outcome outcome(String sql)
    {
        try {
            execute.accept(sql);
            return new Outcome(sql, Optional.empty());
        }
        catch (QueryFailedException e) {
            return new Outcome(sql, Optional.of(e));
        }
    }
}
