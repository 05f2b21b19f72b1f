package io.tidemark.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.cluster.run.RunThreads;
import io.tidemark.cluster.run.StopReport;
import io.tidemark.config.ConfigSource;
import io.tidemark.error.IpamException;
import io.tidemark.node.Explanation;
import io.tidemark.node.NodeReport;
import io.tidemark.resource.InMemoryNodeResourceStore;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.PoolId;
import io.tidemark.testing.Hang;
import io.tidemark.time.EffectFate;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("An embedded engine")
class TidemarkTest {
  /** A stop divides its bound among its steps; each of them gets more than the hang limit. */
  private static final Duration LONG = Hang.LIMIT.multipliedBy(12);

  private final FakeProvider provider = new FakeProvider();

  private TidemarkBuilder over(TestBackend backend) {
    return Tidemark.builder().provider(provider).store(backend);
  }

  private static <T> T await(CompletionStage<T> stage) throws Exception {
    return stage.toCompletableFuture().get(Hang.SECONDS, TimeUnit.SECONDS);
  }

  @Test
  @DisplayName("started twice reads nodes and cloud once, and both calls learn the same")
  void startsOnce() throws Exception {
    TestBackend backend = new TestBackend("worker-a", "worker-b");
    try (Tidemark engine = over(backend).build()) {
      CompletionStage<Boolean> first = engine.start();
      assertThat(await(engine.start())).isTrue();
      assertThat(await(first)).isTrue();
      assertThat(backend.opened).hasSize(1);
      assertThat(provider.seen).hasSize(2).last().isEqualTo(Map.of("cluster-uid", "u-1"));
      assertThat(engine.reports())
          .extracting(NodeReport::name)
          .containsExactly("worker-a", "worker-b");
      assertThat(engine.unready()).isEmpty();
    }
  }

  @Test
  @DisplayName("gives the provider the notes of former leaders, and its notes to the next one")
  void notes() throws Exception {
    TestBackend backend = new TestBackend();
    backend.inherited = Map.of("theirs", "2", "learned-rates", "\tDescribe\t1.5\n");
    try (Tidemark engine = over(backend).build()) {
      assertThat(await(engine.start())).isTrue();
      assertThat(backend.notes.get()).containsEntry("mine", "1").containsEntry("theirs", "2");
      assertThat(backend.notes.get()).containsKey("learned-rates");
    }
  }

  @Test
  @DisplayName("explains its nodes, and answers nothing for an unknown one")
  void explains() throws Exception {
    Set<String> changed = ConcurrentHashMap.newKeySet();
    try (Tidemark engine = over(new TestBackend("worker-a")).build()) {
      Set<String> beside = ConcurrentHashMap.newKeySet();
      engine.onChange(changed::add);
      engine.onChange(beside::add);
      assertThat(await(engine.start())).isTrue();
      assertThat(await(engine.explain("worker-a"))).isPresent();
      assertThat(await(engine.explain("worker-z"))).isEmpty();
      assertThat(engine.report("worker-z")).isEmpty();
      assertThat(engine.problemsOf("worker-z")).isEmpty();
      assertThat(changed).containsExactly("worker-a").isEqualTo(beside);
      assertThat(engine.pools()).containsOnlyKeys(new PoolId("subnet-f"));
      assertThat(engine.changesUnderWay()).isEmpty();
    }
  }

  @Test
  @DisplayName("answers before its start that there is nothing, and opens nothing")
  void notStarted() throws Exception {
    TestBackend backend = new TestBackend("worker-a");
    try (Tidemark engine = over(backend).build()) {
      assertThat(engine.reports()).isEmpty();
      assertThat(await(engine.explain("worker-a"))).isEmpty();
      assertThat(engine.unready()).containsExactly("the engine was not started");
      assertThat(engine.counts().allCalls()).isZero();
      assertThat(engine.pools()).isEmpty();
      assertThat(engine.buckets()).isEmpty();
      assertThat(engine.changesUnderWay()).isEmpty();
      assertThat(engine.isSettled()).isFalse();
      assertThatThrownBy(engine::timer).isInstanceOf(IllegalStateException.class);
      assertThat(engine.stop(LONG).isClean()).isTrue();
    }
    assertThat(backend.opened).isEmpty();
  }

