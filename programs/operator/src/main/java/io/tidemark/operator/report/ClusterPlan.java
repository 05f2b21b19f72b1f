package io.tidemark.operator.report;

import io.tidemark.node.config.EngineConfig;
import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.CallLimits;
import io.tidemark.resilience.SharedLimit;
import io.tidemark.spi.PlannedInstance;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The needs of a cluster of equal nodes. Pure.
 *
 * @param pods of each node, which start at once
 * @param node a node that was filled for them
 * @param servedWithBlocks pods that such a node serves with blocks
 * @param engine paces requests
 */
public record ClusterPlan(
    String provider,
    String instanceType,
    int nodes,
    int pods,
    PlannedInstance node,
    int servedWithBlocks,
    EngineConfig engine) {
  private static final int BLOCK = 16;
  private static final int SMALLEST_SUBNET = 28;
  private static final List<Integer> USUAL_SUBNETS = List.of(24, 22, 20);

  /**
   * A limit, and the least time in which it lets all requests pass.
   *
   * @param name in a sentence
   */
  public record Bound(String name, double seconds) {}

  /**
   * Subnets of one size; all addresses of a node are in one of them.
   *
   * @param nodes that fit in one of them
   * @param count how many hold the cluster; 0 when not even one node fits
   * @param countScattered the same where each single address makes one /28 useless for blocks
   */
  public record Subnets(int prefix, long nodes, long count, long countScattered) {}

  /** Whether every pod gets an address. */
  public boolean fits() {
    return served() == pods;
  }

  /** Pods of a node that get an address. */
  public int served() {
    return Math.min(pods, node.addresses());
  }

  /** Such nodes that serve all pods. */
  public long nodesNeeded() {
    return served() == 0 ? 0 : above((long) nodes * pods, served());
  }

  /** Addresses of subnets that a node takes. */
  public long subnetAddresses() {
    return node.singles() + (long) BLOCK * node.blocks();
  }

  /** Requests of a node that change something, by kind. */
  public Map<String, Integer> requests() {
    Map<String, Integer> counts = new TreeMap<>();
    node.requests().forEach(each -> counts.merge(each.name(), 1, Integer::sum));
    return counts;
  }

  /** The limits that the time depends on, the slowest first. */
  public List<Bound> bounds() {
    Map<CallKind, CallLimits> kinds = node.policy().limits();
    List<SharedLimit> limits = new ArrayList<>(node.policy().shared());
    kinds.forEach(
        (kind, each) ->
            limits.add(
                new SharedLimit(kind.name(), each.callsPerSecond(), each.burst(), Set.of(kind))));
    int workers = engine.maintenance().parallelCalls(); // a request takes about a second
    limits.add(new SharedLimit("parallel-alloc-workers", workers, workers, kinds.keySet()));
    engine
        .ceiling()
        .ifPresent(
            all ->
                limits.add(
                    new SharedLimit(
                        "limit-ipam-api-qps", all.callsPerSecond(), all.burst(), kinds.keySet())));
    Bound oneNode = new Bound("the requests of one node", node.took().toMillis() / 1e3);
    return Stream.concat(Stream.of(oneNode), limits.stream().map(this::bound))
        .filter(each -> each.seconds() > 0 || each.equals(oneNode))
        .sorted(Comparator.comparingDouble(Bound::seconds).reversed().thenComparing(Bound::name))
        .toList();
  }

  private Bound bound(SharedLimit limit) {
    long sent = nodes * node.requests().stream().filter(limit.kinds()::contains).count();
    double rate = limit.callsPerSecond();
    return new Bound(
        limit.name()
            + ", "
            + (rate == Math.rint(rate) ? "" + (long) rate : "" + rate)
            + " requests a second and "
            + limit.burst()
            + " at once",
        Math.max(0, sent - limit.burst()) / rate);
  }

  /** The smallest single subnet that holds the cluster, if there is one, and usual sizes. */
  public List<Subnets> subnets() {
    Stream<Subnets> single =
        IntStream.iterate(SMALLEST_SUBNET, p -> p >= node.largestSubnet(), p -> p - 1)
            .mapToObj(this::subnets)
            .filter(each -> each.count() == 1)
            .limit(1);
    return Stream.concat(single, USUAL_SUBNETS.stream().map(this::subnets))
        .distinct()
        .sorted(Comparator.comparingInt(Subnets::prefix))
        .toList();
  }

  private Subnets subnets(int prefix) {
    long size = 1L << (32 - prefix);
    if (node.blocks() == 0) {
      long in = Math.max(0, size - node.keptInSubnet()) / node.singles();
      return new Subnets(prefix, in, count(in), count(in));
    }
    // The first and the last /28 give no block, because the cloud keeps addresses of them.
    long whole = Math.max(0, size / BLOCK - 2);
    long loose = 2L * BLOCK - node.keptInSubnet();
    long packed = whole / node.blocks();
    while (packed * node.blocks() + above(Math.max(0, packed * node.singles() - loose), BLOCK)
        > whole) {
      packed--;
    }
    long scattered = whole / (node.blocks() + node.singles());
    return new Subnets(prefix, packed, count(packed), count(scattered));
  }

  private long count(long nodesInOne) {
    return nodesInOne == 0 ? 0 : above(nodes, nodesInOne);
  }

  /** A quotient that is rounded up. */
  private static long above(long number, long divisor) {
    return (number + divisor - 1) / divisor;
  }
}
