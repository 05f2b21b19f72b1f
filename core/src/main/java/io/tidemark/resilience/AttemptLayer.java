package io.tidemark.resilience;

import io.tidemark.metrics.Meters;
import io.tidemark.metrics.Metric;
import io.tidemark.resilience.CallLayer.Ended;
import io.tidemark.resilience.CallLayer.InFlight;
import io.tidemark.resilience.CallLayer.StopCause;
import io.tidemark.resilience.CloudCalls.Attempt;
import io.tidemark.time.Effect;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.EffectSite;
import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The innermost layer: sends one request, bounds the wait for its answer, reads what came of it,
 * and counts and measures it.
 */
final class AttemptLayer {
  /** The shortest wait for an answer, as a part of the usual one. */
  private static final int SHORTEST_PART = 4;

  private final EffectRunner runner;
  private final TimeSource time;
  private final Meters metrics;
  private final Fence fence;
  private final Map<String, LongAdder> sent = new ConcurrentHashMap<>();
  private final Map<String, LongAdder> throttled = new ConcurrentHashMap<>();

  AttemptLayer(CallEnvironment environment) {
    this.runner = environment.runner();
    this.time = environment.time();
    this.metrics = environment.metrics();
    this.fence = environment.fence();
  }

  /** Adds the requests that were sent, and those that were throttled, by operation. */
  void addCounts(Map<String, Long> toSent, Map<String, Long> toThrottled) {
    sent.forEach((operation, count) -> toSent.merge(operation, count.sum(), Long::sum));
    throttled.forEach((operation, count) -> toThrottled.merge(operation, count.sum(), Long::sum));
  }

  private static void count(Map<String, LongAdder> counts, CallKind kind) {
    counts.computeIfAbsent(kind.name(), operation -> new LongAdder()).increment();
  }

  /** Ends a leaf before it asked anything. */
  private static final class Fenced extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Fenced() {
      super("the fence is closed", null, false, false);
    }
  }

  /** Sends {@code request} by means of a permit that was taken for it. */
  <T> InFlight start(Request<T> request, Permit permit, Consumer<Ended<T>> end) {
    Sending<T> sending = new Sending<>(request, permit, end);
    sending.send();
    return sending;
  }

  private final class Sending<T> implements InFlight {
    private final Request<T> request;
    private final Permit permit;
    private final Consumer<Ended<T>> end;
    private final AtomicBoolean over = new AtomicBoolean();
    private final long beganNanos = time.nanos();
    private final Duration timeout;
    private volatile @Nullable StopCause stopped;
    private volatile @Nullable Effect<T> effect;

    Sending(Request<T> request, Permit permit, Consumer<Ended<T>> end) {
      this.request = request;
      this.permit = permit;
      this.end = end;
      long left = Math.max(1, request.context().deadlineNanos() - beganNanos);
      long usual = request.limits().attemptTimeout().toNanos();
      this.timeout = Duration.ofNanos(Math.min(left, usual));
    }

    /** A request that must not be repeated is sent only with some time left for its answer. */
    private boolean tooLate() {
      return request.kind().effect() == CallKind.Effect.ONCE
          && timeout.compareTo(request.limits().attemptTimeout().dividedBy(SHORTEST_PART)) < 0;
    }

    void send() {
      if (tooLate()) {
        over(Ended.byUs(LocalFailures.noToken(request)));
        return;
      }
      Attempt attempt = new Attempt(request.attempt(), timeout, request.requestToken());
      EffectSite site = new EffectSite(request.kind().name(), request.context().node());
      Effect<T> running;
      try {
        running = runner.run(site, timeout, () -> sendIfAllowed(attempt));
      } catch (RuntimeException e) {
        over(Ended.byCloud(failed(LocalFailures.notSent(request, e))));
        return;
      }
      count(sent, request.kind());
      effect = running;
      running.stage().whenComplete((value, thrown) -> answered(running, value, thrown));
    }

    /** On the thread that sends: whatever was waited for before, this is the last moment. */
    private T sendIfAllowed(Attempt attempt) throws Exception {
      if (request.kind().effect() != CallKind.Effect.READ && !fence.isOpen()) {
        throw new Fenced();
      }
      return request.leaf().send(attempt);
    }

    private void answered(Effect<T> from, @Nullable T value, @Nullable Throwable thrown) {
      Ended<T> ended = thrown == null ? answer(value) : read(from, thrown);
      over(ended);
    }

    private void over(Ended<T> ended) {
      permit.over();
      finish(ended);
      permit.dispatchNext();
    }

    private Ended<T> answer(@Nullable T value) {
      return Ended.byCloud(
          value == null
              ? failed(LocalFailures.noAnswer(request))
              : new CallResult.Answered<>(value));
    }

    private Ended<T> read(Effect<T> from, Throwable thrown) {
      StopCause cause = stopped;
      if (cause != null && thrown instanceof CancellationException) {
        return givenUp(from, cause);
      }
      if (!from.started()) {
        return Ended.byCloud(failed(LocalFailures.notSent(request, thrown)));
      }
      if (thrown instanceof Fenced) {
        return Ended.byUs(LocalFailures.fenced(request));
      }
      if (thrown instanceof TimeoutException) {
        return Ended.byCloud(failed(unanswered()));
      }
      return Ended.byCloud(failed(classify(thrown)));
    }

    /** A wait that the deadline cut short says less than a whole one. */
    private Failure unanswered() {
      return timeout.compareTo(request.limits().attemptTimeout()) < 0
          ? LocalFailures.givenUpOnWire(request, StopCause.DEADLINE)
          : LocalFailures.timeout(request, timeout);
    }

    private Ended<T> givenUp(Effect<T> from, StopCause cause) {
      if (from.started()) {
        CallResult<T> lost = failed(LocalFailures.givenUpOnWire(request, cause));
        return new Ended<>(lost, cause == StopCause.CANCELLED);
      }
      return Ended.byUs(
          cause == StopCause.CANCELLED
              ? LocalFailures.cancelled(request)
              : LocalFailures.noWorker(request));
    }

    private Failure classify(Throwable thrown) {
      try {
        return request.classifier().classify(request.kind(), thrown);
      } catch (RuntimeException e) {
        return LocalFailures.unclassified(request, thrown, e);
      }
    }

    private CallResult<T> failed(Failure failure) {
      return new CallResult.Failed<>(failure);
    }

    private void finish(Ended<T> ended) {
      if (over.compareAndSet(false, true)) {
        String code = ended.result().match(answer -> "OK", Failure::condition);
        Duration took = Duration.ofNanos(time.nanos() - beganNanos);
        metrics.record(Metric.API_DURATION, took, request.kind().name(), code);
        if (!ended.byUs() && ended.failedAs(Failure.Kind.THROTTLED)) {
          count(throttled, request.kind());
        }
        end.accept(ended);
      }
    }

    @Override
    public void stop(StopCause cause) {
      stopped = cause;
      Effect<T> running = effect;
      if (running == null) {
        return;
      }
      running.interrupt();
      if (!over.get()) {
        finish(givenUp(running, cause));
      }
    }
  }
}
