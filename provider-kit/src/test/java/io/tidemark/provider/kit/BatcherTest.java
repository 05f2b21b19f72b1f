package io.tidemark.provider.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.Failure;
import io.tidemark.resilience.Priority;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.SyncOutcome;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Reads of single instances")
class BatcherTest {
  private static final Batcher.Options<InstanceId> OPTIONS = Batcher.Options.usual();

  private static final Failure HUNG = Failure.of(Failure.Kind.LOST, "timeout", "no answer");

  private final VirtualTime time = new VirtualTime(0);
  private final Cancellation shutdown = new Cancellation();
  private final HeldReads cloud = new HeldReads();
  private long generation;
  private final Batcher<InstanceId, SyncOutcome> syncs =
      new Batcher<>(
          time, OPTIONS, cloud.batches(() -> new ReadMark(++generation, time.nanos())), shutdown);

  /** A cloud that answers when the test says so. */
  private static final class HeldReads implements InstanceSource<String> {
    private final Deque<Held> held = new ArrayDeque<>();
    private boolean defect;

    private record Held(
        Set<InstanceId> ids, CallContext context, CompletableFuture<CallResult<String>> answer) {}

    @Override
    public CompletionStage<CallResult<String>> read(Set<InstanceId> ids, CallContext context) {
      held.addLast(new Held(Set.copyOf(ids), context, new CompletableFuture<>()));
      return held.getLast().answer();
    }

    @Override
    public CompletionStage<Map<InstanceId, SyncOutcome>> accept(
        ReadMark mark, Set<InstanceId> ids, String found, CallContext context) {
      if (defect) {
        return CompletableFuture.failedStage(new IllegalStateException("a defect"));
      }
      Map<InstanceId, SyncOutcome> outcomes = new HashMap<>();
      ids.forEach(id -> outcomes.put(id, new SyncOutcome.Synced(mark.generation())));
      return CompletableFuture.completedStage(outcomes);
    }

    /** Sizes of the requests on the way, oldest first. */
    List<Integer> onTheWay() {
      return held.stream().map(each -> each.ids().size()).toList();
    }

    void answer() {
      held.removeFirst().answer().complete(new CallResult.Answered<>("found"));
    }

    void fail(Failure failure) {
      held.removeFirst().answer().complete(new CallResult.Failed<>(failure));
    }
  }

  private CallContext context(Priority.Rank rank, Duration patience) {
    long deadline = time.nanos() + patience.toNanos();
    return CallContext.of("node", Priority.of(rank), deadline, new Cancellation());
  }

  private CompletableFuture<SyncOutcome> sync(int instance, CallContext context) {
    return syncs.submit(new InstanceId("i-" + instance), context).toCompletableFuture();
  }

  private CompletableFuture<SyncOutcome> sync(int instance) {
    return sync(instance, context(Priority.Rank.VERIFY, Duration.ofMinutes(5)));
  }

  /** For tests that look at the requests alone. */
  private void ask(int instance, CallContext context) {
    sync(instance, context);
  }

  private void ask(int instance) {
    sync(instance);
  }

  private List<CompletableFuture<SyncOutcome>> syncs(int from, int to) {
    List<CompletableFuture<SyncOutcome>> all = new ArrayList<>();
    for (int i = from; i < to; i++) {
      all.add(sync(i));
    }
    return all;
  }

  private void pass(Duration duration) {
    time.runUntil(time.nanos() + duration.toNanos());
  }

  @Test
  @DisplayName("one alone goes at once; those that come meanwhile share the next request")
  void coalesces() {
    List<CompletableFuture<SyncOutcome>> answers = syncs(0, 100);
    assertThat(cloud.onTheWay()).containsExactly(1);

    cloud.answer();
    assertThat(answers.get(0)).isCompletedWithValue(new SyncOutcome.Synced(1));
    assertThat(answers.get(1)).isNotDone();
    assertThat(cloud.onTheWay()).containsExactly(99);
    cloud.answer();
    assertThat(answers.subList(1, 100))
        .allSatisfy(each -> assertThat(each).isCompletedWithValue(new SyncOutcome.Synced(2)));
    assertThat(cloud.onTheWay()).isEmpty();
    pass(Duration.ofHours(1));
    assertThat(time.pending()).as("timers that are left").isZero();
  }

  @Test
  @DisplayName("two that ask for the same instance share its place in the request")
  void sameInstance() {
    ask(0);
    CompletableFuture<SyncOutcome> one = sync(5);
    CompletableFuture<SyncOutcome> other = sync(5);
    cloud.answer();
    assertThat(cloud.onTheWay()).containsExactly(1);
    cloud.answer();
    assertThat(one).isCompletedWithValue(new SyncOutcome.Synced(2));
    assertThat(other).isCompletedWithValue(new SyncOutcome.Synced(2));
  }

