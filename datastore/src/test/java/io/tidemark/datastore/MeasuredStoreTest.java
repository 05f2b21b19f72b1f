package io.tidemark.datastore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.datastore.checkpoint.MeasuredCheckpointer;
import io.tidemark.datastore.checkpoint.TestCheckpoint;
import io.tidemark.file.CrashingFiles.Fault;
import io.tidemark.ip.IpFamily;
import io.tidemark.metrics.DatastoreMetrics;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a store measures")
class MeasuredStoreTest {
  private final List<Supplier<DatastoreMetrics.StoreCounts>> cards = new ArrayList<>();
  private final List<Supplier<DatastoreMetrics.PlaceCounts>> places = new ArrayList<>();
  private final List<String> writes = new ArrayList<>();
  private final List<String> reused = new ArrayList<>();
  private final List<Integer> batches = new ArrayList<>();
  private final DatastoreMetrics metrics =
      new DatastoreMetrics() {
        @Override
        public void card(int card, Supplier<StoreCounts> counts) {
          cards.add(counts);
        }

        @Override
        public void places(int card, Supplier<PlaceCounts> counts) {
          places.add(counts);
        }

        @Override
        public void plan(int card, Supplier<PlanCounts> plan) {
          throw new UnsupportedOperationException("a store has no plan");
        }

        @Override
        public void checkpoint(int card, boolean written, Duration took) {
          writes.add(card + " " + written + " " + took);
        }

        @Override
        public void batch(int card, int changes) {
          batches.add(changes);
        }

        @Override
        public void reused(int card, Duration distance) {
          reused.add(card + " " + distance.toSeconds());
        }

        @Override
        public void loop(int card, Supplier<LoopCounts> counts) {
          throw new UnsupportedOperationException("a store has no loop");
        }

        @Override
        public void inProgress(String action, int change) {
          throw new UnsupportedOperationException("a store does not ask the cloud");
        }

        @Override
        public void failed(String what) {
          throw new UnsupportedOperationException("a store does not ask the cloud");
        }
      };

  @Test
  @DisplayName("Numbers are those of the instant at which they are asked for")
  void counts() {
    TestStore node = TestStore.prefixes().with("eni-1", 1, "10.0.0.0/28", "2001:db8::/124");
    node.store.measure(0, metrics);
    assertThat(cards.get(0).get())
        .isEqualTo(new DatastoreMetrics.StoreCounts(1, 32, 0, 1, 0, 0, 0, 0, 0, 0, 0));
    node.assign("a");
    node.assign("b");
    node.assign6("c");
    node.release("b");
    assertThat(cards.get(0).get())
        .isEqualTo(new DatastoreMetrics.StoreCounts(1, 32, 2, 1, 1, 0, 0, 0, 0, 0, 0));
    assertThat(places.get(0).get())
        .isEqualTo(
            new DatastoreMetrics.PlaceCounts(
                Map.of("eni-1", 2), Map.of("10.0.0.0/28", 1, "2001:db8::/124", 1)));
    assertThat(node.remove("eni-1", "10.0.0.0/28", Removal.FORCED)).isEmpty();
    assertThat(node.assigning("d")).isInstanceOf(AssignOutcome.NoAddress.class);
    assertThat(cards.get(0).get())
        .isEqualTo(new DatastoreMetrics.StoreCounts(1, 16, 1, 0, 0, 1, 1, 1, 0, 1, 0));
  }

  @Test
  @DisplayName("Each write is measured, also one that fails")
  void checkpoints() throws IOException {
    TestCheckpoint file = TestCheckpoint.empty();
    TestStore node = TestStore.addresses();
    MeasuredCheckpointer measured = new MeasuredCheckpointer(file, node.time, 3, metrics);
    measured.checkpoint(file.content());
    file.setError(Optional.of("no room"));
    assertThatThrownBy(() -> measured.checkpoint(new byte[0])).hasMessage("no room");
    assertThat(writes).containsExactly("3 true PT0S", "3 false PT0S");
    assertThat(measured.name()).isEqualTo(file.name());
  }

  @Test
  @DisplayName("The time from a release to the next assignment, in the cooldown and long after it")
  void reused() {
    TestStore node = TestStore.addresses().with("eni-1", 1, "10.0.0.7");
    node.store.measure(2, metrics);
    node.assign("a");
    assertThat(reused).as("never released before").isEmpty();
    node.release("a");
    node.pass(Duration.ofMinutes(10));
    node.assign("b");
    node.release("b");
    node.store.cannotGrow();
    node.pass(Duration.ofSeconds(45));
    node.assign("c");
    assertThat(node.ip("c")).as("a repeated request is none").isEqualTo("10.0.0.7");
    assertThat(reused).containsExactly("2 600", "2 45");
    node.release("c");
    node.pass(Duration.ofSeconds(40));
    node.files.fault(node.files.changes().size(), Fault.FAILS, 0);
    assertThat(node.assigning("d")).isInstanceOf(AssignOutcome.Refused.class);
    node.pass(Duration.ofSeconds(20));
    node.assign("d");
    assertThat(reused).as("a failed assignment is none").containsExactly("2 600", "2 45", "2 60");
  }

  @Test
  @DisplayName("D112 How many changes each write of the checkpoint has")
  void batches() {
    TestStore node =
        TestStore.addresses().with("eni-1", 1, "10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.4");
    node.store.measure(0, metrics);
    for (String pod : List.of("a", "b", "c", "d")) {
      Object unused = node.store.assign(TestStore.key(pod), TestStore.POD, IpFamily.IPV4);
    }
    node.pass(Duration.ofSeconds(1));
    assertThat(batches).containsExactly(1, 3);
  }
}