  @Test
  @DisplayName("refuses all wrong settings at once, those of provider and store too")
  void allProblems() {
    TidemarkBuilder builder =
        Tidemark.builder()
            .provider(provider)
            .store(new TestBackend().refusing())
            .settings(Map.of("backoff-base", "soon", "fake-color", "red", "no-such-key", "1"));
    assertThatThrownBy(builder::build)
        .isInstanceOf(IpamException.class)
        .hasMessageContaining("4 problems")
        .hasMessageContaining("backoff-base=soon")
        .hasMessageContaining("no-such-key is not a setting")
        .hasMessageContaining("fake-color is not blue")
        .hasMessageContaining("the store refuses it");
  }

  @Test
  @DisplayName("explains no node after its stop")
  void explainsNothingAfterStop() throws Exception {
    try (Tidemark engine = over(new TestBackend("worker-a")).build()) {
      assertThat(await(engine.start())).isTrue();
      assertThat(await(engine.explain("worker-a"))).isPresent();
      assertThat(engine.stop(LONG).isClean()).isTrue();
      assertThat(await(engine.explain("worker-a"))).isEmpty();
    }
  }

  @Test
  @DisplayName("answers a question that still waits at its stop with nothing")
  void waitsAtStop() throws Exception {
    CompletableFuture<String> busy = new CompletableFuture<>();
    CompletableFuture<Void> released = new CompletableFuture<>();
    try (Tidemark engine = over(new TestBackend("worker-a")).build()) {
      engine.onChange(
          name -> {
            busy.complete(name);
            released.join();
          });
      engine.start();
      assertThat(await(busy)).isEqualTo("worker-a");
      CompletionStage<Optional<Explanation>> answer = engine.explain("worker-a");
      assertThat(answer.toCompletableFuture()).isNotDone();
      assertThat(engine.stop(Duration.ofMillis(1)).isClean()).isFalse();
      assertThat(await(answer)).isEmpty();
    } finally {
      released.complete(null);
    }
  }

  @Test
  @DisplayName("refuses a key of the program or of another store with its owner and the remedy")
  void foreignKeys() {
    TidemarkBuilder builder =
        over(new TestBackend()).settings(Map.of("provider", "mock", "leader-election", "false"));
    assertThatThrownBy(builder::build)
        .isInstanceOf(IpamException.class)
        .hasMessageContaining(
            "program: provider is a setting of the program tidemark."
                + " Call provider(...) of TidemarkBuilder.")
        .hasMessageContaining(
            "program: leader-election is a setting of KubernetesBackend."
                + " Remove the key, or call store(...) with a KubernetesBackend.");
  }

  @Test
  @DisplayName("needs a provider that exists, and a store")
  void incomplete() {
    assertThatThrownBy(() -> Tidemark.builder().provider("gcp"))
        .isInstanceOf(IpamException.class)
        .hasMessageContaining("program: there is no provider 'gcp'");
    assertThatThrownBy(() -> Tidemark.builder().provider(provider).build())
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("no store was given");
    assertThatThrownBy(() -> Tidemark.builder().store(new TestBackend()).build())
        .hasMessage("no provider was given");
  }

  @Test
  @DisplayName("whose provider refuses settings that were not asked before ends its start with why")
  void refusedAtStart() {
    ConfigSource red = ConfigSource.of(Map.of("fake-color", "red"));
    try (Tidemark engine = over(new TestBackend()).settings(red).build()) {
      assertThatThrownBy(() -> await(engine.start()))
          .hasCauseInstanceOf(IpamException.class)
          .hasMessageContaining("fake-color is not blue");
    }
  }

