package io.tidemark.datastore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.datastore.checkpoint.MeasuredCheckpointer;
import io.tidemark.datastore.checkpoint.TestCheckpoint;
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
}
