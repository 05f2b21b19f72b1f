package io.tidemark.datastore;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.file.CrashingFiles.Fault;
import io.tidemark.ip.IpFamily;
import io.tidemark.metrics.Metric;
import io.tidemark.metrics.TestMeters;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a store measures")
class MeasuredStoreTest {
  private static final Metric REUSED = Metric.STORE_REUSE_DISTANCE;

  private final TestMeters measured = new TestMeters();

  /** The gauges and sums of card 0, in the sequence of docs/metrics.md. */
  private List<Long> counts() {
    return Stream.of(
            Metric.STORE_ENIS,
            Metric.STORE_TOTAL,
            Metric.STORE_ASSIGNED,
            Metric.STORE_PREFIXES,
            Metric.STORE_COOLING,
            Metric.STORE_ORPHANS,
            Metric.STORE_LOST,
            Metric.STORE_NO_ADDRESS,
            Metric.STORE_FORCED_ENIS,
            Metric.STORE_FORCED_IPS,
            Metric.STORE_CUT_SHORT)
        .map(each -> (long) measured.value(each, "0"))
        .toList();
  }

  @Test
  @DisplayName("Numbers are those of the instant at which they are asked for")
  void numbers() {
    TestStore node = TestStore.prefixes().with("eni-1", 1, "10.0.0.0/28", "2001:db8::/124");
    node.store.measure(0, measured.meters);
    assertThat(counts()).containsExactly(1L, 32L, 0L, 1L, 0L, 0L, 0L, 0L, 0L, 0L, 0L);
    node.assign("a");
    node.assign("b");
    node.assign6("c");
    node.release("b");
    assertThat(counts()).containsExactly(1L, 32L, 2L, 1L, 1L, 0L, 0L, 0L, 0L, 0L, 0L);
    assertThat(measured.all(Metric.STORE_ASSIGNED_PER_ENI)).isEqualTo(Map.of("0 eni-1", 2.0));
    assertThat(measured.all(Metric.STORE_ASSIGNED_PER_CIDR))
        .isEqualTo(Map.of("0 10.0.0.0/28", 1.0, "0 2001:db8::/124", 1.0));
    assertThat(node.remove("eni-1", "10.0.0.0/28", Removal.FORCED)).isEmpty();
    assertThat(node.assigning("d")).isInstanceOf(AssignOutcome.NoAddress.class);
    assertThat(counts()).containsExactly(1L, 16L, 1L, 0L, 0L, 1L, 1L, 1L, 0L, 1L, 0L);
    assertThat(measured.all(Metric.STORE_ASSIGNED_PER_CIDR))
        .as("a series goes with its block")
        .isEqualTo(Map.of("0 2001:db8::/124", 1.0));
  }

  @Test
  @DisplayName("Each write is measured, also one that fails")
  void checkpoints() {
    TestStore node = TestStore.addresses().with("eni-1", 1, "10.0.0.7");
    node.store.measure(3, measured.meters);
    node.assign("a");
    node.files.fault(node.files.changes().size(), Fault.FAILS, 0);
    assertThat(node.releasing("a")).isInstanceOf(StoreReleaseOutcome.Refused.class);
    assertThat(measured.value(Metric.STORE_CHECKPOINT_DURATION, "3")).isEqualTo(2);
    assertThat(measured.value(Metric.STORE_CHECKPOINT_FAILURES, "3")).isEqualTo(1);
  }

  @Test
  @DisplayName("The time from a release to the next assignment, in the cooldown and long after it")
  void reused() {
    TestStore node = TestStore.addresses().with("eni-1", 1, "10.0.0.7");
    node.store.measure(2, measured.meters);
    node.assign("a");
    assertThat(measured.all(REUSED)).as("never released before").isEmpty();
    node.release("a");
    node.pass(Duration.ofMinutes(10));
    node.assign("b");
    node.release("b");
    node.store.growable(false);
    node.pass(Duration.ofSeconds(45));
    node.assign("c");
    assertThat(node.ip("c")).as("a repeated request is none").isEqualTo("10.0.0.7");
    assertThat(measured.value(REUSED, "2")).isEqualTo(2);
    assertThat(measured.time(REUSED, "2")).hasSeconds(645);
    node.release("c");
    node.pass(Duration.ofSeconds(40));
    node.files.fault(node.files.changes().size(), Fault.FAILS, 0);
    assertThat(node.assigning("d")).isInstanceOf(AssignOutcome.Refused.class);
    node.pass(Duration.ofSeconds(20));
    node.assign("d");
    assertThat(measured.value(REUSED, "2")).as("a failed assignment is none").isEqualTo(3);
    assertThat(measured.time(REUSED, "2")).hasSeconds(705);
  }

  @Test
  @DisplayName("D112 How many changes each write of the checkpoint has")
  void batches() {
    TestStore node =
        TestStore.addresses().with("eni-1", 1, "10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4");
    node.store.measure(0, measured.meters);
    for (String pod : List.of("a", "b", "c", "d")) {
      node.store.assign(TestStore.key(pod), TestStore.POD, IpFamily.IPV4);
    }
    node.pass(Duration.ofSeconds(1));
    assertThat(measured.value(Metric.STORE_BATCH_SIZE, "0")).as("writes").isEqualTo(2);
    assertThat(measured.total(Metric.STORE_BATCH_SIZE, "0")).as("changes").isEqualTo(1 + 3);
  }
}
