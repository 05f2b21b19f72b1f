package io.tidemark.provider.kit.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.metrics.NoMetrics;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.PoolQuota;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What is free in the pools")
class PoolLedgerTest {
  private static final PoolId A = new PoolId("a");

  private final VirtualTime time = new VirtualTime(0);
  private final PoolLedger<String> pools =
      new PoolLedger<>(time, NoMetrics.INTERFACES, PoolLedger.PAUSE);

  private void read(int free) {
    pools.accept(List.of(Pool.read(A, "zone", "subnet", true, free)));
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
    time.runUntil(PoolLedger.PAUSE.toNanos());
    assertThat(a().mayHaveBlocks()).isTrue();
  }

  @Test
  @DisplayName(
      "without a pause for addresses the next read alone decides, and a read forgets pools")
  void noPause() {
    PoolLedger<String> hasty = new PoolLedger<>(time, NoMetrics.INTERFACES, Duration.ZERO);
    hasty.accept(List.of(Pool.read(A, "zone", "subnet", true, 5)));
    hasty.exhausted(A);
    assertThat(hasty.find(A).orElseThrow().mayHaveAddresses()).isFalse();
    hasty.accept(List.of(Pool.read(A, "zone", "subnet", true, 5)));
    assertThat(hasty.find(A).orElseThrow().mayHaveAddresses()).isTrue();
    hasty.reserve(A, 9);
    assertThat(hasty.quotas()).containsEntry(A, new PoolQuota("zone", 0, 0));
    hasty.accept(List.of());
    assertThat(hasty.all()).isEmpty();
  }
}
