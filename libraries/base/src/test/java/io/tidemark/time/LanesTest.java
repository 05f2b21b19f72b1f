package io.tidemark.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.tidemark.testing.Hang;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Lanes (node-manager 9.3)")
class LanesTest {
  @Test
  @DisplayName(
      "NM-L2 ten thousand lanes on three threads: turns serial and in order, lanes overlap")
  void serialAndInOrder() throws InterruptedException {
    int lanes = 10_000;
    int turns = 20;
    CountDownLatch done = new CountDownLatch(lanes * turns);
    AtomicInteger disorder = new AtomicInteger();
    AtomicInteger running = new AtomicInteger();
    AtomicInteger mostAtOnce = new AtomicInteger();
    var threads = ConcurrentHashMap.<Thread>newKeySet();
    try (WorkerPool pool = new WorkerPool("test-lanes", 3, 100_000)) {
      Lanes all = new Lanes(pool, 3);
      for (int i = 0; i < lanes; i++) {
        Lane lane = all.lane();
        AtomicInteger inside = new AtomicInteger();
        int[] last = {-1}; // touched by this lane's turns alone: a race would show as disorder
        for (int turn = 0; turn < turns; turn++) {
          int number = turn;
          lane.execute(
              () -> {
                boolean alone = inside.incrementAndGet() == 1;
                mostAtOnce.accumulateAndGet(running.incrementAndGet(), Math::max);
                threads.add(Thread.currentThread());
                if (!alone || last[0] != number - 1) {
                  disorder.incrementAndGet();
                }
                last[0] = number;
                running.decrementAndGet();
                inside.decrementAndGet();
                done.countDown();
              });
        }
      }
      assertTrue(done.await(Hang.SECONDS, TimeUnit.SECONDS), () -> done + " turns have not ended");
    }
    assertEquals(0, disorder.get());
    assertThat(threads).hasSizeLessThanOrEqualTo(3);
    assertThat(mostAtOnce.get()).as("turns at once").isLessThanOrEqualTo(3);
  }

  @Test
  @DisplayName("NM-L2 as many lanes run at once as there are workers, and not one more")
  void parallelism() throws InterruptedException {
    CountDownLatch bothInside = new CountDownLatch(2);
    CountDownLatch release = new CountDownLatch(1);
    AtomicInteger started = new AtomicInteger();
    CountDownLatch done = new CountDownLatch(5);
    try (WorkerPool pool = new WorkerPool("test-lanes", 5, 100)) {
      Lanes all = new Lanes(pool, 2);
      for (int i = 0; i < 5; i++) {
        all.lane()
            .execute(
                () -> {
                  started.incrementAndGet();
                  bothInside.countDown();
                  try {
                    assertTrue(release.await(Hang.SECONDS, TimeUnit.SECONDS), "never released");
                  } catch (InterruptedException e) {
                    throw new AssertionError(e);
                  }
                  done.countDown();
                });
      }
      assertTrue(bothInside.await(Hang.SECONDS, TimeUnit.SECONDS), "two never overlapped");
      assertEquals(2, started.get(), "five threads are there, two workers are allowed");
      release.countDown();
      assertTrue(done.await(Hang.SECONDS, TimeUnit.SECONDS), () -> done + " turns have not ended");
    }
  }

  /** Runs what is given when the test says so. */
  private static final class ByHand {
    private final Queue<Runnable> tasks = new ArrayDeque<>();

    void runAll() {
      while (!tasks.isEmpty()) {
        tasks.remove().run();
      }
    }
  }

  @Test
  @DisplayName("D-1 the lane with the largest urgency goes first, then who waits longest")
  void mostUrgentFirst() {
    ByHand executor = new ByHand();
    Lanes all = new Lanes(executor.tasks::add, 1);
    List<String> order = new ArrayList<>();
    int[] urgencies = {0, 3, 9, 3, -2};
    for (int i = 0; i < urgencies.length; i++) {
      Lane lane = all.lane();
      lane.urgency(urgencies[i]);
      String name = urgencies[i] + "." + i;
      lane.execute(() -> order.add(name));
    }
    executor.runAll();
    assertEquals(List.of("9.2", "3.1", "3.3", "0.0", "-2.4"), order);
  }

  @Test
  @DisplayName("A lane with endless turns lets the others pass, and a turn that throws harms none")
  void fairness() {
    ByHand executor = new ByHand();
    Lanes all = new Lanes(executor.tasks::add, 1);
    List<String> order = new ArrayList<>();
    Lane greedy = all.lane();
    for (int i = 0; i < 40; i++) {
      greedy.execute(
          () -> {
            order.add("greedy");
            if (order.size() == 3) {
              throw new IllegalStateException("a broken turn");
            }
          });
    }
    all.lane().execute(() -> order.add("modest"));
    executor.runAll();
    assertThat(order.indexOf("modest")).as("its place in %s", order).isLessThanOrEqualTo(16);
    assertEquals(40, Collections.frequency(order, "greedy"));
    assertTrue(greedy.isIdle(), "something of the greedy lane is left");
  }
}
