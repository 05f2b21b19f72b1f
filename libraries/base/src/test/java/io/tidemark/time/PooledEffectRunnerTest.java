package io.tidemark.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.testing.Hang;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(Hang.SECONDS)
class PooledEffectRunnerTest {
  private static final EffectSite SITE = new EffectSite("DescribeInterfaces", "n1");
  private static final Duration LONG = Duration.ofHours(1);

  private final HandScheduler timer = new HandScheduler();
  private final PooledEffectRunner runner = new PooledEffectRunner("test-cloud", 1, 2, timer);
  private final CountDownLatch release = new CountDownLatch(1);

  @AfterEach
  void close() {
    release.countDown();
    runner.close();
  }

  private static <T> T get(Effect<T> effect) throws Exception {
    try {
      return effect.stage().toCompletableFuture().get();
    } catch (ExecutionException e) {
      throw (Exception) e.getCause();
    }
  }

  /** A leaf on the wire until {@link #release}, or until it is interrupted. */
  private Effect<String> onTheWire(Duration timeout) throws InterruptedException {
    CountDownLatch arrived = new CountDownLatch(1);
    Effect<String> effect =
        runner.run(
            SITE,
            timeout,
            () -> {
              arrived.countDown();
              release.await();
              return "released";
            });
    arrived.await();
    return effect;
  }

  @Test
  @DisplayName("A leaf runs on a named daemon thread and its stage ends with its value")
  void value() throws Exception {
    Effect<String> effect =
        runner.run(
            SITE,
            LONG,
            () -> Thread.currentThread().getName() + " " + Thread.currentThread().isDaemon());
    assertThat(get(effect)).isEqualTo("test-cloud-1 true");
    assertThat(effect.started()).isTrue();
    assertThat(timer.pending()).as("the timeout is withdrawn").isZero();
  }

  @Test
  @DisplayName("What the leaf throws is not wrapped")
  void thrown() {
    IOException reset = new IOException("reset");
    Effect<String> effect =
        runner.run(
            SITE,
            LONG,
            () -> {
              throw reset;
            });
    AtomicReference<Throwable> seen = new AtomicReference<>();
    CompletableFuture<String> after =
        effect.stage().toCompletableFuture().whenComplete((value, failure) -> seen.set(failure));
    assertThatThrownBy(after::get).hasRootCause(reset);
    assertThat(seen.get()).isSameAs(reset);
  }

  @Test
  @DisplayName("A leaf that outlives its timeout is interrupted; time in the queue does not count")
  void timeout() throws Exception {
    Effect<String> first = onTheWire(Duration.ofSeconds(5));
    Effect<String> second = runner.run(SITE, Duration.ofSeconds(1), () -> "second");
    assertThat(timer.pending()).as("only the leaf on the wire is timed").isEqualTo(1);
    timer.advance(Duration.ofSeconds(4));
    assertThat(first.stage().toCompletableFuture()).isNotDone();
    timer.advance(Duration.ofSeconds(1));
    assertThatThrownBy(() -> get(first))
        .isInstanceOf(TimeoutException.class)
        .hasMessageContaining("DescribeInterfaces");
    assertThat(get(second)).as("the thread was freed").isEqualTo("second");
  }

  @Test
  @DisplayName("The interruption of one leaf does not reach the next on the same thread")
  void cleanThread() throws Exception {
    Effect<String> stubborn = onTheWire(LONG);
    Effect<Boolean> next = runner.run(SITE, LONG, Thread::interrupted);
    stubborn.interrupt();
    assertThat(get(next)).isFalse();
    assertThatThrownBy(() -> get(stubborn)).isInstanceOf(CancellationException.class);
  }

  @Test
  @DisplayName("A leaf that ignores interruption ends its stage in time all the same")
  void stubborn() throws Exception {
    CountDownLatch interrupted = new CountDownLatch(1);
    CountDownLatch arrived = new CountDownLatch(1);
    Effect<String> effect =
        runner.run(
            SITE,
            LONG,
            () -> {
              arrived.countDown();
              while (true) {
                try {
                  release.await();
                  return "late";
                } catch (InterruptedException e) {
                  interrupted.countDown();
                }
              }
            });
    arrived.await();
    effect.interrupt();
    assertThatThrownBy(() -> get(effect)).isInstanceOf(CancellationException.class);
    interrupted.await();
    release.countDown();
    assertThat(get(runner.run(SITE, LONG, () -> "next"))).isEqualTo("next");
  }

  @Test
  @DisplayName("A request that was given up in the queue never starts")
  void neverStarted() throws Exception {
    Effect<String> first = onTheWire(LONG);
    AtomicBoolean ran = new AtomicBoolean();
    Effect<String> queued =
        runner.run(
            SITE,
            LONG,
            () -> {
              ran.set(true);
              return "no";
            });
    queued.interrupt();
    assertThat(queued.started()).isFalse();
    assertThatThrownBy(() -> get(queued)).isInstanceOf(CancellationException.class);
    Effect<String> last = runner.run(SITE, LONG, () -> "last");
    release.countDown();
    assertThat(get(first)).isEqualTo("released");
    assertThat(get(last)).isEqualTo("last");
    assertThat(ran).isFalse();
    assertThat(queued.started()).isFalse();
  }

  @Test
  @DisplayName("A full queue refuses at once")
  void full() throws Exception {
    onTheWire(LONG);
    runner.run(SITE, LONG, () -> "queued 1");
    runner.run(SITE, LONG, () -> "queued 2");
    Effect<String> refused = runner.run(SITE, LONG, () -> "no");
    assertThatThrownBy(() -> get(refused))
        .isInstanceOf(RejectedExecutionException.class)
        .hasMessageContaining("2 wait");
    assertThat(refused.started()).isFalse();
  }

  @Test
  @DisplayName("A leaf that never answers is held open until its timeout without a thread")
  void neverAnswers() throws Exception {
    Effect<String> effect =
        runner.run(
            SITE,
            Duration.ofSeconds(9),
            () -> {
              throw new NeverAnswers("hangs");
            });
    assertThat(get(runner.run(SITE, LONG, () -> "the thread is free"))).isNotEmpty();
    assertThat(effect.stage().toCompletableFuture()).isNotDone();
    timer.advance(Duration.ofSeconds(9));
    assertThatThrownBy(() -> get(effect)).isInstanceOf(TimeoutException.class);
  }

  @Test
  @DisplayName("Closing cancels what waits, interrupts what is on the wire, refuses what comes")
  void closing() throws Exception {
    Effect<String> first = onTheWire(LONG);
    Effect<String> queued = runner.run(SITE, LONG, () -> "no");
    runner.close();
    assertThatThrownBy(() -> get(first)).isInstanceOf(InterruptedException.class);
    assertThatThrownBy(() -> get(queued)).isInstanceOf(CancellationException.class);
    Effect<String> late = runner.run(SITE, LONG, () -> "no");
    assertThatThrownBy(() -> get(late)).isInstanceOf(RejectedExecutionException.class);
    assertThat(runner.awaitClosed(Hang.LIMIT)).isTrue();
  }
}
