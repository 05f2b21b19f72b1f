package io.tidemark.it.benchmark;

import io.tidemark.agent.Denial;
import io.tidemark.agent.Ipam;
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
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/**
 * P7: a pool of 4,096 blocks of 16 addresses, 90 % in use: allocating an address and releasing it.
 * Aim: 500 ns. Run it by {@code .ci/benchmarks agent}.
 */
public class MultiPoolBenchmark extends PodsBenchmark {
  private static final int BLOCKS = 4_096;
  private static final Cidr ALL = Cidr.parse("10.16.0.0/16");

  /** Seconds that a released address pauses: with some, what is handed out has cooled. */
  @Param({"0", "130"})
  public int cooldown;

  @Override
  Ipam filled() {
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
    BenchmarkPods.fill(node.ipam(), POOL, BLOCKS * 14 * 9 / 10);
    return node.ipam();
  }

  @Benchmark
  public Optional<Denial> allocateAndRelease() {
    return comeAndGo("benchmark/pod");
  }
}
