package io.tidemark.resilience;

import io.tidemark.metrics.TestMeters;
import io.tidemark.resilience.CallKind.Effect;
import io.tidemark.resilience.CloudCalls.Leaf;
import io.tidemark.resilience.Failure.Kind;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/** A cloud door with everything around it, in virtual time. */
final class Door {
  static final CallKind DESCRIBE = new CallKind("Describe", Effect.READ);
  static final CallKind ASSIGN = new CallKind("Assign", Effect.ONCE);
  static final CallKind CREATE = new CallKind("Create", Effect.TOKENED);
  static final CallKind TAG = new CallKind("Tag", Effect.REPEATABLE);
  static final List<CallKind> KINDS = List.of(DESCRIBE, ASSIGN, CREATE, TAG);
  static final CallLimits LIMITS = new CallLimits(5, 10, Duration.ofSeconds(5), 4);

  static final CloudCallsConfig.Retries RETRIES = CloudCallsConfig.defaults().retries();
  static final CloudCallsConfig.Breaker BREAKER = CloudCallsConfig.defaults().breaker();

  final VirtualTime time = new VirtualTime(0);
  final Wire wire = new Wire(time);
  final TestMeters measured = new TestMeters();
  final StandardCloudCallsFactory factory;
  final CloudCalls calls;

  /** The cloud's refusal. */
  static final class CloudError extends Exception {
    private static final long serialVersionUID = 1L;
    private final transient Failure failure;

    CloudError(Kind kind) {
      this(Failure.of(kind, "code" + kind, "the cloud says " + kind));
    }

    CloudError(Failure failure) {
      super(failure.detail());
      this.failure = failure;
    }
  }

  Door(CloudCallsConfig config) {
    this(config, 1, Map.of());
  }

  Door(CloudCallsConfig config, long seed, Map<CallKind, CallLimits> special) {
    factory =
        new StandardCloudCallsFactory(
            config, time, wire, new Random(seed), measured.meters, LearnedRates.NONE, Fence.OPEN);
    calls = factory.create(policy(special));
  }

  /** The documented limits, always, and no ceiling. */
  static CloudCallsConfig fixed(
      int workers,
      int maxWaiting,
      CloudCallsConfig.Retries retries,
      CloudCallsConfig.Breaker breaker) {
    return new CloudCallsConfig(
        CloudCallsConfig.Pacing.FIXED, Optional.empty(), workers, maxWaiting, retries, breaker);
  }

  static CallPolicy policy(Map<CallKind, CallLimits> special) {
    Map<CallKind, CallLimits> limits = new HashMap<>();
    KINDS.forEach(kind -> limits.put(kind, LIMITS));
    limits.putAll(special);
    return new CallPolicy("account", limits, Door::classify);
  }

  static Failure classify(CallKind kind, Throwable thrown) {
    if (thrown instanceof CloudError error) {
      return error.failure;
    }
    throw new IllegalArgumentException("never heard of " + thrown);
  }

  CallContext context(String node, Priority.Rank rank, Duration deadline) {
    return context(node, new Priority(rank, 0), deadline);
  }

  CallContext context(String node, Priority priority, Duration deadline) {
    return CallContext.of(node, priority, time.nanos() + deadline.toNanos(), new Cancellation());
  }

  CallContext context(Duration deadline) {
    return context("n1", Priority.Rank.BELOW_WATERMARK, deadline);
  }

  /** A call for a node below its watermark. */
  <T> CompletionStage<CallResult<T>> call(CallKind kind, Duration deadline, Leaf<T> leaf) {
    return calls.call(kind, context(deadline), leaf);
  }

  /** A call that is answered. */
  CompletionStage<CallResult<String>> call(CallKind kind, Duration deadline) {
    return call(kind, deadline, attempt -> "done");
  }

  /** Fails with each of {@code kinds} in turn, then answers. */
  static Leaf<String> failing(Kind... kinds) {
    AtomicInteger sent = new AtomicInteger();
    return attempt -> {
      int index = sent.getAndIncrement();
      if (index < kinds.length) {
        throw new CloudError(kinds[index]);
      }
      return "done after " + attempt.number();
    };
  }

  /** Fails at each attempt. */
  static <T> Leaf<T> always(Kind kind) {
    return attempt -> {
      throw new CloudError(kind);
    };
  }

  /** Is never answered. */
  static final Leaf<String> SILENT =
      attempt -> {
        throw new Wire.Silence();
      };

  /** Lets so much time pass. */
  void pass(Duration duration) {
    time.runUntil(time.nanos() + duration.toNanos());
  }

  /** The answer, which must be there. */
  static <T> CallResult<T> now(CompletionStage<CallResult<T>> stage) {
    CallResult<T> result = stage.toCompletableFuture().getNow(null);
    if (result == null) {
      throw new AssertionError("has not ended yet");
    }
    return result;
  }

  static boolean pending(CompletionStage<?> stage) {
    return !stage.toCompletableFuture().isDone();
  }

  static <T> T answer(CompletionStage<CallResult<T>> stage) {
    return now(stage)
        .match(
            answer -> answer,
            failure -> {
              throw new AssertionError("failed: " + failure);
            });
  }

  static <T> Failure failure(CompletionStage<CallResult<T>> stage) {
    return now(stage)
        .match(
            answer -> {
              throw new AssertionError("answered: " + answer);
            },
            failure -> failure);
  }
}
