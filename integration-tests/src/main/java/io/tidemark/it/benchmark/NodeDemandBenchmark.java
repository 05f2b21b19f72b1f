package io.tidemark.it.benchmark;

import io.tidemark.demand.DemandSettings;
import io.tidemark.demand.DemandWatermarks;
import io.tidemark.demand.GroupDemand;
import io.tidemark.demand.NodeDemand;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * A decision of mode {@code demand}, a second after the one before: what pods have, the growth to
 * expect, the watermarks. Aim: 1 µs, and 300 bytes of heap a node, which {@link DemandRun}
 * measures.
 */
public class NodeDemandBenchmark extends ThroughputBenchmark {
  private static final Duration LEAD_TIME = Duration.ofSeconds(16);

  private final NodeDemand node = node(new GroupDemand(0));
  private long nowNanos;
  private int pods;

  /** A node that was there before. */
  static NodeDemand node(GroupDemand group) {
    return new NodeDemand(group, 0, Duration.ofDays(1), 0);
  }

  /** One pod came before all; a group without pods would end each decision early. */
  public NodeDemandBenchmark() {
    node.observe(1, 0);
  }

  /** No pod comes. */
  @Benchmark
  public DemandWatermarks calm() {
    return decide(0);
  }

  /** A pod comes, or goes, in turns. */
  @Benchmark
  public DemandWatermarks onePod() {
    return decide(1);
  }

  /** Eight pods come, or go, in turns. */
  @Benchmark
  public DemandWatermarks eightPods() {
    return decide(8);
  }

  private DemandWatermarks decide(int change) {
    pods = pods == 0 ? change : 0;
    nowNanos += TimeUnit.SECONDS.toNanos(1);
    node.observe(pods, nowNanos);
    return DemandWatermarks.of(
        node.forecast(DemandSettings.DEFAULT.quantile(), nowNanos),
        LEAD_TIME,
        DemandSettings.DEFAULT,
        8);
  }
}
