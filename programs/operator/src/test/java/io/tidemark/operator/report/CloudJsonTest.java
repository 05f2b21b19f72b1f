package io.tidemark.operator.report;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.tidemark.resilience.CallCounts;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.PoolQuota;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The facts of the cloud in JSON")
class CloudJsonTest {
  @DisplayName("have days left in thousandths, never 0")
  @ParameterizedTest(name = "{0} days")
  @CsvSource({"9.8004, 9.8", "0.0004, 0.001"})
  void daysLeft(double days, double shown) {
    PoolId pool = new PoolId("subnet-x");
    CloudFacts facts =
        new CloudFacts(
            Optional.of(new TreeMap<>(Map.of(pool, new PoolQuota("zone-a", 1, 0)))),
            Map.of(pool, days),
            List.of(),
            new CallCounts(new TreeMap<>(), new TreeMap<>()),
            Optional.empty());

    assertEquals(shown, CloudJson.tree(facts).get("subnets").get(0).get("daysLeft").asDouble(), 0);
  }
}
