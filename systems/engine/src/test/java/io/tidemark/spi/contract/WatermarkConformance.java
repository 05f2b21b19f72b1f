package io.tidemark.spi.contract;

import static io.tidemark.spi.contract.ContractWorld.known;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.node.ClusterStatistics;
import io.tidemark.node.NodeManager;
import io.tidemark.node.NodeState;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resource.IpamSpec;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.Capability;
import io.tidemark.spi.NodeSettings;
import io.tidemark.spi.contract.ContractCloud.Capacity;
import io.tidemark.spi.contract.NodeShape.Trait;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The engine over a provider: the numbers of node-manager 10.5 (C-AWS and C-AZ). Subclassed through
 * {@link AllocationContract}.
 */
abstract class WatermarkConformance extends CapabilityConformance {
  private static EngineConfig plain() {
    return EngineConfig.defaults();
  }

  private static EngineConfig delegating() {
    return EngineConfig.of(Map.of("enable-prefix-delegation", "true"));
  }

  private ContractWorld running(NodeShape shape, IpamSpec ipam, EngineConfig config) {
    ContractWorld world = world().with(shape);
    world.start(config);
    world.create(world.resource("node1", ipam));
    world.act();
    return world;
  }

  @Test
  @DisplayName("C-AWS-1 C-AWS-2 names and lookups follow the objects")
  void namesAndLookups() {
    ContractWorld world = world().with(NodeShape.SMALL);
    world.launch("node2", NodeShape.SMALL, "subnet-a");
    NodeManager manager = world.start(plain());
    world.create(world.resource("node1", IpamSpec.of(8, 0, 0, 0)));
    world.create(world.resource("node2", IpamSpec.of(8, 0, 0, 0)));
    world.act();
    assertThat(manager.names()).containsExactly("node1", "node2");
    world.server.delete("node1");
    world.act();
    assertThat(manager.names()).containsExactly("node2");
    assertThat(manager.report("node1")).isEmpty();
    assertThat(manager.report("node2")).isPresent();
  }

  @Test
  @DisplayName("C-AWS-3 C-AZ-1 defaults: 8/0, then 15/7, the status written anew each time")
  void defaults() {
    ContractWorld world = running(NodeShape.SMALL, IpamSpec.of(8, 0, 0, 0), plain());
    assertThat(world.availableUsed("node1")).isEqualTo("8/0");
    NodeResource first = world.server.find("node1").orElseThrow();
    assertThat(first.pool().size()).isEqualTo(8);
    assertUses(world, "15/7");
    NodeResource second = world.server.find("node1").orElseThrow();
    assertThat(second.pool().size()).isEqualTo(15);
    assertThat(second.resourceVersion()).isNotEqualTo(first.resourceVersion());
    assertThat(world.trulyAttached("node1")).isEqualTo(15);
    assertPoolIsDescribed(world, second);
  }

  /** Every pool address belongs to an interface that the status shows (node-manager 6.1). */
  private static void assertPoolIsDescribed(ContractWorld world, NodeResource resource) {
    Map<String, AddressSet> described = world.provider.describedInterfaces(resource);
    resource
        .pool()
        .byResource()
        .forEach(
            (id, addresses) ->
                assertThat(Objects.requireNonNull(described.get(id)).toList())
                    .as("addresses that the status shows on " + id)
                    .containsAll(addresses.toList()));
  }

  @Test
  @Needs({Capability.PREFIX_DELEGATION, Capability.SINGLE_ADDRESSES})
  @DisplayName("C-AWS-4 prefixes: 16/0, 32/12 with two blocks, then one single address: 33/25")
  void prefixes() {
    ContractWorld world = running(NodeShape.SMALL, IpamSpec.of(8, 0, 0, 0), delegating());
    assertThat(world.availableUsed("node1")).isEqualTo("16/0");
    assertUses(world, "32/12");
    assertThat(world.interfaces("node1").get(0).prefixes()).hasSize(2);
    world.cloud.leaveFree("subnet-a", 15);
    world.run(Duration.ofMinutes(3)); // the pools are read again
    assertUses(world, "33/25");
  }

  @Test
  @DisplayName("C-AWS-6 min-allocate on m5.4xlarge: 10/0, 10/8, then 20/8")
  void minAllocate() {
    ContractWorld world = running(NodeShape.of(8, 29), IpamSpec.of(1, 10, 0, 0), plain());
    assertThat(world.availableUsed("node1")).isEqualTo("10/0");
    assertUses(world, "10/8");
    world.editIpam("node1", IpamSpec.of(0, 20, 0, 0));
    world.act();
    assertThat(world.availableUsed("node1")).isEqualTo("20/8");
  }

  @Test
  @DisplayName("C-AWS-7 min and pre-allocate on m3.large: 10/0, 10/9, 11/10, 11/8")
  void minAndPre() {
    ContractWorld world = running(NodeShape.SMALL, IpamSpec.of(1, 10, 0, 0), plain());
    world.act();
    assertThat(world.availableUsed("node1")).isEqualTo("10/0");
    assertUses(world, "10/9", "11/10", "11/8");
  }

