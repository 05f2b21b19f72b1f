package io.tidemark.cluster.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.run.KeyedReconciler.End;
import io.tidemark.cluster.run.KeyedReconciler.Request;
import io.tidemark.cluster.run.KeyedReconciler.Rest;
import io.tidemark.cluster.run.KeyedReconciler.Step;
import io.tidemark.resource.CatchUp;
import io.tidemark.time.RequestSlots;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A keyed reconciler")
class KeyedReconcilerTest {
  private static final Duration TRAVEL = Duration.ofMillis(10);

  private final VirtualTime time = new VirtualTime(0);
  private final RequestSlots slots = new RequestSlots(2);
  private final RequestSlots others = new RequestSlots(1);

  /** Such as {@code 10 n1/a}: when which request was sent. */
  private final List<String> sent = new ArrayList<>();

  private final KeyedReconciler<Named> reconciler =
      new KeyedReconciler<>(time, 4, time, new Random(1), List.of(slots, others), Named::new);

  /** The steps of one name are what the test says. */
  private final class Named implements KeyedReconciler.Item {
    final String name;
    final Map<String, Deque<Supplier<Step>>> wanted = new LinkedHashMap<>();
    final List<String> told = new ArrayList<>();
    int decisions;

    Named(String name) {
      this.name = name;
    }

    void requests(String id, RequestSlots room, End... ends) {
      Deque<Supplier<Step>> steps = wanted.computeIfAbsent(id, key -> new ArrayDeque<>());
      for (End end : ends) {
        steps.add(() -> new Request(room, () -> send(id, end)));
      }
    }

    private CompletableFuture<Supplier<End>> send(String id, End end) {
      sent.add(time.nanos() / 1_000_000 + " " + name + "/" + id);
      CompletableFuture<Supplier<End>> answer = new CompletableFuture<>();
      time.after(TRAVEL, () -> answer.complete(() -> told(id, end)));
      return answer;
    }

    private End told(String id, End end) {
      told.add(id + " " + end);
      wanted.getOrDefault(id, new ArrayDeque<>()).poll();
      return end;
    }

    @Override
    public Map<String, Step> steps() {
      decisions++;
      Map<String, Step> steps = new LinkedHashMap<>();
      wanted.forEach(
          (id, queue) -> steps.put(id, queue.isEmpty() ? Rest.QUIET : queue.peek().get()));
      return steps;
    }

    @Override
    public boolean hasUnknown() {
      return !told.isEmpty();
    }

    @Override
    public boolean isEmpty() {
      return wanted.values().stream().allMatch(Deque::isEmpty);
    }
  }

  @BeforeEach
  void activate() {
    assertThat(reconciler.activate()).isTrue();
  }

  private void pass(Duration span) {
    time.runUntil(time.nanos() + span.toNanos());
  }

  @Test
  @DisplayName("has one request of an id at a time, of several ids and names so many as have room")
  void room() {
    reconciler.post("n1", item -> item.requests("a", slots, End.DONE, End.DONE));
    reconciler.post("n1", item -> item.requests("b", slots, End.DONE));
    reconciler.post("n2", item -> item.requests("c", slots, End.DONE));
    reconciler.post("n3", item -> item.requests("d", others, End.DONE));
    assertThat(reconciler.isSettled()).isFalse();
    pass(Duration.ofSeconds(1));
    assertThat(sent).containsExactlyInAnyOrder("0 n1/a", "0 n1/b", "0 n3/d", "10 n1/a", "10 n2/c");
    assertThat(reconciler.isSettled()).isTrue();
    assertThat(reconciler.names()).as("with nothing to remember").isEmpty();
  }

  @Test
  @DisplayName("pauses after a failure, longer each time, and a rest ends the pause")
  void pauses() {
    reconciler.post("n", item -> item.requests("a", slots, End.AGAIN, End.AGAIN, End.DONE));
    pass(Duration.ofMillis(200));
    assertThat(sent).containsExactly("0 n/a");
    reconciler.step("n");
    pass(Duration.ofMillis(20));
    assertThat(sent).as("whatever happens meanwhile").hasSize(1);
    assertThat(reconciler.isSettled()).isFalse();
    pass(Duration.ofSeconds(3));
    assertThat(sent).hasSize(3);
    reconciler.post("n", item -> item.requests("a", slots, End.AGAIN, End.DONE));
    pass(Duration.ofMillis(100));
    reconciler.post("n", item -> item.wanted.clear());
    pass(Duration.ofMillis(1));
    assertThat(reconciler.isSettled()).isTrue();
    pass(Duration.ofMinutes(1));
    assertThat(sent).hasSize(4);
  }

