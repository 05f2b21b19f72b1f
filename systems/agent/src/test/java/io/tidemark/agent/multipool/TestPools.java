package io.tidemark.agent.multipool;

import static io.tidemark.agent.TestNode.granted;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.agent.Allocation;
import io.tidemark.agent.CoolingRule;
import io.tidemark.agent.Ipam;
import io.tidemark.agent.PoolName;
import io.tidemark.agent.Upstream;
import io.tidemark.agent.UpstreamSync;
import io.tidemark.agent.eni.TestEni;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.metrics.Meters;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.PodPools;
import io.tidemark.resource.PodPools.PoolCidrs;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/** A node with pools and its object, to which the agent writes when a test asks for it. */
final class TestPools {
  static final Set<IpFamily> BOTH = Set.of(IpFamily.IPV4, IpFamily.IPV6);
  static final QuarantineRule QUARANTINE =
      QuarantineRule.of(Duration.ofSeconds(15), Duration.ofMinutes(4));

  final VirtualTime time;
  final MultiPool pools;
  final Ipam ipam;
  NodeResource object;
  int wakes;

  TestPools(VirtualTime time, NodeResource object, MultiPool pools) {
    this.time = time;
    this.object = object;
    this.pools = pools;
    this.ipam = pools.ipam();
    pools.publishedBy(
        new Upstream() {
          @Override
          public void changed() {
            wakes++;
          }

          @Override
          public void restoreFinished(IpFamily family) {
            pools.restored();
          }
        });
  }

  /** A new node of the operator's blocks; released addresses do not pause. */
  static TestPools of(Set<IpFamily> families, Map<String, Integer> preAllocation) {
    VirtualTime time = new VirtualTime(0);
    return new TestPools(
        time,
        NodeResource.named("n"),
        pools(time, families, preAllocation, CoolingRule.OFF, Optional.empty()));
  }

  static MultiPool pools(
      VirtualTime time,
      Set<IpFamily> families,
      Map<String, Integer> preAllocation,
      CoolingRule cooling,
      Optional<List<RememberedCidr>> remembered) {
    Map<PoolName, Integer> byPool = new java.util.HashMap<>();
    preAllocation.forEach((pool, addresses) -> byPool.put(new PoolName(pool), addresses));
    return new MultiPool(
        Ipam.builder(time, new Random(1)).cooling(cooling),
        new MultiPoolRules(families, byPool, DemandRule.STEPS, QUARANTINE, Duration.ofMinutes(1)),
        RangeSource.ALLOCATED,
        new MultiPool.Origin(Optional.empty(), 0, remembered),
        time,
        Meters.none());
  }

  // ---- the operator

  /** The operator gives the pool exactly these blocks; the agent sees it. */
  TestPools offers(String pool, String... blocks) {
    object = offering(object, pool, blocks);
    sees(object);
    return this;
  }

  /** The object of an instance with one interface that holds these blocks. */
  static NodeResource attached(NodeResource base, String... blocks) {
    return TestEni.node(
        base,
        TestEni.of(
            "eni-1",
            Stream.of(blocks)
                .map(each -> each.endsWith("/32") ? each.substring(0, each.length() - 3) : each)
                .toArray(String[]::new)));
  }

  /** The agent sees a version, and what it would write is lost. */
  void sees(NodeResource version) {
    pools.applied(version);
  }

  static NodeResource offering(NodeResource base, String pool, String... blocks) {
    PodPools before = base.pools();
    SortedMap<String, PoolCidrs> allocated = new TreeMap<>(before.allocated());
    if (blocks.length == 0) {
      allocated.remove(pool);
    } else {
      allocated.put(pool, PoolCidrs.of(Stream.of(blocks).map(Cidr::parse).toArray(Cidr[]::new)));
    }
    return base.withPools(new PodPools(before.requested(), allocated));
  }

  // ---- the agent

  TestPools restored() {
    ipam.restoreFinished(IpFamily.IPV4);
    return this;
  }

  /** The agent writes its object. */
  TestPools writes() {
    object = pools.applied(object);
    return this;
  }

  TestPools pass(Duration duration) {
    time.runUntil(time.nanos() + duration.toNanos());
    sees(object);
    return this;
  }

  /** Demand as {@code ipv4/ipv6} by pool. */
  Map<String, String> requested() {
    Map<String, String> requested = new TreeMap<>();
    object
        .pools()
        .requested()
        .forEach((pool, demand) -> requested.put(pool, demand.ipv4() + "/" + demand.ipv6()));
    return requested;
  }

  List<String> allocated(String pool) {
    PoolCidrs blocks = object.pools().allocated().get(pool);
    return blocks == null ? List.of() : blocks.cidrs().stream().map(Cidr::toString).toList();
  }

  // ---- pods

  Allocation next(IpFamily family, String pool, String owner) {
    return ipam.allocateNext(family, owner, new PoolName(pool), UpstreamSync.NOW);
  }

  String take(String pool, String owner) {
    return granted(next(IpFamily.IPV4, pool, owner)).ip().toString();
  }

  Allocation take(String pool, String ip, String owner) {
    return ipam.allocate(IpAddress.parse(ip), owner, new PoolName(pool), UpstreamSync.NOW);
  }

  void release(String pool, String ip) {
    assertThat(ipam.release(IpAddress.parse(ip), new PoolName(pool))).isEmpty();
  }
}