  @Test
  @DisplayName("a slow request holds the others up no longer than the time to gather")
  void slowRequest() {
    ask(0);
    pass(Duration.ofSeconds(1));
    ask(1);
    pass(Duration.ofMillis(20));
    ask(2);
    pass(OPTIONS.gather().minusMillis(20).minusNanos(1));
    assertThat(cloud.onTheWay()).containsExactly(1);
    pass(Duration.ofNanos(1));
    assertThat(cloud.onTheWay()).containsExactly(1, 2);
    CompletableFuture<SyncOutcome> third = sync(3);
    pass(OPTIONS.gather());
    assertThat(cloud.onTheWay()).containsExactly(1, 2, 1);
    cloud.answer();
    cloud.answer();
    cloud.answer();
    assertThat(third).isCompletedWithValue(new SyncOutcome.Synced(3));
  }

  @Test
  @DisplayName("no request names more instances than the bound, and few are on the way at once")
  void bounds() {
    List<CompletableFuture<SyncOutcome>> answers = syncs(0, 1000);
    for (int i = 0; i < 20; i++) {
      pass(OPTIONS.gather());
    }
    assertThat(cloud.onTheWay()).containsExactly(1, 200, 200, 200);
    int requests = 0;
    while (!cloud.onTheWay().isEmpty()) {
      cloud.answer();
      requests++;
      pass(OPTIONS.gather());
      assertThat(cloud.onTheWay()).hasSizeLessThanOrEqualTo(OPTIONS.underWayMax());
    }
    assertThat(requests).isEqualTo(6);
    assertThat(answers).allSatisfy(each -> assertThat(each).isDone());
  }

  @ParameterizedTest
  @DisplayName("F-14 a batch that the cloud is silent about is split, so that one fails alone")
  @EnumSource(
      value = Failure.Kind.class,
      names = {"LOST", "TRANSIENT"})
  void splits(Failure.Kind kind) {
    Failure silent = Failure.of(kind, "condition", "no answer");
    ask(0);
    List<CompletableFuture<SyncOutcome>> answers = syncs(1, 6);
    cloud.answer();

    cloud.fail(silent);
    assertThat(cloud.onTheWay()).containsExactly(2, 3);
    cloud.fail(silent);
    assertThat(cloud.onTheWay()).containsExactly(3, 1, 1);
    cloud.answer();
    cloud.fail(silent);
    cloud.answer();
    assertThat(cloud.onTheWay()).isEmpty();
    assertThat(answers.get(0)).isCompletedWithValue(new SyncOutcome.Failed(silent));
    assertThat(answers.subList(1, 5))
        .allSatisfy(each -> assertThat(each.getNow(null)).isInstanceOf(SyncOutcome.Synced.class));
  }

  @Test
  @DisplayName("while halves of a batch are on the way, what comes waits for the time to gather")
  void halvesCount() {
    syncs(0, 5);
    cloud.answer();
    cloud.fail(HUNG);
    assertThat(cloud.onTheWay()).containsExactly(2, 2);
    ask(9);
    cloud.answer();
    assertThat(cloud.onTheWay()).as("one half is on the way still").containsExactly(2);
    cloud.answer();
    assertThat(cloud.onTheWay()).as("nothing else is on the way").containsExactly(1);
  }

  @Test
  @DisplayName("a refusal is the answer to everyone in the batch, who are not asked for again")
  void refused() {
    Failure refused = Failure.of(Failure.Kind.CONFIGURATION, "unauthorized", "no permission");
    ask(0);
    List<CompletableFuture<SyncOutcome>> answers = syncs(1, 4);
    cloud.answer();
    cloud.fail(refused);
    assertThat(cloud.onTheWay()).isEmpty();
    assertThat(answers)
        .allSatisfy(each -> assertThat(each).isCompletedWithValue(new SyncOutcome.Failed(refused)));
  }

  @Test
  @DisplayName("a defect leaves nobody waiting, nor the next request")
  void defect() {
    CompletableFuture<SyncOutcome> first = sync(0);
    CompletableFuture<SyncOutcome> second = sync(1);
    cloud.defect = true;
    cloud.answer();
    assertThat(first.getNow(null))
        .isInstanceOfSatisfying(
            SyncOutcome.Failed.class,
            failed -> {
              assertThat(failed.failure().kind()).isEqualTo(Failure.Kind.TRANSIENT);
              assertThat(failed.failure().condition()).isEqualTo("defect");
            });
    cloud.defect = false;
    cloud.answer();
    assertThat(second.getNow(null)).isInstanceOf(SyncOutcome.Synced.class);
  }

