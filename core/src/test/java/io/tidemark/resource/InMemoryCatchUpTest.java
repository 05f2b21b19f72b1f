package io.tidemark.resource;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.InMemoryNodeResourceStore.DeliveryDelay;
import io.tidemark.resource.InMemoryNodeResourceStore.Interference;
import io.tidemark.time.EffectFate;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An operator's client of the API server in memory, the view of which lags")
class InMemoryCatchUpTest {
  private static final Duration LAG = Duration.ofSeconds(30);
  private static final Duration ANSWER = Duration.ofMillis(100);
  private static final Duration LATE = Duration.ofSeconds(10);
  private static final String US = "tidemark-operator";

  private final VirtualTime time = new VirtualTime(1_700_000_000_000L);
  private final InMemoryNodeResourceStore server = new InMemoryNodeResourceStore(time.time());
  private long lag;
  private Optional<StoreResult> instead = Optional.empty();
  private final NodeResourceStore standby =
      server.operator(US, Optional.of(LATE), time, () -> lag, (operation, name) -> instead);

  private final RecordingWatcher watcher = new RecordingWatcher();

  InMemoryCatchUpTest() {
    standby.watch(watcher);
  }

  private static PodIpPool pool(String address) {
    return PodIpPool.of(Map.of("eni-1", AddressSet.of(IpAddress.parse(address))));
  }

  private NodeResourceStore operator(String writer) {
    return server.operator(writer, Optional.empty(), time, DeliveryDelay.NONE, Interference.NONE);
  }

  private void write(NodeResourceStore store, String name, String address) {
    NodeResource now = server.find(name).orElseThrow();
    assertThat(store.update(now, now.withPool(pool(address))))
        .isInstanceOf(StoreResult.Stored.class);
  }

  private void run(Duration span) {
    time.runUntil(time.nanos() + span.toNanos());
  }

  private CatchUp caughtUp() {
    return caughtUp(standby);
  }

  private CatchUp caughtUp(NodeResourceStore store) {
    CompletionStage<CatchUp> end =
        store.catchUp(time.effects((site, timeout) -> EffectFate.answered(ANSWER, Duration.ZERO)));
    run(ANSWER);
    return end.toCompletableFuture().join();
  }

  private void see(String name) {
    server.create(NodeResource.named(name));
    run(Duration.ofSeconds(1));
    assertThat(standby.latest(name)).isPresent();
  }

  @Test
  @DisplayName("D-22 after it caught up nothing older is known or delivered, deletions included")
  void catchesUp() {
    see("n1");
    see("n2");
    lag = LAG.toNanos();
    write(operator(US), "n1", "10.0.0.1");
    server.delete("n2");
    server.create(NodeResource.named("n3"));
    run(Duration.ofSeconds(1));
    assertThat(standby.latest("n1").orElseThrow().pool().isEmpty()).as("the view lags").isTrue();
    assertThat(standby.latest("n2")).isPresent();

    assertThat(caughtUp()).isEqualTo(new CatchUp.Done());
    assertThat(standby.latest("n1").orElseThrow().pool()).isEqualTo(pool("10.0.0.1"));
    assertThat(standby.latest("n2")).isEmpty();
    assertThat(standby.latest("n3")).isPresent();
    watcher.take();
    run(LAG.multipliedBy(2));
    assertThat(watcher.take()).containsExactly("n1@3", "-n2", "n3@5");
  }

  @Test
  @DisplayName("D-22 a server that does not answer is a failure, and what was known stays")
  void fails() {
    see("n1");
    instead = Optional.of(new StoreResult.Failed("etcd is away"));
    assertThat(caughtUp()).isInstanceOf(CatchUp.Failed.class);
    assertThat(standby.latest("n1")).isPresent();
  }

  @Test
  @DisplayName("D-22 a write of our name may be the predecessor's as long as one may be on its way")
  void writers() {
    see("n1");
    assertThat(standby.lastWriter("n1")).as("nobody wrote").isEqualTo(LastWriter.UNKNOWN);
    write(operator(US), "n1", "10.0.0.1");
    run(Duration.ofSeconds(1));
    assertThat(standby.lastWriter("n1").predecessor()).as("the turn has not begun").isFalse();
    caughtUp();
    assertThat(standby.lastWriter("n1").predecessor()).isTrue();

    write(operator(US), "n1", "10.0.0.2");
    run(Duration.ofMillis(1));
    assertThat(standby.lastWriter("n1").predecessor()).as("in the very second").isTrue();
    run(LATE.minusSeconds(1));
    write(operator(US), "n1", "10.0.0.3");
    run(Duration.ofMillis(1));
    assertThat(standby.lastWriter("n1").predecessor()).as("within the bound").isTrue();
    run(Duration.ofSeconds(2));
    write(operator(US), "n1", "10.0.0.4");
    run(Duration.ofMillis(1));
    assertThat(standby.lastWriter("n1").predecessor()).as("after the bound").isFalse();
  }

  @Test
  @DisplayName("D-22 without an election no write of our name is a predecessor's, whenever it came")
  void alone() {
    see("n1");
    NodeResourceStore unelected = operator(US);
    unelected.watch(new RecordingWatcher());
    run(Duration.ofSeconds(1));
    write(operator(US), "n1", "10.0.0.1");
    CatchUp end = caughtUp(unelected);
    assertThat(end).isEqualTo(new CatchUp.Done());
    assertThat(unelected.lastWriter("n1").predecessor()).isFalse();
  }

  @Test
  @DisplayName("whoever else wrote the pool is known by name, until we write after it")
  void others() {
    see("n1");
    write(operator("another"), "n1", "10.0.0.1");
    run(Duration.ofSeconds(1));
    assertThat(standby.lastWriter("n1").other()).contains("another");
    assertThat(standby.lastWriter("n1").predecessor()).isFalse();
    caughtUp();
    assertThat(standby.lastWriter("n1").predecessor()).isFalse();
    write(standby, "n1", "10.0.0.2");
    assertThat(standby.lastWriter("n1").other()).isEmpty();
  }
}
