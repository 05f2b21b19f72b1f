package io.tidemark.resilience;

import io.tidemark.time.Effect;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.EffectSite;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** A network in virtual time that notes what was sent and when. */
final class Wire implements EffectRunner {
  private final TaskScheduler scheduler;
  private final List<Sent> sent = new ArrayList<>();
  private Function<EffectSite, Duration> latency = site -> Duration.ZERO;

  /** Takes nothing on, as a pool of threads that is full. */
  boolean refuses;

  /** Requests cannot be interrupted. */
  boolean deaf;

  private int onTheWire;
  private int mostOnTheWire;

  /** The exception of a leaf whose answer never comes. */
  static final class Silence extends Exception {
    private static final long serialVersionUID = 1L;
  }

  record Sent(long nanos, String operation, String node) {}

  Wire(TaskScheduler scheduler) {
    this.scheduler = scheduler;
  }

  void latency(Function<EffectSite, Duration> other) {
    latency = other;
  }

  List<Sent> sent() {
    return sent;
  }

  int onTheWire() {
    return onTheWire;
  }

  int mostOnTheWire() {
    return mostOnTheWire;
  }

  @Override
  public <T> Effect<T> run(EffectSite site, Duration timeout, Callable<T> leaf) {
    if (refuses) {
      throw new RejectedExecutionException("no thread");
    }
    long now = scheduler.time().nanos();
    sent.add(new Sent(now, site.operation(), site.subject()));
    mostOnTheWire = Math.max(mostOnTheWire, ++onTheWire);
    Request<T> request = new Request<>(leaf);
    Duration travel = latency.apply(site);
    if (travel.isZero()) {
      request.arrive(timeout, now);
    } else {
      scheduler.after(travel, () -> request.arrive(timeout, now));
    }
    return request;
  }

  private final class Request<T> implements Effect<T> {
    private final CompletableFuture<T> stage = new CompletableFuture<>();
    private final Callable<T> leaf;

    Request(Callable<T> leaf) {
      this.leaf = leaf;
    }

    void arrive(Duration timeout, long sentNanos) {
      if (stage.isDone()) {
        return;
      }
      try {
        T value = leaf.call();
        leave();
        stage.complete(value);
      } catch (Silence e) {
        scheduler.at(sentNanos + timeout.toNanos(), () -> fail(new TimeoutException("no answer")));
      } catch (Exception e) {
        fail(e);
      }
    }

    private void fail(Exception e) {
      if (!stage.isDone()) {
        leave();
        stage.completeExceptionally(e);
      }
    }

    private void leave() {
      onTheWire--;
    }

    @Override
    public CompletionStage<T> stage() {
      return stage;
    }

    @Override
    public void interrupt() {
      if (!deaf) {
        fail(new CancellationException("interrupted"));
      }
    }

    @Override
    public boolean started() {
      return true;
    }
  }
}
