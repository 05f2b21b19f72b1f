package io.tidemark.operator.report;

import io.tidemark.node.config.EngineConfig;
import io.tidemark.resilience.CallKind;
import io.tidemark.resilience.SharedLimit;
import io.tidemark.spi.PlannedInstance;
import java.math.BigDecimal;
import java.math.RoundingMode;
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
 * @param engine paces requests
 */
public record ClusterPlan(
    String provider,
    String instanceType,
    int nodes,
    int pods,
    PlannedInstance node,
    EngineConfig engine) {
  private static final int BLOCK = 16;
  private static final int SMALLEST_SUBNET = 28;
  private static final List<Integer> USUAL_SUBNETS = List.of(24, 22, 20);

  /**
   * A limit, and about the time in which it lets all requests pass.
   *
   * @param name in a sentence
   */
  public record Bound(String name, double seconds) {}

  /**
   * Subnets of one size; all addresses of a node are in one of them.
   *
   * @param nodes that fit in one of them
   * @param count how many hold the cluster; 0 when not even one node fits
   */
  public record Subnets(int prefix, long nodes, long count) {}

  /** Whether every pod gets an address, in one network. */
  public boolean fits() {
    return served() == pods && networks() == 1;
  }

  /** Networks that hold all nodes, as many whole ones in each as its limit allows. */
  public long networks() {
    return ceilDiv(nodes, inOneNetwork());
  }

  /** Nodes that one network holds. */
  public int inOneNetwork() {
    return node.networkMax() / node.inNetwork();
  }

  /** Pods of a node that get an address. */
  public int served() {
    return Math.min(pods, node.addresses());
  }

  /** Such nodes that serve all pods. */
  public long nodesNeeded() {
    return served() == 0 ? 0 : ceilDiv((long) nodes * pods, served());
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

  /** The limit that the time follows from: the slowest. */
  public Bound bound() {
    Set<CallKind> all = node.policy().limits().keySet();
    List<SharedLimit> limits = new ArrayList<>(node.policy().shared());
    node.policy()
        .limits()
        .forEach(
            (kind, each) ->
                limits.add(
                    new SharedLimit(
                        kind.name(), each.callsPerSecond(), each.burst(), Set.of(kind))));
    engine
        .ceiling()
        .ifPresent(
            each ->
                limits.add(
                    new SharedLimit(
                        "limit-ipam-api-qps", each.callsPerSecond(), each.burst(), all)));
    int workers = engine.maintenance().parallelCalls(); // a request takes about a second
    SharedLimit parallel = new SharedLimit("parallel-alloc-workers", workers, workers, all);
    return Stream.concat(
            Stream.of(
                new Bound("the requests of one node", node.took().toMillis() / 1e3),
                bound(parallel, workers + " workers")),
            limits.stream().map(each -> bound(each, pace(each))))
        .max(Comparator.comparingDouble(Bound::seconds).thenComparing(Bound::name))
        .orElseThrow();
  }

  private Bound bound(SharedLimit limit, String pace) {
    long sent = nodes * node.requests().stream().filter(limit.kinds()::contains).count();
    return new Bound(
        limit.name() + ", " + pace, Math.max(0, sent - limit.burst()) / limit.callsPerSecond());
  }

  private static String pace(SharedLimit limit) {
    BigDecimal rate = BigDecimal.valueOf(limit.callsPerSecond()).setScale(3, RoundingMode.HALF_UP);
    return rate.stripTrailingZeros().toPlainString()
        + " requests a second and "
        + limit.burst()
        + " at once";
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
      return new Subnets(prefix, in, count(in));
    }
    // The first and the last /28 give no block, because the cloud keeps addresses of them.
    long whole = Math.max(0, size / BLOCK - 2);
    long loose = 2L * BLOCK - node.keptInSubnet();
    long packed = whole / node.blocks();
    while (packed > 0
        && packed * node.blocks() + ceilDiv(Math.max(0, packed * node.singles() - loose), BLOCK)
            > whole) {
      packed--;
    }
    return new Subnets(prefix, packed, count(packed));
  }

  private long count(long nodesInOne) {
    return nodesInOne == 0 ? 0 : ceilDiv(nodes, nodesInOne);
  }

  private static long ceilDiv(long number, long divisor) {
    return (number + divisor - 1) / divisor;
  }
}