  /** Pods use addresses, and the node ends as each "available/used" says. */
  private static void assertUses(ContractWorld world, String... standings) {
    for (String standing : standings) {
      world.use("node1", Integer.parseInt(standing.substring(standing.indexOf('/') + 1)));
      world.act();
      assertThat(world.availableUsed("node1")).isEqualTo(standing);
    }
  }

  @Test
  @Needs(Capability.RELEASE)
  @DisplayName("C-AWS-8 release on m4.xlarge: 13/0, 13/11, 18/13, 18/10, and 13/10 by handshake")
  void release() {
    ContractWorld world =
        running(
            NodeShape.of(4, 14),
            IpamSpec.of(2, 10, 0, 3),
            plain().releasingAfter(Duration.ofSeconds(2)));
    assertThat(world.availableUsed("node1")).isEqualTo("13/0");
    world.use("node1", 11);
    world.run(Duration.ofSeconds(1));
    assertThat(world.availableUsed("node1")).isEqualTo("13/11");
    assertUses(world, "18/13", "18/10");
    for (int interfaces = 0; interfaces < 2; interfaces++) { // one interface gives back per pass
      world.agentAnswers("node1");
      world.act();
    }
    assertThat(world.availableUsed("node1")).isEqualTo("13/10");
    assertThat(world.trulyAttached("node1")).isEqualTo(13);
  }

  @Test
  @Needs(Capability.NEW_INTERFACE)
  @DisplayName("C-AWS-9 an excluded interface gets nothing: 8/0 on two, 15/7 on three")
  void excludedInterface() {
    ContractWorld world = world();
    world.cloud.subnet("subnet-a", Cidr.parse("10.0.0.0/20"));
    NodeShape shape = NodeShape.SMALL.with(Trait.FIRST_INTERFACE_EXCLUDED);
    world.launch("node1", shape, "subnet-a");
    world.start(plain());
    world.create(world.resource("node1", IpamSpec.of(8, 0, 0, 0)));
    world.act();
    assertThat(world.availableUsed("node1")).isEqualTo("8/0");
    assertThat(world.interfaces("node1")).hasSize(2);
    world.use("node1", 7);
    world.act();
    world.act();
    assertThat(world.availableUsed("node1")).isEqualTo("15/7");
    assertThat(world.interfaces("node1")).hasSize(3);
    assertThat(world.interfaces("node1").get(0).singles()).isEmpty();
  }

  @Test
  @DisplayName("C-AWS-10 the instance is the ceiling on t2.xlarge: 20/0, 42/40, nothing needed")
  void capacity() {
    ContractWorld world = running(NodeShape.of(3, 14), IpamSpec.of(8, 20, 0, 0), plain());
    world.act();
    assertThat(world.availableUsed("node1")).isEqualTo("20/0");
    int all = world.cloud.addresses(NodeShape.of(3, 14));
    world.use("node1", all - 2);
    world.run(Duration.ofSeconds(20).plus(world.cloud.changeTime().multipliedBy(2)));
    assertThat(world.availableUsed("node1")).isEqualTo(all + "/" + (all - 2));
    assertThat(world.report("node1").needed()).isZero();
  }

  @Test
  @Needs(Capability.NEW_INTERFACE)
  @DisplayName("C-AWS-11 new interfaces stay in the subnet of the node: 16/0, both in it")
  void nodeSubnet() {
    ContractWorld world = world();
    world.cloud.subnet("subnet-a", Cidr.parse("10.0.0.0/24"));
    world.cloud.subnet("subnet-b", Cidr.parse("10.0.2.0/23"));
    world.launch("node1", NodeShape.of(3, 14), "subnet-a");
    world.start(plain());
    world.create(world.resource("node1", IpamSpec.of(16, 0, 0, 0)));
    world.act();
    world.act();
    assertThat(world.availableUsed("node1")).isEqualTo("16/0");
    assertThat(world.interfaces("node1"))
        .hasSize(2)
        .allMatch(each -> each.subnetId().equals("subnet-a"));
  }

  @Test
  @Needs(Capability.NEW_INTERFACE)
  @DisplayName("C-AWS-12 a stopped instance: not running within 5 s, 0/0, no failure counted")
  void notRunning() {
    NodeShape shape = NodeShape.of(2, 9).with(Trait.FIRST_INTERFACE_RESERVED);
    ContractWorld world = world().with(shape);
    world.start(plain());
    world.stop("node1");
    world.create(world.resource("node1", IpamSpec.of(8, 0, 0, 0)));
    world.act();
    assertThat(world.report("node1").state()).isEqualTo(NodeState.NOT_RUNNING);
    assertThat(world.availableUsed("node1")).isEqualTo("0/0");
    assertThat(world.cloud.unattachedInterfaces()).isZero();
  }

