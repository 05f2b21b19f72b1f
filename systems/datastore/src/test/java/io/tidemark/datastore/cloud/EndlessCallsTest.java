package io.tidemark.datastore.cloud;

import static io.tidemark.datastore.cloud.TestLoop.MINUTE;
import static io.tidemark.datastore.cloud.TestLoop.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.Cidr;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A cloud whose calls do not end")
class EndlessCallsTest {
  private final TestLoop node = TestLoop.addresses(2, 4);
  private final Held cloud = new Held(node.client);

  /** Calls of some kinds have no end until they are let go. */
  private static final class Held extends RelayedCloud {
    private final Map<String, CompletableFuture<Void>> held = new HashMap<>();
    private int calls;

    private Held(InterfaceCloud cloud) {
      super(cloud);
    }

    private void hold(String kind) {
      held.put(kind, new CompletableFuture<>());
    }

    /** Those that wait end now, with what the cloud answers now; later ones do not wait. */
    private void letGo(String kind) {
      Objects.requireNonNull(held.remove(kind), kind).complete(null);
    }

    @Override
    <T> CompletionStage<CloudAnswer<T>> call(
        String operation, Supplier<CompletionStage<CloudAnswer<T>>> call) {
      CompletableFuture<Void> gate = held.get(operation.replaceFirst(" .*", ""));
      calls += gate == null ? 0 : 1;
      return gate == null ? call.get() : gate.thenCompose(open -> call.get());
    }
  }

  private void start() {
    node.on(cloud).started();
  }

  @Test
  @DisplayName("D136 A change that does not end counts as lost: a read decides, and it grows again")
  void change() {
    start();
    cloud.hold("assign");
    node.pass(SECOND);
    assertThat(cloud.calls).isEqualTo(1);
    int reads = node.calls("read").size();
    node.pass(InterfaceCloud.CHANGE_MAX.minus(SECOND.multipliedBy(2)));
    assertThat(cloud.calls).as("one change at a time").isEqualTo(1);
    node.pass(MINUTE);
    assertThat(node.calls("read").size()).isGreaterThan(reads);
    assertThat(cloud.calls).as("asked again").isGreaterThan(1);
    assertThat(node.inStore()).isEmpty();
    cloud.letGo("assign");
    node.pass(MINUTE.multipliedBy(5));
    assertThat(node.inStore()).isEqualTo(node.cloud.cidrs()).hasSizeGreaterThanOrEqualTo(4);
  }

  @Test
  @DisplayName("D136 What is given back without an end is reserved until a read shows that it went")
  void decrease() {
    start();
    node.pass(MINUTE);
    for (int pod = 0; pod < 8; pod++) {
      assertThat(node.add("pod-" + pod)).startsWith("10.");
      node.pass(SECOND.multipliedBy(10));
    }
    node.pass(MINUTE);
    for (int pod = 0; pod < 8; pod++) {
      node.del("pod-" + pod);
    }
    cloud.hold("unassign");
    node.pass(MINUTE.multipliedBy(4));
    assertThat(cloud.calls).isEqualTo(1);
    int held = node.inStore().size();
    node.pass(InterfaceCloud.CHANGE_MAX);
    assertThat(node.inStore()).hasSize(held);
    cloud.letGo("unassign");
    node.pass(MINUTE.multipliedBy(15));
    assertThat(node.inStore()).isEqualTo(node.cloud.cidrs()).hasSizeLessThan(held);
  }

  @Test
  @DisplayName("D136 A read that does not end is given up; what it shows later is ignored")
  void read() {
    start();
    node.pass(MINUTE.multipliedBy(5));
    List<Cidr> before = List.copyOf(node.inStore());
    cloud.hold("read");
    node.cloud.removeByOthers(FakeCloud.PRIMARY, before.get(0));
    node.cloud.subnetRoom = 0;
    node.pass(InterfaceCloud.READ_MAX.multipliedBy(4));
    assertThat(cloud.calls).as("asked again, and not often").isBetween(3, 5);
    assertThat(node.inStore()).contains(before.get(0));
    cloud.letGo("read");
    node.pass(MINUTE.multipliedBy(5));
    assertThat(node.inStore()).doesNotContain(before.get(0)).isEqualTo(node.cloud.cidrs());
  }

  @Test
  @DisplayName("D136 The first read ends the wait of the start by its limit at the latest")
  void fill() {
    cloud.hold("read");
    TestLoop begun = node.on(cloud);
    CompletableFuture<Boolean> end = begun.loop.fill().toCompletableFuture();
    node.pass(InterfaceCloud.READ_MAX.minus(Duration.ofSeconds(1)));
    assertThat(end).isNotDone();
    node.pass(Duration.ofSeconds(2));
    assertThat(end).isCompletedWithValue(false);
  }
}