  @Test
  @DisplayName("waits at its stop for writes that are under way, then closes the store")
  void waitsForWrites() throws Exception {
    TestBackend backend = new TestBackend("worker-a");
    backend.writing = Duration.ofMillis(400);
    Tidemark engine = over(backend).build();
    assertThat(await(engine.start())).isTrue();
    StopReport report = engine.stop(LONG);
    assertThat(report.unknown()).isEmpty();
    assertThat(report.isClean()).isTrue();
    assertThat(engine.stop(LONG)).as("stopped twice").isSameAs(report);
    assertThatThrownBy(engine::start).hasMessageContaining("TM-1303");
    engine.close();
    engine.close();
    assertThat(backend.closed).isEqualTo(1);
  }

  @Test
  @DisplayName("waits at its stop no longer than its bound, and says what is left")
  void bounded() throws Exception {
    TestBackend backend = new TestBackend();
    backend.writing = Duration.ofMinutes(5);
    try (Tidemark engine = over(backend).build()) {
      assertThat(await(engine.start())).isTrue();
      StopReport report = engine.stop(Duration.ofSeconds(1));
      assertThat(report.unknown()).containsExactly("the last write");
      assertThat(report.isClean()).isFalse();
    }
  }

  @Test
  @DisplayName("D-22 does nothing before its turn, and tells when the lease is lost before")
  void waitsForItsTurn() throws Exception {
    TestBackend backend = new TestBackend("worker-a");
    backend.turn = new CompletableFuture<>();
    try (Tidemark engine = over(backend).build()) {
      CompletionStage<Boolean> started = engine.start();
      assertThat(engine.turn().toCompletableFuture()).isNotDone();
      assertThat(provider.seen).as("only the check of its settings").hasSize(1);
      backend.lost.complete("another operator holds the lease");
      assertThat(await(engine.lost())).isEqualTo("another operator holds the lease");
      assertThat(engine.stop(LONG).isClean()).isTrue();
      backend.turn.complete("too late");
      assertThatThrownBy(() -> await(started)).isInstanceOf(ExecutionException.class);
    }
    assertThat(backend.closed).isEqualTo(1);
  }

  @Test
  @DisplayName("runs on the threads, clock and chance that it is given, and leaves them running")
  void givenThreads() {
    VirtualTime time = new VirtualTime(1_700_000_000_000L);
    EffectRunner effects =
        time.effects((site, timeout) -> EffectFate.answered(Duration.ZERO, Duration.ZERO));
    InMemoryNodeResourceStore server = new InMemoryNodeResourceStore();
    assertThat(server.create(NodeResource.named("worker-a"))).isNotNull();
    try (Tidemark engine =
        Tidemark.builder()
            .provider(provider)
            .store(server.client(time))
            .threads(new RunThreads(time, time, 1, effects, effects))
            .random(new SplittableRandom(1))
            .cloudCalls(Requests.door(time))
            .build()) {
      CompletionStage<Boolean> started = engine.start();
      assertThat(started.toCompletableFuture()).isNotDone();
      time.runUntil(time.nanos() + Duration.ofSeconds(1).toNanos());
      assertThat(started.toCompletableFuture()).isCompletedWithValue(true);
      assertThat(engine.timer()).isSameAs(time);
      assertThat(engine.unhealthy()).isEmpty();
      assertThat(engine.reports()).hasSize(1);
    }
    time.runUntil(time.nanos() + Duration.ofMinutes(1).toNanos());
  }

  @Test
  @DisplayName("that only reads tells the store so")
  void readOnly() throws Exception {
    TestBackend backend = new TestBackend();
    try (Tidemark engine = over(backend).readOnly().build()) {
      assertThat(await(engine.start())).isTrue();
      assertThat(backend.opened).singleElement().matches(each -> each.readOnly());
    }
  }
}
