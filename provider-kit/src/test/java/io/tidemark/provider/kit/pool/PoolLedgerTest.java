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

@DisplayName("What is free in the pools")
class PoolLedgerTest {
  private static final PoolId A = new PoolId("a");

  private final VirtualTime time = new VirtualTime(0);
  private final TestMeters measured = new TestMeters();
  private final PoolLedger<String> pools =
      new PoolLedger<>(time, measured.meters, PoolLedger.PAUSE);

  private void read(int free) {
    pools.accept(List.of(pool(A, free)));
  }

  private Pool<String> a() {
    return pools.find(A).orElseThrow();
  }

  @Test
  @DisplayName("AWS-84 what requests on the way will take is gone at once, a read counts it once")
  void inFlight() {
    read(100);
    for (int i = 0; i < 11; i++) {
      pools.reserve(A, 9);
    }
    assertThat(a().free()).isEqualTo(1);
    assertThat(a().hasRoom()).isFalse();
    read(100);
    assertThat(a().free()).isEqualTo(1);
    pools.settle(A, 9, 0);
    pools.settle(A, 9, 9);
    assertThat(a().free()).isEqualTo(10);
  }

  @Test
  @DisplayName("a request that was sent while its pool was not known does not count against it")
  void unknownWhenSent() {
    pools.reserve(A, 6);
    read(100);
    pools.settle(A, 6, 0);
    assertThat(a().free()).isEqualTo(100);
    pools.reserve(A, 6);
    pools.accept(List.of());
    read(100);
    pools.settle(A, 6, 6);
    assertThat(a().free()).isEqualTo(94);
    read(94);
    assertThat(a().free()).as("nothing is on the way").isEqualTo(94);
  }

  @Test
  @DisplayName("1.3 a subnet that refused addresses rests for two minutes, whatever a read says")
  void coolDown() {
    read(100);
    pools.exhausted(A);
    assertThat(a().free()).isZero();
    read(50);
    assertThat(a().mayHaveAddresses()).isFalse();
    time.runUntil(PoolLedger.PAUSE.toNanos());
    assertThat(a().mayHaveAddresses()).isTrue();
  }

  @Test
  @DisplayName("2.4 a subnet that refused a prefix gives addresses, and prefixes after two minutes")
  void fragmented() {
    read(100);
    pools.fragmented(A);
    assertThat(a().mayHaveBlocks()).isFalse();
    assertThat(a().mayHaveAddresses()).isTrue();
    assertThat(pools.quotas())
        .containsEntry(A, new PoolQuota("zone", 100, 0, OptionalInt.empty(), true));
    time.runUntil(PoolLedger.PAUSE.toNanos());
    assertThat(a().mayHaveBlocks()).isTrue();
    assertThat(pools.quotas()).containsEntry(A, new PoolQuota("zone", 100, 0));
  }

  @Test
  @DisplayName(
      "without a pause for addresses the next read alone decides, and a read forgets pools")
  void noPause() {
    PoolLedger<String> hasty = new PoolLedger<>(time, Meters.none(), Duration.ZERO);
    hasty.accept(List.of(pool(A, 5)));
    hasty.exhausted(A);
    assertThat(hasty.find(A).orElseThrow().mayHaveAddresses()).isFalse();
    hasty.accept(List.of(pool(A, 5)));
    assertThat(hasty.find(A).orElseThrow().mayHaveAddresses()).isTrue();
    hasty.reserve(A, 9);
    assertThat(hasty.quotas()).containsEntry(A, new PoolQuota("zone", 0, 0));
    hasty.accept(List.of());
    assertThat(hasty.all()).isEmpty();
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
  @DisplayName("13.3 a pool that was exhausted stays so until a count that began later")
  void exhaustedAfterCount() {
    PoolLedger<String> ledger = quarantining(Duration.ZERO);
    long begun = time.nanos();
    time.runUntil(begun + 1_000);
    ledger.exhausted(A);
    ledger.accept(pool(A, 7), begun);
    assertThat(free(ledger, A)).as("it may have been counted before").isZero();
    ledger.accept(pool(A, 6), begun);
    assertThat(free(ledger, A)).isZero();
    ledger.accept(pool(A, 5), time.nanos());
    assertThat(free(ledger, A)).isEqualTo(5);
    ledger.accept(pool(A, 4), begun);
    assertThat(free(ledger, A)).as("the exhaustion is over").isEqualTo(4);
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
  @DisplayName("Z29 released addresses count after the quarantine, each batch by itself, measured")
  void quarantine() {
    PoolLedger<String> ledger = quarantining(Duration.ofMinutes(10));
    ledger.gave(A, 3);
    assertThat(measured.value(Metric.ENI_QUARANTINED, A.text())).isEqualTo(3);
    assertThat(free(ledger, A)).isEqualTo(10);
    time.runUntil(Duration.ofMinutes(5).toNanos());
    ledger.gave(A, 2);
    ledger.accept(pool(A, 15), time.nanos());
    assertThat(free(ledger, A)).as("the cloud counts all five as free").isEqualTo(10);
    assertThat(ledger.quotas()).containsEntry(A, new PoolQuota("zone", 10, 0));
    time.runUntil(Duration.ofMinutes(10).minusSeconds(1).toNanos());
    assertThat(free(ledger, A)).isEqualTo(10);
    time.runUntil(Duration.ofMinutes(10).plusSeconds(10).toNanos());
    assertThat(free(ledger, A)).isEqualTo(13);
    time.runUntil(Duration.ofMinutes(15).plusSeconds(10).toNanos());
    assertThat(free(ledger, A)).isEqualTo(15);
    ledger.reportCooling();
    assertThat(measured.value(Metric.ENI_QUARANTINED, A.text())).isZero();
    ledger.retain(Set.of());
    assertThat(measured.value(Metric.ENI_QUARANTINED, A.text())).isNaN();
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

  @Test
  @DisplayName("a read of all pools that began before a pool was found full does not reopen it")
  void allReadLate() {
    read(100);
    pools.exhausted(A);
    read(100);
    assertThat(a().mayHaveAddresses()).isFalse();
    assertThat(a().hasRoom()).isFalse();
    pools.accept(pool(A, 100), time.nanos());
    assertThat(a().mayHaveAddresses()).as("nor does one of this pool, within the pause").isFalse();
  }

  @Test
  @DisplayName("what is on its way is measured, until the pool is gone")
  void inFlightIsMeasured() {
    read(10);
    pools.reserve(A, 3);
    assertThat(measured.value(Metric.ENI_IN_FLIGHT, A.text())).isEqualTo(3);
    pools.settle(A, 3, 1);
    assertThat(measured.value(Metric.ENI_IN_FLIGHT, A.text())).isZero();
    assertThat(a().free()).isEqualTo(9);
    pools.accept(List.of());
    assertThat(measured.value(Metric.ENI_IN_FLIGHT, A.text())).isNaN();
  }
}
