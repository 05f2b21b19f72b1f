package io.tidemark.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.metrics.Meters;
import io.tidemark.resilience.Failure.Kind;
import io.tidemark.resilience.Priority.Rank;
import io.tidemark.testing.Hang;
import io.tidemark.time.PooledEffectRunner;
import io.tidemark.time.SystemTime;
import io.tidemark.time.ThreadTaskScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The cloud door in real threads")
class ThreadsTest {
  private static final int CALLS = 4_000;

  private final CloudCallsConfig config =
      Door.fixed(
          4,
          50_000,
          new CloudCallsConfig.Retries(
              Duration.ofMillis(1), Duration.ofMillis(1), Duration.ofMillis(4)),
          Door.BREAKER);

  @Test
  @DisplayName("every call ends, whatever meets: tokens, failures, cancelling, waiting; none leaks")
  void everyCallEnds() throws Exception {
    CallLimits limits = new CallLimits(20_000, 8, Duration.ofSeconds(5), 3);
    CallLimits patient = new CallLimits(20_000, 8, Hang.LIMIT, 3);
    Map<CallKind, CallLimits> kinds =
        Map.of(Door.ASSIGN, limits, Door.CREATE, patient, Door.DESCRIBE, limits);
    ExecutorService callers = Executors.newFixedThreadPool(4);
    try (ThreadTaskScheduler scheduler = ThreadTaskScheduler.start("timer", SystemTime.instance());
        PooledEffectRunner runner = new PooledEffectRunner("cloud", 4, 100, scheduler)) {
      StandardCloudCallsFactory factory =
          new StandardCloudCallsFactory(
              config,
              scheduler,
              runner,
              new Random(1),
              Meters.none(),
              LearnedRates.NONE,
              Fence.OPEN);
      CloudCalls calls = factory.create(new CallPolicy("account", kinds, Door::classify));
      List<CompletableFuture<?>> ends = new ArrayList<>();
      for (int thread = 0; thread < 4; thread++) {
        Random random = new Random(thread);
        ends.add(
            CompletableFuture.supplyAsync(() -> work(calls, random), callers)
                .thenCompose(
                    all -> CompletableFuture.allOf(all.toArray(CompletableFuture[]::new))));
      }
      CompletableFuture.allOf(ends.toArray(CompletableFuture[]::new))
          .get(Hang.SECONDS, TimeUnit.SECONDS);

      // All tokens and workers are there again: as many fit on the wire at once as at the start.
      AtomicInteger arrived = new AtomicInteger();
      CompletableFuture<String> gate = new CompletableFuture<>();
      List<CompletableFuture<?>> last = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        last.add(
            calls
                .call(
                    Door.CREATE,
                    context(Hang.LIMIT),
                    attempt -> {
                      if (arrived.incrementAndGet() == 3) {
                        gate.complete("all three");
                      }
                      return gate.get(Hang.SECONDS, TimeUnit.SECONDS);
                    })
                .toCompletableFuture());
      }
      CompletableFuture.allOf(last.toArray(CompletableFuture[]::new))
          .get(Hang.SECONDS, TimeUnit.SECONDS);
      assertThat(last)
          .allSatisfy(end -> assertThat(end.get()).hasToString("Answered[value=all three]"));
    } finally {
      callers.shutdownNow();
    }
  }

  private static CallContext context(Duration deadline) {
    return CallContext.of(
        "n",
        Priority.of(Rank.BELOW_WATERMARK),
        SystemTime.instance().nanos() + deadline.toNanos(),
        new Cancellation());
  }

  private static List<CompletableFuture<?>> work(CloudCalls calls, Random random) {
    List<CompletableFuture<?>> ends = new ArrayList<>();
    for (int i = 0; i < CALLS / 4; i++) {
      CallContext context = context(Duration.ofMillis(20 + random.nextInt(3_000)));
      CallKind kind = Door.KINDS.get(random.nextInt(3));
      int fate = random.nextInt(10);
      CloudCalls.Leaf<Integer> leaf =
          attempt -> {
            if (fate == 0 && attempt.number() == 1) {
              throw new Door.CloudError(Kind.THROTTLED);
            }
            return fate;
          };
      if (fate < 5) {
        ends.add(calls.call(kind, context, leaf).toCompletableFuture());
      } else {
        Admission admission = calls.admit(List.of(Door.ASSIGN, Door.CREATE), context);
        ends.add(
            admission
                .stage()
                .thenCompose(
                    result -> result.match(c -> use(calls, c, fate, leaf), ThreadsTest::no))
                .toCompletableFuture());
        if (fate == 9) {
          admission.cancel();
        }
      }
      if (fate == 4) {
        context.cancellation().cancel();
      }
    }
    return ends;
  }

  private static CompletableFuture<CallResult<Integer>> use(
      CloudCalls calls, CallContext admitted, int fate, CloudCalls.Leaf<Integer> leaf) {
    if (fate == 8) {
      admitted.giveBackToken();
      return no(Failure.of(Kind.CANCELLED, "unwanted", ""));
    }
    CallKind kind = admitted.token().orElseThrow().kind();
    return calls.call(kind, admitted, leaf).toCompletableFuture();
  }

  private static CompletableFuture<CallResult<Integer>> no(Failure failure) {
    return CompletableFuture.completedFuture(new CallResult.Failed<>(failure));
  }
}
