package io.tidemark.it.benchmark;

import io.tidemark.agent.Denial;
import io.tidemark.agent.Ipam;
import io.tidemark.agent.IpamBuilder;
import io.tidemark.agent.PoolName;
import io.tidemark.agent.crd.CrdMode;
import io.tidemark.agent.crd.CrdNode;
import io.tidemark.agent.crd.LocalInterfaces;
import io.tidemark.ip.IpFamily;
import io.tidemark.time.SystemTime;
import io.tidemark.time.ThreadTaskScheduler;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/** A benchmark of pods that come and go on a node. */
public abstract class PodsBenchmark extends ThroughputBenchmark {
  static final PoolName POOL = new PoolName("default");

  final ThreadTaskScheduler scheduler = ThreadTaskScheduler.start("timer", SystemTime.instance());
  private Ipam ipam = Ipam.builder(scheduler, new SplittableRandom(1)).build();

  /** The facade of a node whose pool is in use. */
  abstract Ipam filled();

  /** Fills the pool. */
  @Setup
  public void fill() {
    ipam = filled();
  }

  /** Ends the timer. */
  @TearDown
  public void close() {
    scheduler.close();
  }

  /** One pod comes and goes again. */
  Optional<Denial> comeAndGo(String owner) {
    return BenchmarkPods.comeAndGo(ipam, owner, POOL);
  }

  /** A node whose pool its object keeps. */
  CrdNode node(CrdMode mode, IpamBuilder builder) {
    return CrdNode.of(
        new CrdNode.Settings(
            "n",
            mode,
            Optional.empty(),
            POOL,
            Set.of(IpFamily.IPV4),
            Duration.ofMinutes(3),
            List.of()),
        LocalInterfaces.ALL,
        SystemTime.instance(),
        new SplittableRandom(1),
        builder);
  }
}
