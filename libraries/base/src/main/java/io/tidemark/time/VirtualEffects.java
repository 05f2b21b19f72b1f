package io.tidemark.time;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Requests as events: travel, the leaf at one instant, travel back. */
final class VirtualEffects implements EffectRunner {
  private final VirtualTime world;
  private final VirtualProcess process;
  private final EffectModel model;

  VirtualEffects(VirtualTime world, VirtualProcess process, EffectModel model) {
    this.world = world;
    this.process = process;
    this.model = model;
  }

  @Override
  public <T> Effect<T> run(EffectSite site, Duration timeout, Callable<T> leaf) {
    Request<T> request = new Request<>(site, timeout, leaf);
    if (process.isAlive()) {
      request.send();
    }
    return request;
  }

  /** One request; as an event it is the arrival at the far end. */
  private final class Request<T> implements Effect<T>, Runnable {
    private final CompletableFuture<T> answer = new CompletableFuture<>();
    private final EffectSite site;
    private final Duration timeout;
    private final Callable<T> leaf;
    private final long givenUpNanos;
    private EffectFate fate = EffectFate.requestLost();
    private @Nullable Cancellable timer;

    Request(EffectSite site, Duration timeout, Callable<T> leaf) {
      this.site = site;
      this.timeout = timeout;
      this.leaf = leaf;
      this.givenUpNanos = world.nanos() + timeout.toNanos();
    }

    void send() {
      fate = model.decide(site, timeout);
      if (!process.isAlive()) {
        return;
      }
      boolean arrives = fate.loss() != EffectFate.Loss.REQUEST;
      if (arrives) {
        world.schedule(world.nanos() + fate.requestNanos(), this, world.world());
      }
      if (fate.loss() != EffectFate.Loss.NOTHING
          || fate.requestNanos() + fate.answerNanos() > timeout.toNanos()) {
        startTimer();
      }
    }

    /** Arrives at the far end. */
    @Override
    public void run() {
      if (!process.requestArrives()) {
        return;
      }
      Runnable end;
      try {
        T value = leaf.call();
        end = () -> answer.complete(value);
      } catch (NeverAnswers e) {
        end = this::startTimer;
        fate = EffectFate.requestLost();
      } catch (Exception e) {
        end = () -> answer.completeExceptionally(e);
      }
      model.executed(site);
      answerWith(end);
    }

    private void answerWith(Runnable end) {
      if (!process.isAlive() || answer.isDone()) {
        return;
      }
      switch (fate.loss()) {
        case NOTHING -> later(fate.answerNanos(), () -> finish(end));
        case REQUEST -> end.run();
        case ANSWER -> {}
      }
    }

    private void finish(Runnable end) {
      if (timer != null) {
        timer.cancel();
      }
      end.run();
    }

    private void startTimer() {
      if (timer == null) {
        timer = world.schedule(givenUpNanos, this::giveUp, process);
      }
    }

    private void giveUp() {
      answer.completeExceptionally(
          new TimeoutException("no answer to " + site.operation() + " within " + timeout));
    }

    private void later(long nanos, Runnable task) {
      world.schedule(world.nanos() + nanos, task, process);
    }

    @Override
    public CompletionStage<T> stage() {
      return answer;
    }

    @Override
    public void interrupt() {
      if (timer != null) {
        timer.cancel();
      }
      answer.completeExceptionally(
          new CancellationException(site.operation() + " was interrupted"));
    }

    @Override
    public boolean started() {
      return true;
    }

    @Override
    public String toString() {
      return "request " + site;
    }
  }
}
