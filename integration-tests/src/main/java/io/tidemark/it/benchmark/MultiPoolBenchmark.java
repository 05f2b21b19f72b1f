package io.tidemark.it.benchmark;

import io.tidemark.agent.Denial;
import io.tidemark.agent.Ipam;
import io.tidemark.agent.PoolName;
import io.tidemark.agent.multipool.DemandRule;
import io.tidemark.agent.multipool.MultiPool;
import io.tidemark.agent.multipool.MultiPoolRules;
import io.tidemark.agent.multipool.QuarantineRule;
import io.tidemark.agent.multipool.RangeSource;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.PodPools;
import io.tidemark.resource.PodPools.PoolCidrs;
import io.tidemark.time.SystemTime;
import io.tidemark.time.ThreadTaskScheduler;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
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
 * P7: a pool of 4,096 blocks of 16 addresses, 90 % in use: allocating an address and releasing it.
 * Aim: 500 ns. Run it by {@code .ci/benchmarks agent}.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 2, timeUnit = TimeUnit.MILLISECONDS, time = 500)
@Measurement(iterations = 10, timeUnit = TimeUnit.MILLISECONDS, time = 150)
public class MultiPoolBenchmark {
  private static final PoolName POOL = new PoolName("default");
  private static final int BLOCKS = 4_096;
  private static final Cidr ALL = Cidr.parse("10.16.0.0/16");

  /** Seconds that a released address pauses: with some, what is handed out has cooled. */
  @Param({"0", "130"})
  public int cooldown;

  private final ThreadTaskScheduler scheduler =
      ThreadTaskScheduler.start("timer", SystemTime.instance());
  private Ipam ipam = Ipam.builder(scheduler, new SplittableRandom(1)).build();

  /** Shows the blocks and fills them. */
  @Setup
  public void fill() {
    PoolCidrs blocks =
        PoolCidrs.of(
            IntStream.range(0, BLOCKS)
                .mapToObj(i -> Cidr.of(ALL.address(i * 16L), 28))
                .toArray(Cidr[]::new));
    NodeResource object =
        NodeResource.named("n")
            .withPools(
                new PodPools(
                    Collections.emptySortedMap(), new TreeMap<>(Map.of(POOL.value(), blocks))));
    MultiPool node =
        new MultiPool(
            BenchmarkPods.builder(scheduler, cooldown),
            new MultiPoolRules(
                Set.of(IpFamily.IPV4),
                Map.of(POOL, 8),
                DemandRule.STEPS,
                QuarantineRule.of(Duration.ofSeconds(15), Duration.ofMinutes(4)),
                Duration.ofMinutes(1)),
            RangeSource.ALLOCATED,
            new MultiPool.Origin(Optional.empty(), 0, Optional.empty()),
            SystemTime.instance(),
            BenchmarkPods.metrics());
    node.applied(object);
    ipam = node.ipam();
    BenchmarkPods.fill(ipam, POOL, BLOCKS * 14 * 9 / 10);
  }

  /** Ends the timer. */
  @TearDown
  public void close() {
    scheduler.close();
  }

  @Benchmark
  public Optional<Denial> allocateAndRelease() {
    return BenchmarkPods.comeAndGo(ipam, "benchmark/pod", POOL);
  }
}
