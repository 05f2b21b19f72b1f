package io.tidemark.provider.kit.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.metrics.Meters;
import io.tidemark.metrics.Metric;
import io.tidemark.metrics.TestMeters;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.PoolQuota;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("What is free in the pools")
class PoolLedgerTest {
  private static final PoolId A = new PoolId("a");

  private final VirtualTime time = new VirtualTime(0);
  private final TestMeters measured = new TestMeters();
  private PoolLedger<String> pools = new PoolLedger<>(time, measured.meters, PoolLedger.PAUSE);
  private long begun;

  /**
   * A step such as "reads 100": a listing says that so many are free; "counts 7 begun": so says a
   * count of the pool that began earlier; "sends 9", "ends 9 3": a request for nine that gets
   * three.
   */
  private void tell(String... words) {
    int number = words.length > 1 && words[1].matches("\\d+") ? Integer.parseInt(words[1]) : 0;
    switch (words[0]) {
      case "noPause" -> pools = new PoolLedger<>(time, Meters.none(), Duration.ZERO);
      case "quarantines" -> pools = quarantining(Duration.ofMinutes(number));
      case "reads" -> pools.accept(words[1].equals("none") ? List.of() : List.of(pool(A, number)));
      case "begins" -> begun = time.nanos();
      case "counts" -> pools.accept(pool(A, number), words.length > 2 ? begun : time.nanos());
      case "sends" -> pools.reserve(A, number);
      case "ends" -> pools.settle(A, number, Integer.parseInt(words[2]));
      case "gave" -> pools.gave(A, number);
      case "exhausted" -> pools.exhausted(A);
      case "fragmented" -> pools.fragmented(A);
      case "reports" -> pools.reportCooling();
      case "forgets" -> pools.retain(Set.of());
      case "free" -> assertThat(free(pools, A)).isEqualTo(number);
      case "gives" ->
          assertThat(a().mayHaveAddresses() + " " + a().mayHaveBlocks() + " " + a().hasRoom())
              .isEqualTo(words[1].replace(",", " "));
      case "quota" ->
          assertThat(pools.quotas())
              .containsEntry(
                  A, new PoolQuota("zone", number, 0, OptionalInt.empty(), words.length > 2));
      case "unknown" -> assertThat(pools.all()).isEmpty();
      case "quarantined" -> assertMeasured(Metric.ENI_QUARANTINED, words[1]);
      case "inFlight" -> assertMeasured(Metric.ENI_IN_FLIGHT, words[1]);
      default -> time.runUntil(time.nanos() + Duration.parse("PT" + words[0]).toNanos());
    }
  }

  private void assertMeasured(Metric metric, String value) {
    assertThat(measured.value(metric, A.text()) + "").isEqualTo(value);
  }

  private Pool<String> a() {
    return pools.find(A).orElseThrow();
  }

  @DisplayName("AWS-84 Z29 1.3 2.4 13.3 a pool gives what reads, requests and refusals leave of it")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          AWS-84 what requests on the way will take is gone at once, a read counts it once \
            | reads 20; sends 9; sends 9; free 2; gives true,false,true; sends 1; free 1; \
              gives true,false,false; reads 20; free 1; ends 9 0; ends 9 9; ends 1 0; free 11
          a request that was sent while its pool was not known does not count against it \
            | sends 6; reads 100; ends 6 0; free 100; sends 6; reads none; reads 100; ends 6 6; \
              free 94; reads 94; free 94
          1.3 a subnet that refused addresses rests for two minutes, whatever a read says \
            | reads 100; exhausted; free 0; reads 50; gives false,false,false; 2m; \
              gives true,true,true
          2.4 a subnet that refused a prefix gives addresses, and prefixes after two minutes \
            | reads 100; fragmented; gives true,false,true; quota 100 fragmented; 2m; \
              gives true,true,true; quota 100
          without a pause for addresses the next read alone decides, and a read forgets pools \
            | noPause; reads 5; exhausted; gives false,false,false; reads 5; gives true,false,true; \
              sends 9; quota 0; reads none; unknown
          13.3 a pool that was exhausted stays so until a count that began later \
            | quarantines 0; begins; 0.000001s; exhausted; counts 7 begun; free 0; counts 6 begun; \
              free 0; counts 5; free 5; counts 4 begun; free 4
          Z29 released addresses count after the quarantine, each batch by itself, measured \
            | quarantines 10; gave 3; quarantined 3.0; free 10; 5m; gave 2; counts 15; free 10; \
              quota 10; 4m59s; free 10; 11s; free 13; 5m; free 15; reports; quarantined 0.0; \
              forgets; quarantined NaN
          a read of all pools that began before a pool was found full does not reopen it, nor one of it \
            | reads 100; exhausted; reads 100; gives false,false,false; counts 100; \
              gives false,false,false
          what is on its way is measured, until the pool is gone \
            | reads 10; sends 3; inFlight 3.0; ends 3 1; inFlight 0.0; free 9; reads none; inFlight NaN
          """)
  void story(String what, String story) {
    for (String step : story.split("; +", -1)) {
      tell(step.split(" ", -1));
    }
  }

  private PoolLedger<String> quarantining(Duration quarantine) {
    PoolLedger<String> ledger = new PoolLedger<>(time, measured.meters, Duration.ZERO, quarantine);
    ledger.accept(pool(A, 10), 0);
    return ledger;
  }

  private static Pool<String> pool(PoolId id, int free) {
    return Pool.read(id, "zone", "subnet", true, free);
  }

  private static int free(PoolLedger<String> ledger, PoolId id) {
    return ledger.find(id).orElseThrow().free();
  }

  @Test
  @DisplayName("Z39 a count of one pool leaves the others, and what is on the way is subtracted")
  void onePool() {
    PoolId b = new PoolId("b");
    PoolLedger<String> ledger = quarantining(Duration.ZERO);
    ledger.accept(pool(b, 20), 0);
    ledger.reserve(A, 4);
    ledger.accept(pool(A, 12), time.nanos());
    assertThat(free(ledger, A)).isEqualTo(8);
    assertThat(free(ledger, b)).isEqualTo(20);
    ledger.settle(A, 4, 3);
    assertThat(free(ledger, A)).isEqualTo(9);
    ledger.retain(Set.of(b));
    assertThat(ledger.find(A)).isEmpty();
    assertThat(free(ledger, b)).isEqualTo(20);
  }

  @Test
  @DisplayName("Z29 many small releases are few batches, and none counts too early")
  void manyReleases() {
    CoolingCount cooling = new CoolingCount();
    long second = 1_000_000_000L;
    for (int i = 0; i < 600; i++) {
      cooling.add(1, i * second);
    }
    for (int i = 0; i < 600; i++) {
      assertThat(cooling.count(i * second)).isBetween(600 - i, 600 - i + 10);
    }
    assertThat(cooling.count(610 * second)).isZero();
  }
}
