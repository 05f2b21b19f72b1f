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
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Reads of single instances")
class BatcherTest {
  private static final Batcher.Options<InstanceId> OPTIONS = Batcher.Options.usual();

  private final VirtualTime time = new VirtualTime(0);
  private final Cancellation shutdown = new Cancellation();
  private final HeldReads cloud = new HeldReads();
  private long generation;
  private Batcher<InstanceId, SyncOutcome> batcher = batcher(OPTIONS);

  /** The answers to those who asked, by instance. */
  private final Map<String, List<CompletableFuture<SyncOutcome>>> asked = new HashMap<>();

  private Batcher<InstanceId, SyncOutcome> batcher(Batcher.Options<InstanceId> options) {
    return new Batcher<>(
        time, options, cloud.batches(() -> new ReadMark(++generation, time.nanos())), shutdown);
  }

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

  /** Instance 5 is {@code i-5}. */
  private CompletableFuture<SyncOutcome> sync(String id, CallContext context) {
    CompletableFuture<SyncOutcome> answer =
        batcher
            .submit(new InstanceId(id.matches("\\d+") ? "i-" + id : id), context)
            .toCompletableFuture();
    asked.computeIfAbsent(id, any -> new ArrayList<>()).add(answer);
    return answer;
  }

  private static Stream<String> ids(String range) {
    String[] ends = range.split("\\.\\.", -1);
    return ends.length == 1
        ? Stream.of(range)
        : IntStream.rangeClosed(Integer.parseInt(ends[0]), Integer.parseInt(ends[1]))
            .mapToObj(Integer::toString);
  }

  private void asks(String range) {
    ids(range).forEach(id -> sync(id, context(Priority.Rank.VERIFY, Duration.ofMinutes(5))));
  }

  private void pass(Duration duration) {
    time.runUntil(time.nanos() + duration.toNanos());
  }

  @Test
  @DisplayName("no request names more instances than the bound, and few are on the way at once")
  void bounds() {
    asks("0..999");
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
    assertThat(asked.values()).hasSize(1000).allMatch(each -> each.get(0).isDone());
  }

  @Test
  @DisplayName("who cancels or runs out of time is answered at once, and is not asked for")
  void givesUp() {
    asks("0");
    CallContext context = context(Priority.Rank.VERIFY, Duration.ofMinutes(5));
    CompletableFuture<SyncOutcome> cancelled = sync("1", context);
    CompletableFuture<SyncOutcome> late =
        sync("2", context(Priority.Rank.VERIFY, OPTIONS.gather().dividedBy(2)));

    context.cancellation().cancel();
    assertThat(condition(cancelled)).isEqualTo("cancelled");
    assertThat(late).isNotDone();
    pass(OPTIONS.gather().dividedBy(2));
    assertThat(condition(late)).isEqualTo("deadline");
    pass(OPTIONS.gather());
    assertThat(cloud.onTheWay()).as("nobody wants anything any more").containsExactly(1);
    asks("3");
    cloud.answer();
    assertThat(cloud.onTheWay()).containsExactly(1);
  }

  private static String condition(CompletableFuture<SyncOutcome> answer) {
    return ((SyncOutcome.Failed) answer.getNow(null)).failure().condition();
  }

  @Test
  @DisplayName("a request is as urgent as its most urgent, and waits as long as its most patient")
  void contextOfBatch() {
    asks("0");
    pass(Duration.ofSeconds(7));
    sync("1", context(Priority.Rank.RELEASE, Duration.ofMinutes(3)));
    sync("2", context(Priority.Rank.PODS_WAITING, Duration.ofMinutes(1)));
    cloud.answer();
    CallContext context = cloud.held.getFirst().context();
    assertThat(context.priority().rank()).isEqualTo(Priority.Rank.PODS_WAITING);
    assertThat(context.deadlineNanos()).isEqualTo(Duration.ofSeconds(7).plusMinutes(3).toNanos());
    assertThat(context.cancellation()).isSameAs(shutdown);
  }

