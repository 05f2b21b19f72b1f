package io.tidemark.it.benchmark;

import io.tidemark.agent.Denial;
import io.tidemark.agent.Ipam;
import io.tidemark.agent.hostscope.HostRange;
import io.tidemark.ip.Cidr;
import java.util.Optional;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;

/**
 * Allocating an address of a /20, of which 99 % is in use, for an owner and releasing it, with
 * metrics (P2; aims: 250 ns, 100 bytes). Run it by {@code .ci/benchmarks agent}.
 */
public class IpamBenchmark extends PodsBenchmark {
  private static final int IN_USE = 4_094 * 99 / 100;

  /** Seconds that a released address pauses: with some, what is handed out has cooled. */
  @Param({"0", "130"})
  public int cooldown;

  @Override
  Ipam filled() {
    Ipam ipam =
        BenchmarkPods.builder(scheduler, cooldown)
            .pool(POOL, HostRange.of(Cidr.parse("10.0.0.0/20"), 0))
            .build();
    BenchmarkPods.fill(ipam, POOL, IN_USE);
    return ipam;
  }

  @Benchmark
  public Optional<Denial> comeAndGo() {
    return comeAndGo("benchmark/pod");
  }
}
