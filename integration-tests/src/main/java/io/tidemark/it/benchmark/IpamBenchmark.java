package io.tidemark.it.benchmark;

import io.tidemark.agent.Denial;
import io.tidemark.agent.Ipam;
import io.tidemark.agent.IpamBuilder;
import io.tidemark.agent.PoolName;
import io.tidemark.agent.hostscope.HostRange;
import io.tidemark.ip.Cidr;
import io.tidemark.time.SystemTime;
import io.tidemark.time.ThreadTaskScheduler;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * Allocating an address of a /20, of which 99 % is in use, for an owner and releasing it, with
 * metrics: by one thread (P2; aims: 250 ns, 100 bytes), and by more threads than there are
 * processors, on one pool and on as many pools as threads (P9; aim: all together never slower than
 * one). Run it by {@code .ci/benchmarks agent}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 2, timeUnit = TimeUnit.MILLISECONDS, time = 500)
@Measurement(iterations = 10, timeUnit = TimeUnit.MILLISECONDS, time = 150)
public class IpamBenchmark {
  private static final int IN_USE = 4_094 * 99 / 100;

  @Param({"1", "16"})
  public int pools;

  /** Seconds that a released address pauses: with some, what is handed out has cooled. */
  @Param({"0", "130"})
  public int cooldown;

  private final ThreadTaskScheduler scheduler =
      ThreadTaskScheduler.start("timer", SystemTime.instance());
  private Ipam ipam = Ipam.builder(scheduler, new SplittableRandom(1)).build();

  /** One owner in one pool. */
  @State(Scope.Thread)
  public static class Pod {
    private PoolName pool = PoolName.NOT_GIVEN;
    private String owner = "";

    /** The threads share the pools evenly. */
    @Setup
    public void choose(IpamBenchmark node, ThreadParams thread) {
      pool = pool(thread.getThreadIndex() % node.pools);
      owner = "benchmark/pod-" + thread.getThreadIndex();
    }
  }

  private static PoolName pool(int number) {
    return new PoolName("pool-" + number);
  }

  /** Fills each pool. */
  @Setup
  public void fill() {
    IpamBuilder builder = AgentPods.builder(scheduler, cooldown);
    for (int i = 0; i < pools; i++) {
      builder.pool(pool(i), HostRange.of(Cidr.parse("10." + i + ".0.0/20"), i));
    }
    ipam = builder.build();
    for (int i = 0; i < pools; i++) {
      AgentPods.fill(ipam, pool(i), IN_USE);
    }
  }

  /** Ends the timer. */
  @TearDown
  public void close() {
    scheduler.close();
  }

  @Benchmark
  @Threads(1)
  public Optional<Denial> oneThread(Pod pod) {
    return AgentPods.comeAndGo(ipam, pod.owner, pod.pool);
  }

  @Benchmark
  @Threads(8)
  public Optional<Denial> eightThreads(Pod pod) {
    return AgentPods.comeAndGo(ipam, pod.owner, pod.pool);
  }

  @Benchmark
  @Threads(16)
  public Optional<Denial> sixteenThreads(Pod pod) {
    return AgentPods.comeAndGo(ipam, pod.owner, pod.pool);
  }
}
