package io.tidemark.it.benchmark;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.tidemark.agent.Allocation;
import io.tidemark.agent.AllocationResult;
import io.tidemark.agent.CoolingRule;
import io.tidemark.agent.Denial;
import io.tidemark.agent.Ipam;
import io.tidemark.agent.IpamBuilder;
import io.tidemark.agent.PoolName;
import io.tidemark.agent.UpstreamSync;
import io.tidemark.ip.IpFamily;
import io.tidemark.metrics.Meters;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.Optional;
import java.util.SplittableRandom;

/** Pods that come and go on the node of a benchmark. */
final class BenchmarkPods {
  private BenchmarkPods() {}

  /** Metrics as a program has them. */
  static Meters metrics() {
    return new Meters(new PrometheusMeterRegistry(PrometheusConfig.DEFAULT));
  }

  /**
   * The facade of a node.
   *
   * @param cooldown seconds that a released address pauses
   */
  static IpamBuilder builder(TaskScheduler scheduler, int cooldown) {
    return Ipam.builder(scheduler, new SplittableRandom(1))
        .cooling(new CoolingRule(Duration.ofSeconds(cooldown), Duration.ZERO))
        .metrics(metrics());
  }

  static AllocationResult come(Ipam ipam, String owner, PoolName pool) {
    Allocation end = ipam.allocateNext(IpFamily.IPV4, owner, pool, UpstreamSync.NOW);
    if (end instanceof Allocation.Granted granted) {
      return granted.result();
    }
    throw new IllegalStateException(end.toString());
  }

  /** So many pods, each with an address of its own. */
  static void fill(Ipam ipam, PoolName pool, int pods) {
    for (int i = 0; i < pods; i++) {
      come(ipam, "others/pod-" + i, pool);
    }
  }

  /** One pod comes and goes again. */
  static Optional<Denial> comeAndGo(Ipam ipam, String owner, PoolName pool) {
    AllocationResult held = come(ipam, owner, pool);
    return ipam.release(held.ip(), held.pool());
  }
}
