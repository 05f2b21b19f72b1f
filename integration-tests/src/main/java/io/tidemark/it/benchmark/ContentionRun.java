package io.tidemark.it.benchmark;

import io.tidemark.agent.Ipam;
import io.tidemark.agent.IpamBuilder;
import io.tidemark.agent.PoolName;
import io.tidemark.agent.hostscope.HostRange;
import io.tidemark.ip.Cidr;
import io.tidemark.time.SystemTime;
import io.tidemark.time.ThreadTaskScheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.DoubleAdder;

/**
 * Allocating an address of a /20, of which 99 % is in use, for an owner and releasing it, with
 * metrics, by more threads than there are processors (P9; aim: all together never slower than one).
 * Phases of one thread and of all of them alternate in one process, because the speed of a machine
 * changes by more than the figure between two processes. Run it by {@code .ci/benchmarks agent}.
 */
public final class ContentionRun {
  private static final int IN_USE = 4_094 * 99 / 100;
  private static final int WARM_UPS = 3;
  private static final int ROUNDS = 20;
  private static final int PHASE_MILLIS = 300;

  private final Ipam ipam;
  private final int pools;

  private ContentionRun(Ipam ipam, int pools) {
    this.ipam = ipam;
    this.pools = pools;
  }

  /**
   * The result of the rounds, in million pairs each second.
   *
   * @param one median of one thread
   * @param all median of all threads together
   * @param ratios of all threads to one in the same round, ascending
   */
  public record Result(double one, double all, List<Double> ratios) {
    /** The median of the ratios. */
    public double ratio() {
      return ratios.get(ratios.size() / 2);
    }
  }

  /**
   * Measures.
   *
   * @param pools that the threads share evenly
   * @param cooldown seconds that a released address pauses: with some, what is handed out has
   *     cooled
   */
  public static Result measure(int threads, int pools, int cooldown) throws InterruptedException {
    try (ThreadTaskScheduler scheduler =
        ThreadTaskScheduler.start("timer", SystemTime.instance())) {
      IpamBuilder builder = BenchmarkPods.builder(scheduler, cooldown);
      for (int i = 0; i < pools; i++) {
        builder.pool(pool(i), HostRange.of(Cidr.parse("10." + i + ".0.0/20"), i));
      }
      ContentionRun run = new ContentionRun(builder.build(), pools);
      for (int i = 0; i < pools; i++) {
        BenchmarkPods.fill(run.ipam, pool(i), IN_USE);
      }
      return run.rounds(threads);
    }
  }

  private static PoolName pool(int number) {
    return new PoolName("pool-" + number);
  }

  private Result rounds(int threads) throws InterruptedException {
    List<Double> one = new ArrayList<>();
    List<Double> all = new ArrayList<>();
    List<Double> ratios = new ArrayList<>();
    for (int i = -WARM_UPS; i < ROUNDS; i++) {
      double before = phase(1);
      double together = phase(threads);
      double alone = (before + phase(1)) / 2;
      if (i >= 0) {
        one.add(alone);
        all.add(together);
        ratios.add(together / alone);
      }
    }
    return new Result(median(one), median(all), ratios.stream().sorted().toList());
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }

  /** Million pairs each second. */
  private double phase(int threads) throws InterruptedException {
    AtomicBoolean stop = new AtomicBoolean();
    DoubleAdder rate = new DoubleAdder();
    List<Thread> running = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      int number = i;
      Thread thread = new Thread(() -> rate.add(pairs(number, stop)));
      running.add(thread);
      thread.start();
    }
    TimeUnit.MILLISECONDS.sleep(PHASE_MILLIS);
    stop.set(true);
    for (Thread thread : running) {
      thread.join();
    }
    return rate.sum();
  }

  private double pairs(int number, AtomicBoolean stop) {
    String owner = "benchmark/pod-" + number;
    PoolName pool = pool(number % pools);
    long pairs = 0;
    long start = SystemTime.instance().nanos();
    while (!stop.get()) {
      if (BenchmarkPods.comeAndGo(ipam, owner, pool).isPresent()) {
        throw new IllegalStateException(owner + " could not release its address");
      }
      pairs++;
    }
    return pairs * 1e3 / (SystemTime.instance().nanos() - start);
  }
}