  @Test
  @DisplayName("is settled while people have to act, and tries again all the same")
  void parked() {
    reconciler.post("n", item -> item.requests("a", slots, End.PARKED, End.DONE));
    pass(Duration.ofMillis(100));
    assertThat(reconciler.isSettled()).isTrue();
    pass(Duration.ofSeconds(1));
    assertThat(sent).hasSize(2);
  }

  @Test
  @DisplayName("decides again when a rest is over, and not for one that was given up")
  void rests() {
    long[] until = {Duration.ofSeconds(3).toNanos()};
    reconciler.post(
        "n",
        item ->
            item.wanted.put(
                "a",
                new ArrayDeque<>(
                    List.of(
                        () ->
                            time.nanos() < until[0]
                                ? new Rest(OptionalLong.of(until[0]))
                                : Rest.QUIET))));
    pass(Duration.ofSeconds(1));
    assertThat(reconciler.isSettled()).isTrue();
    until[0] = Duration.ofSeconds(5).toNanos();
    reconciler.step("n");
    pass(Duration.ofSeconds(3));
    assertThat(reconciler.find("n").orElseThrow().decisions).isEqualTo(2);
    pass(Duration.ofSeconds(2));
    assertThat(reconciler.find("n").orElseThrow().decisions).isEqualTo(3);
  }

  @Test
  @DisplayName("drops a request that waited for room and is not wanted any more")
  void unwanted() {
    reconciler.post("n1", item -> item.requests("a", others, End.DONE));
    reconciler.post("n2", item -> item.requests("b", others, End.DONE));
    pass(Duration.ofMillis(5));
    reconciler.post("n2", item -> item.wanted.clear());
    pass(Duration.ofSeconds(1));
    assertThat(sent).containsExactly("0 n1/a");
    assertThat(reconciler.isSettled()).isTrue();
    reconciler.post("n3", item -> item.requests("c", others, End.DONE));
    pass(Duration.ofSeconds(1));
    assertThat(sent).hasSize(2);
  }

  @Test
  @DisplayName("ends when the requests in flight were told, and begins no other")
  void stop() {
    reconciler.post("n1", item -> item.requests("a", others, End.DONE, End.DONE));
    reconciler.post("n2", item -> item.requests("b", others, End.DONE));
    pass(Duration.ofMillis(5));
    Named first = reconciler.find("n1").orElseThrow();
    var stopped = reconciler.stop().toCompletableFuture();
    assertThat(stopped).isNotDone();
    pass(Duration.ofSeconds(1));
    assertThat(stopped).isCompletedWithValue(List.of("n1"));
    assertThat(first.told).containsExactly("a DONE");
    assertThat(sent).hasSize(1);
    assertThat(reconciler.isSettled()).isFalse();
    assertThat(reconciler.stop()).isSameAs(reconciler.stop());
  }

  @Test
  @DisplayName("lists until that works, once, and not after the end")
  void lists() {
    KeyedReconciler<Named> fresh =
        new KeyedReconciler<>(time, 1, time, new Random(1), List.of(slots), Named::new);
    Deque<CatchUp> ends = new ArrayDeque<>();
    ends.add(new CatchUp.Failed("out of order"));
    ends.add(new CatchUp.Done());
    List<String> listed = new ArrayList<>();
    assertThat(
            fresh.start(
                () -> CompletableFuture.completedStage(ends.remove()), () -> listed.add("listed")))
        .isTrue();
    pass(Duration.ofMillis(900));
    assertThat(listed).isEmpty();
    pass(Duration.ofSeconds(1));
    assertThat(listed).containsExactly("listed");
    assertThat(fresh.start(CompletableFuture::new, () -> listed.add("again"))).isFalse();
    fresh.stop();
    assertThat(fresh.activate()).isFalse();
    assertThat(listed).hasSize(1);
  }
}