  @Test
  @DisplayName("C-AWS-13 a terminated instance: the numbers stay, nothing is changed any more")
  void instanceDeleted() {
    ContractWorld world = running(NodeShape.of(2, 9), IpamSpec.of(8, 0, 0, 0), plain());
    assertThat(world.availableUsed("node1")).isEqualTo("8/0");
    world.terminate("node1");
    long changes = sum(world.cloud.changes());
    world.run(Duration.ofMinutes(5));
    world.use("node1", 2);
    world.act();
    assertThat(world.report("node1").available()).isEqualTo(8);
    assertThat(world.report("node1").needed()).isZero();
    assertThat(world.report("node1").excess()).isZero();
    assertThat(world.report("node1").state()).isEqualTo(NodeState.BLOCKED);
    assertThat(sum(world.cloud.changes()) - changes).isLessThanOrEqualTo(1);
  }

  private static long sum(Map<String, Long> counts) {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  @Test
  @Needs(Capability.NEW_INTERFACE)
  @DisplayName("C-AWS-14 a hundred c3.xlarge whose primary interface is not for pods")
  void manyNodes() {
    manyNodes(100, NodeShape.of(4, 14).with(Trait.FIRST_INTERFACE_RESERVED), 10);
  }

  @Test
  @DisplayName("C-AZ-2 min and pre-allocate: 10/0, then 15/7, and the pool counts them")
  void poolCounts() {
    ContractWorld world = running(NodeShape.of(8, 29), IpamSpec.of(8, 10, 0, 0), plain());
    assertThat(world.availableUsed("node1")).isEqualTo("10/0");
    long free = world.free();
    assertUses(world, "15/7");
    assertThat(world.free()).isEqualTo(free - 5);
  }

  @Test
  @DisplayName("C-AZ-3 many nodes: a hundred with min-allocate 10, two with 1")
  void manyNodesOfBothSizes() {
    manyNodes(100, NodeShape.SMALL, 10);
    manyNodes(2, NodeShape.SMALL, 1);
  }

  private void manyNodes(int count, NodeShape shape, int min) {
    ContractWorld world = world();
    for (int i = 0; i < 3; i++) {
      world.cloud.subnet(
          i == 0 ? "subnet-a" : "subnet-" + i, Cidr.parse("10.0." + 16 * i + ".0/20"));
    }
    for (int i = 0; i < count; i++) {
      world.launch("node" + i, shape, "subnet-a");
    }
    NodeManager manager = world.start(plain());
    for (int i = 0; i < count; i++) {
      world.create(world.resource("node" + i, IpamSpec.of(1, min, 0, 0)));
    }
    world.run(Duration.ofSeconds(30).plus(world.cloud.changeTime().multipliedBy(4)));
    for (int i = 0; i < count; i++) {
      assertThat(world.report("node" + i).available()).isGreaterThanOrEqualTo(min);
      assertThat(world.report("node" + i).used()).isZero();
    }
    ClusterStatistics sums = manager.statistics();
    assertThat(sums.nodes()).isEqualTo(count);
    assertThat(sums.inDeficit()).isZero();
    assertThat(sums.atCapacity()).isZero();
    assertThat(sums.needed()).isZero();
    assertThat(sums.available()).isGreaterThanOrEqualTo((long) count * min);
  }

  @Test
  @DisplayName("C-AWS-15 capacity with and without blocks and primary addresses")
  void capacityNumbers() {
    for (Capacity each : world().cloud.capacities()) {
      assertThat(capacity(each.primary(), each.blocks(), each.reference()))
          .as("%s", each)
          .isEqualTo(each.addresses());
    }
  }

  private int capacity(boolean primary, boolean prefixes, boolean reference) {
    NodeShape shape = primary ? NodeShape.SMALL.with(Trait.PRIMARY_ADDRESSES) : NodeShape.SMALL;
    ContractWorld world = world().with(shape);
    var operations =
        world.node(
            world.resource("node1", IpamSpec.of(8, 0, 0, 0)),
            new NodeSettings("node1", prefixes, false, reference));
    return known(operations).statistics().capacityIpv4();
  }

  @Test
  @Needs(Capability.STATIC_ADDRESS)
  @DisplayName("C-AWS-16 a static public address is found by tags, once, on the primary interface")
  void staticAddress() {
    ContractWorld world = world().with(NodeShape.SMALL);
    world.cloud.publicAddress(IpAddress.parse("192.0.2.254"), Map.of("pool", "edge"));
    world.start(plain());
    world.create(
        world.resource(
            "node1", new IpamSpec(8, 0, 0, 0, Map.of("pool", "edge"), Optional.empty(), Set.of())));
    world.act();
    world.act();
    NodeResource written = world.server.find("node1").orElseThrow();
    assertThat(written.assignedStaticIp()).contains("192.0.2.254");
    assertThat(world.availableUsed("node1")).isEqualTo("8/0");
    Set<String> versions = new TreeSet<>();
    for (int i = 0; i < 3; i++) {
      world.run(Duration.ofMinutes(2));
      versions.add(world.server.find("node1").orElseThrow().resourceVersion());
    }
    assertThat(versions).as("nothing more is written").hasSize(1);
  }
}
