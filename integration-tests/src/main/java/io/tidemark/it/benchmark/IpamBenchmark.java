package io.tidemark.it.benchmark;

import io.tidemark.agent.Denial;
import io.tidemark.agent.Ipam;
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
import org.openjdk.jmh.annotations.Warmup;

/**
 * Allocating an address of a /20, of which 99 % is in use, for an owner and releasing it, with
 * metrics (P2; aims: 250 ns, 100 bytes). Run it by {@code .ci/benchmarks agent}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 2, timeUnit = TimeUnit.MILLISECONDS, time = 500)
@Measurement(iterations = 10, timeUnit = TimeUnit.MILLISECONDS, time = 150)
public class IpamBenchmark {
  private static final PoolName POOL = new PoolName("pool");
  private static final int IN_USE = 4_094 * 99 / 100;

  /** Seconds that a released address pauses: with some, what is handed out has cooled. */
  @Param({"0", "130"})
  public int cooldown;

  private final ThreadTaskScheduler scheduler =
      ThreadTaskScheduler.start("timer", SystemTime.instance());
  private Ipam ipam = Ipam.builder(scheduler, new SplittableRandom(1)).build();

  /** Fills the pool. */
  @Setup
  public void fill() {
    ipam =
        BenchmarkPods.builder(scheduler, cooldown)
            .pool(POOL, HostRange.of(Cidr.parse("10.0.0.0/20"), 0))
            .build();
    BenchmarkPods.fill(ipam, POOL, IN_USE);
  }

  /** Ends the timer. */
  @TearDown
  public void close() {
    scheduler.close();
  }

  @Benchmark
  public Optional<Denial> comeAndGo() {
    return BenchmarkPods.comeAndGo(ipam, "benchmark/pod", POOL);
  }
}