  @Test
  @DisplayName("who cancels or runs out of time is answered at once, and is not asked for")
  void givesUp() {
    ask(0);
    CallContext context = context(Priority.Rank.VERIFY, Duration.ofMinutes(5));
    CompletableFuture<SyncOutcome> cancelled = sync(1, context);
    CompletableFuture<SyncOutcome> late =
        sync(2, context(Priority.Rank.VERIFY, OPTIONS.gather().dividedBy(2)));

    context.cancellation().cancel();
    assertThat(condition(cancelled)).isEqualTo("cancelled");
    assertThat(late).isNotDone();
    pass(OPTIONS.gather().dividedBy(2));
    assertThat(condition(late)).isEqualTo("deadline");
    pass(OPTIONS.gather());
    assertThat(cloud.onTheWay()).as("nobody wants anything any more").containsExactly(1);
    ask(3);
    cloud.answer();
    assertThat(cloud.onTheWay()).containsExactly(1);
  }

  private static String condition(CompletableFuture<SyncOutcome> answer) {
    return ((SyncOutcome.Failed) answer.getNow(null)).failure().condition();
  }

  @Test
  @DisplayName("a request is as urgent as its most urgent, and waits as long as its most patient")
  void contextOfBatch() {
    ask(0);
    pass(Duration.ofSeconds(7));
    ask(1, context(Priority.Rank.RELEASE, Duration.ofMinutes(3)));
    ask(2, context(Priority.Rank.PODS_WAITING, Duration.ofMinutes(1)));
    cloud.answer();
    CallContext context = cloud.held.getFirst().context();
    assertThat(context.priority().rank()).isEqualTo(Priority.Rank.PODS_WAITING);
    assertThat(context.deadlineNanos()).isEqualTo(Duration.ofSeconds(7).plusMinutes(3).toNanos());
    assertThat(context.cancellation()).isSameAs(shutdown);
  }

  /** Items of a group go together from three on. */
  private Batcher<InstanceId, SyncOutcome> gathering() {
    return new Batcher<>(
        time,
        new Batcher.Options<>(
            200, 4, Duration.ofMillis(50), id -> id.text().substring(0, 1), false, id -> 3),
        cloud.batches(() -> new ReadMark(++generation, time.nanos())),
        shutdown);
  }

  private CompletableFuture<SyncOutcome> sync(Batcher<InstanceId, SyncOutcome> by, String id) {
    return by.submit(new InstanceId(id), context(Priority.Rank.VERIFY, Duration.ofMinutes(5)))
        .toCompletableFuture();
  }

  @Test
  @DisplayName("Z9 from the least number on a group goes in one request, another group apart")
  void together() {
    Batcher<InstanceId, SyncOutcome> many = gathering();
    List<CompletableFuture<SyncOutcome>> answers = new ArrayList<>();
    for (String id : List.of("a-1", "a-2", "b-1", "a-3", "a-4", "b-2")) {
      answers.add(sync(many, id));
    }
    pass(Duration.ofMillis(50));
    assertThat(cloud.onTheWay()).containsExactly(1, 3);
    pass(Duration.ofMillis(50));
    assertThat(cloud.onTheWay()).as("two of b, one by one").containsExactly(1, 3, 1, 1);
    for (int i = 0; i < 4; i++) {
      cloud.answer();
    }
    assertThat(answers).allMatch(CompletableFuture::isDone);
  }

  @Test
  @DisplayName("Z9 fewer than the least number of a group go one by one, so that one fails alone")
  void failsAlone() {
    Batcher<InstanceId, SyncOutcome> few = gathering();
    CompletableFuture<SyncOutcome> first = sync(few, "a-1");
    CompletableFuture<SyncOutcome> second = sync(few, "a-2");
    CompletableFuture<SyncOutcome> third = sync(few, "a-3");
    assertThat(cloud.onTheWay()).as("the first goes at once").containsExactly(1);
    pass(Duration.ofMillis(50));
    assertThat(cloud.onTheWay()).as("two of them waited").containsExactly(1, 1, 1);
    cloud.answer();
    cloud.fail(HUNG);
    cloud.answer();
    assertThat(first.join()).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(second.join()).isInstanceOf(SyncOutcome.Failed.class);
    assertThat(third.join()).isInstanceOf(SyncOutcome.Synced.class);
  }
}