  /**
   * A step such as "asks 1..5", "sends 2 3": sizes of the requests on the way, or "synced 4 1..5".
   */
  private void tell(String... words) {
    List<String> rest = Arrays.asList(words).subList(1, words.length);
    switch (words[0]) {
      case "gathers" ->
          batcher =
              batcher(
                  new Batcher.Options<>(
                      200,
                      4,
                      Duration.ofMillis(50),
                      id -> id.text().substring(0, 1),
                      false,
                      id -> 3));
      case "asks" -> rest.forEach(this::asks);
      case "breaks" -> cloud.defect = true;
      case "works" -> cloud.defect = false;
      case "answers" -> cloud.answer();
      case "fails" -> cloud.fail(Failure.of(Failure.Kind.valueOf(words[1]), words[2], ""));
      case "sends" -> assertThat(cloud.onTheWay()).asString().isEqualTo(rest.toString());
      case "timers" -> assertThat(time.pending()).isEqualTo(Integer.parseInt(words[1]));
      case "open", "synced", "failed" -> {
        String end = String.join(" ", Arrays.asList(words).subList(0, words.length - 1));
        assertThat(
                ids(words[words.length - 1])
                    .flatMap(id -> Objects.requireNonNull(asked.get(id)).stream()))
            .isNotEmpty()
            .allSatisfy(answer -> assertThat(text(answer) + " ").startsWith(end + " "));
      }
      default -> pass(Duration.parse("PT" + words[0]));
    }
  }

  private static String text(CompletableFuture<SyncOutcome> answer) {
    if (answer.getNow(null) instanceof SyncOutcome.Failed failed) {
      return "failed " + failed.failure().kind() + " " + failed.failure().condition();
    }
    return answer.getNow(null) instanceof SyncOutcome.Synced synced
        ? "synced " + synced.startedGeneration()
        : "open";
  }

  @DisplayName("F-14 Z9 requests are shared, bounded and split, so that one instance fails alone")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          one alone goes at once; those that come meanwhile share the next request \
            | asks 0..99; sends 1; answers; synced 1 0; open 1; sends 99; answers; synced 2 1..99; \
              sends; 1h; timers 0
          two that ask for the same instance share its place in the request \
            | asks 0; asks 5 5; answers; sends 1; answers; synced 2 5
          a slow request holds the others up no longer than the time to gather, 50 ms \
            | asks 0; 1s; asks 1; 0.02s; asks 2; 0.029999999s; sends 1; 0.000000001s; sends 1 2; \
              asks 3; 0.05s; sends 1 2 1; answers; answers; answers; synced 3 3
          F-14 a batch that the cloud is silent about is split, so that one fails alone \
            | asks 0; asks 1..5; answers; fails LOST silent; sends 2 3; fails LOST silent; \
              sends 3 1 1; answers; fails LOST silent; answers; sends; failed LOST silent 1; \
              synced 2..5
          F-14 and one that fails by an outage that may pass \
            | asks 0; asks 1..5; answers; fails TRANSIENT down; sends 2 3; fails TRANSIENT down; \
              sends 3 1 1; answers; fails TRANSIENT down; answers; sends; \
              failed TRANSIENT down 1; synced 2..5
          while halves of a batch are on the way, what comes waits for the time to gather \
            | asks 0..4; answers; fails LOST silent; sends 2 2; asks 9; answers; sends 2; answers; \
              sends 1
          a refusal is the answer to everyone in the batch, who are not asked for again \
            | asks 0; asks 1..3; answers; fails CONFIGURATION denied; sends; \
              failed CONFIGURATION denied 1..3
          a defect leaves nobody waiting, nor the next request \
            | asks 0 1; breaks; answers; failed TRANSIENT defect 0; works; answers; synced 1
          Z9 from the least number on a group goes in one request, another group one by one \
            | gathers; asks a-1 a-2 b-1 a-3 a-4 b-2; 0.05s; sends 1 3; 0.05s; sends 1 3 1 1; \
              answers; answers; answers; answers; synced a-1; synced a-2; synced a-3; synced a-4; \
              synced b-1; synced b-2
          Z9 fewer than the least number of a group go one by one, so that one fails alone \
            | gathers; asks a-1 a-2 a-3; sends 1; 0.05s; sends 1 1 1; answers; \
              fails LOST silent; answers; synced a-1; failed LOST silent a-2; synced a-3
          """)
  void story(String what, String story) {
    for (String step : story.split("; +", -1)) {
      tell(step.split(" ", -1));
    }
  }
}
