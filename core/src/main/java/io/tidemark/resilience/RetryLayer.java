package io.tidemark.resilience;

import io.github.resilience4j.retry.Retry;
import io.tidemark.metrics.Metric;
import io.tidemark.time.Cancellable;
import io.tidemark.time.TaskScheduler;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Repeats what is safe to repeat while attempts and the deadline allow. Resilience4j decides and
 * counts, the pause is an entry of the scheduler.
 */
final class RetryLayer implements CallLayer {
  private final String account;
  private final CallEnvironment environment;
  private final TaskScheduler scheduler;
  private final CallLayer next;
  private final Map<Rule, Retry> retries = new ConcurrentHashMap<>();

  /** The common part of two calls that are repeated alike. */
  private record Rule(CallKind kind, int attempts) {}

  RetryLayer(String account, CallEnvironment environment, CallLayer next) {
    this.account = account;
    this.environment = environment;
    this.scheduler = environment.scheduler();
    this.next = next;
  }

  @Override
  public <T> InFlight start(Request<T> request, Consumer<Ended<T>> end) {
    Rule rule = new Rule(request.kind(), request.limits().attempts());
    Retry retry = retries.computeIfAbsent(rule, this::retry);
    Run<T> run = new Run<>(request, retry.asyncContext(), end);
    run.attempt();
    return run;
  }

  private Retry retry(Rule rule) {
    return RetryRule.retry(
        account + "/" + rule.kind().name(),
        rule.kind(),
        rule.attempts(),
        environment.config().retries(),
        environment.random());
  }

  /** One call; at any time either an attempt is under way or a pause. */
  private final class Run<T> implements InFlight {
    private final Request<T> request;
    private final Retry.AsyncContext<Ended<T>> progress;
    private final Consumer<Ended<T>> end;
    private int attempts;
    private boolean lost;
    private volatile InFlight current = InFlight.OVER;
    private volatile @Nullable StopCause stopped;

    Run(Request<T> request, Retry.AsyncContext<Ended<T>> progress, Consumer<Ended<T>> end) {
      this.request = request;
      this.progress = progress;
      this.end = end;
    }

    void attempt() {
      attempts++;
      int number = attempts;
      if (number > 1) {
        environment.metrics().count(Metric.API_RETRIES, request.kind().name());
      }
      Attempt attempt = new Attempt();
      current = attempt;
      attempt.underWay(next.start(request.attempt(number), this::attemptEnded));
    }

    private void attemptEnded(Ended<T> ended) {
      long pauseMillis = progress.onResult(ended);
      long pauseNanos = TimeUnit.MILLISECONDS.toNanos(pauseMillis);
      long left = request.context().deadlineNanos() - scheduler.time().nanos();
      if (pauseMillis < 0 || pauseNanos >= left || stopped != null) {
        finish(ended);
        return;
      }
      lost |= ended.failedAs(Failure.Kind.LOST) && request.kind().effect() != CallKind.Effect.READ;
      Pause pause = new Pause(ended);
      current = pause;
      pause.begin(scheduler.time().nanos() + pauseNanos);
    }

    private void finish(Ended<T> ended) {
      progress.onComplete();
      end.accept(lost ? afterLoss(ended) : ended);
    }

    private Ended<T> afterLoss(Ended<T> ended) {
      CallResult<T> result =
          ended
              .result()
              .match(
                  answer -> ended.result(),
                  last -> new CallResult.Failed<>(RetryRule.afterLoss(request, last)));
      return new Ended<>(result, ended.byUs());
    }

    @Override
    public void stop(StopCause cause) {
      stopped = cause;
      current.stop(cause);
    }

    /** An attempt, which is known before it has been started. */
    private final class Attempt implements InFlight {
      private volatile @Nullable InFlight inner;

      void underWay(InFlight started) {
        inner = started;
        StopCause cause = stopped;
        if (cause != null) {
          started.stop(cause);
        }
      }

      @Override
      public void stop(StopCause cause) {
        InFlight started = inner;
        if (started != null) {
          started.stop(cause);
        }
      }
    }

    private final class Pause implements InFlight {
      private final Ended<T> last;
      private volatile @Nullable Cancellable timer;

      Pause(Ended<T> last) {
        this.last = last;
      }

      void begin(long untilNanos) {
        timer = scheduler.at(untilNanos, Run.this::attempt);
        StopCause cause = stopped;
        if (cause != null) {
          stop(cause);
        }
      }

      @Override
      public void stop(StopCause cause) {
        Cancellable pending = timer;
        if (pending != null && pending.cancel()) {
          finish(
              cause == StopCause.CANCELLED ? Ended.byUs(LocalFailures.cancelled(request)) : last);
        }
      }
    }
  }
}
