package io.tidemark.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The metrics of node CIDRs in a Micrometer registry, under the names of docs/metrics.md.
 * Thread-safe.
 */
public final class MicrometerNodeCidrMetrics implements NodeCidrMetrics {
  /** The prefix of the Kubernetes controller manager, so that dashboards keep working. */
  public static final String DEFAULT_PREFIX = "node_ipam_controller_";

  /** The prefix of what the controller manager does not have. */
  public static final String OWN_PREFIX = "tidemark_node_cidr_";

  private final Meters reference;
  private final Meters meters;
  private final TriggerMetrics k8sSync;
  private final Meters.Series usage;
  private final Meters.Series max;
  private final Meters.Series blocks;
  private final Meters.Series nodes;
  private final Meters.Series frontier;
  private volatile Supplier<NodeCidrCounts> counts =
      () -> new NodeCidrCounts(List.of(), Map.of(), Duration.ZERO, 0);

  /**
   * Metrics in {@code registry} whose names begin with the two prefixes, and those of writes of
   * CiliumNodes, with the prefix of the Cilium operator; a scrape has these after the first write.
   */
  public MicrometerNodeCidrMetrics(MeterRegistry registry) {
    this.reference = new Meters(registry);
    this.meters = new Meters(registry);
    Meters operator = new Meters(registry);
    this.k8sSync = new MicrometerTriggerMetrics(operator.trigger(Metric.Prefix.IPAM, "k8s_sync"));
    this.usage = reference.series(Metric.CIDRSET_USAGE);
    this.max = reference.series(Metric.CIDRSET_MAX);
    this.blocks = meters.series(Metric.NODE_CIDR_BLOCKS);
    this.nodes = meters.series(Metric.NODE_CIDR_NODES);
    this.frontier = meters.series(Metric.NODE_CIDR_FRONTIER);
  }

  @Override
  public void counts(Supplier<NodeCidrCounts> present) {
    counts = present;
    for (RangeCounts each : present.get().ranges()) {
      String range = each.clusterCidr();
      reference.functionCounter(Metric.CIDRSET_ALLOCATIONS, () -> of(range).allocations(), range);
      reference.functionCounter(Metric.CIDRSET_RELEASES, () -> of(range).releases(), range);
    }
    refresh();
  }

  private RangeCounts of(String range) {
    return counts.get().ranges().stream()
        .filter(each -> each.clusterCidr().equals(range))
        .findFirst()
        .orElseGet(() -> new RangeCounts(range, "", Map.of(), 0, 0, 0, 0));
  }

  /** The gauges show the numbers of now. Before each scrape. */
  public void refresh() {
    NodeCidrCounts now = counts.get();
    Map<List<String>, Number> used = new HashMap<>();
    Map<List<String>, Number> most = new HashMap<>();
    Map<List<String>, Number> states = new HashMap<>();
    Map<List<String>, Number> frontiers = new HashMap<>();
    for (RangeCounts each : now.ranges()) {
      List<String> range = List.of(each.clusterCidr());
      used.put(range, each.usage());
      most.put(range, each.max());
      frontiers.put(range, each.frontier());
      each.blocks()
          .forEach(
              (state, count) ->
                  states.put(List.of(each.clusterCidr(), each.family(), state), count));
    }
    usage.show(used);
    max.show(most);
    blocks.show(states);
    frontier.show(frontiers);
    Map<List<String>, Number> byState = new HashMap<>();
    now.nodes().forEach((state, count) -> byState.put(List.of(state), count));
    nodes.show(byState);
    meters.gauge(Metric.NODE_CIDR_OLDEST).set(now.oldestWaiting());
    meters.gauge(Metric.NODE_CIDR_CONFLICTS).set(now.conflicts());
  }

  @Override
  public void allocated(String clusterCidr, long passedOver) {
    reference.record(Metric.CIDRSET_TRIES, (double) passedOver, clusterCidr);
  }

  @Override
  public void assigned(Duration took) {
    meters.record(Metric.NODE_CIDR_ASSIGNMENT, took);
  }

  @Override
  public void written(String ending) {
    meters.count(Metric.NODE_CIDR_WRITES, ending);
  }

  @Override
  public TriggerMetrics k8sSync() {
    return k8sSync;
  }
}
