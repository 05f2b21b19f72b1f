package io.tidemark.spi.contract;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.config.EngineConfig;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.node.ClusterStatistics;
import io.tidemark.node.NodeManager;
import io.tidemark.node.NodeManagerConfig;
import io.tidemark.node.NodeState;
import io.tidemark.resource.EniSpec;
import io.tidemark.resource.EniStatus;
import io.tidemark.resource.IpamSpec;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.Capability;
import io.tidemark.spi.NodeSettings;
import io.tidemark.testing.EniSpecSample;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The engine over a provider: the numbers of node-manager 10.5 (C-AWS and C-AZ). Subclassed through
 * {@link AllocationContract}.
 */
abstract class WatermarkConformance extends CapabilityConformance {
  private static final Duration WHILE = Duration.ofSeconds(5);

  private static NodeManagerConfig plain() {
    return NodeManagerConfig.defaults();
  }

  private static NodeManagerConfig delegating() {
    NodeManagerConfig base = plain();
    EngineConfig engine = base.engine();
    return new NodeManagerConfig(
        base.workers(),
        new EngineConfig(
            engine.parallelCalls(),
            true,
            engine.backgroundSyncInterval(),
            engine.notRunningGrace(),
            engine.overlayExpiry(),
            engine.syncAttempts(),
            engine.passTimeout(),
            engine.storeTimeout()),
        base.release(),
        base.backoff(),
        base.referenceCompatible());
  }

  private ContractWorld running(String type, IpamSpec ipam, NodeManagerConfig config) {
    return running(ContractWorld.resource("node1", type, ipam), type, config);
  }

  private ContractWorld running(NodeResource resource, String type, NodeManagerConfig config) {
    ContractWorld world = world().with(type, "i-node1");
    world.start(config);
    world.create(resource);
    world.run(WHILE);
    return world;
  }

  @Test
  @DisplayName("C-AWS-1 C-AWS-2 names and lookups follow the objects")
  void namesAndLookups() {
    ContractWorld world = world().with("m5.large", "i-node1");
    world.cloud.launch("i-node2", "m5.large", "subnet-a", Map.of());
    NodeManager manager = world.start(plain());
    world.create(ContractWorld.resource("node1", "m5.large", IpamSpec.of(8, 0, 0, 0)));
    world.create(ContractWorld.resource("node2", "m5.large", IpamSpec.of(8, 0, 0, 0)));
    world.run(WHILE);
    assertThat(manager.names()).containsExactly("node1", "node2");
    world.server.delete("node1");
    world.run(WHILE);
    assertThat(manager.names()).containsExactly("node2");
    assertThat(manager.report("node1")).isEmpty();
    assertThat(manager.report("node2")).isPresent();
  }

  @Test
  @Needs(Capability.NEW_INTERFACE)
  @DisplayName("C-AWS-3 C-AZ-1 defaults: 8/0, then 15/7, the status written anew each time")
  void defaults() {
    ContractWorld world = running("m5.large", IpamSpec.of(8, 0, 0, 0), plain());
    assertThat(world.availableUsed("node1")).isEqualTo("8/0");
    NodeResource first = world.server.find("node1").orElseThrow();
    assertThat(first.pool().size()).isEqualTo(8);
    world.use("node1", 7);
    world.run(WHILE);
    assertThat(world.availableUsed("node1")).isEqualTo("15/7");
    NodeResource second = world.server.find("node1").orElseThrow();
    assertThat(second.pool().size()).isEqualTo(15);
    assertThat(second.resourceVersion()).isNotEqualTo(first.resourceVersion());
    assertThat(world.trulyAttached("i-node1")).isEqualTo(15);
    assertPoolIsDescribed(second);
  }

  /** Every pool address belongs to an interface that the status shows (node-manager 6.1). */
  private static void assertPoolIsDescribed(NodeResource resource) {
    EniStatus status = resource.eniStatus().orElseThrow();
    resource
        .pool()
        .byResource()
        .forEach(
            (eni, addresses) ->
                assertThat(Objects.requireNonNull(status.enis().get(eni)).addresses())
                    .as("addresses that the status shows on " + eni)
                    .containsAll(addresses.toList()));
  }

  @Test
  @Needs({Capability.PREFIX_DELEGATION, Capability.SINGLE_ADDRESSES})
  @DisplayName("C-AWS-4 prefixes: 16/0, 32/12 with two blocks, then one single address: 33/25")
  void prefixes() {
    ContractWorld world = running("m5a.large", IpamSpec.of(8, 0, 0, 0), delegating());
    assertThat(world.availableUsed("node1")).isEqualTo("16/0");
    world.use("node1", 12);
    world.run(WHILE);
    assertThat(world.availableUsed("node1")).isEqualTo("32/12");
    assertThat(world.cloud.interfaces("i-node1").get(0).prefixes()).hasSize(2);
    world.cloud.leaveFree("subnet-a", 15);
    world.run(Duration.ofMinutes(3)); // the pools are read again
    world.use("node1", 25);
    world.run(WHILE);
    assertThat(world.availableUsed("node1")).isEqualTo("33/25");
  }

  @Test
  @Needs(Capability.NEW_INTERFACE)
  @DisplayName("C-AWS-6 min-allocate on m5.4xlarge: 10/0, 10/8, then 20/8")
  void minAllocate() {
    ContractWorld world = running("m5.4xlarge", IpamSpec.of(1, 10, 0, 0), plain());
    assertThat(world.availableUsed("node1")).isEqualTo("10/0");
    world.use("node1", 8);
    world.run(WHILE);
    assertThat(world.availableUsed("node1")).isEqualTo("10/8");
    world.editIpam("node1", IpamSpec.of(0, 20, 0, 0));
    world.run(WHILE);
    assertThat(world.availableUsed("node1")).isEqualTo("20/8");
  }

  @Test
  @Needs(Capability.NEW_INTERFACE)
  @DisplayName("C-AWS-7 min and pre-allocate on m3.large: 10/0, 10/9, 11/10, 11/8")
  void minAndPre() {
    ContractWorld world = running("m3.large", IpamSpec.of(1, 10, 0, 0), plain());
    world.run(WHILE);
    assertThat(world.availableUsed("node1")).isEqualTo("10/0");
    world.use("node1", 9);
    world.run(WHILE);
    assertThat(world.availableUsed("node1")).isEqualTo("10/9");
    world.use("node1", 10);
    world.run(WHILE);
    assertThat(world.availableUsed("node1")).isEqualTo("11/10");
    world.use("node1", 8);
    world.run(WHILE);
    assertThat(world.availableUsed("node1")).isEqualTo("11/8");
  }

  @Test
  @Needs({Capability.NEW_INTERFACE, Capability.RELEASE})
  @DisplayName("C-AWS-8 release on m4.xlarge: 13/0, 13/11, 18/13, 18/10, and 13/10 by handshake")
  void release() {
    ContractWorld world =
        running(
            "m4.xlarge", IpamSpec.of(2, 10, 0, 3), plain().releasingAfter(Duration.ofSeconds(2)));
    assertThat(world.availableUsed("node1")).isEqualTo("13/0");
    world.use("node1", 11);
    world.run(Duration.ofSeconds(1));
    assertThat(world.availableUsed("node1")).isEqualTo("13/11");
    world.use("node1", 13);
    world.run(WHILE);
    assertThat(world.availableUsed("node1")).isEqualTo("18/13");
    world.use("node1", 10);
    world.run(WHILE);
    assertThat(world.availableUsed("node1")).isEqualTo("18/10");
    for (int interfaces = 0; interfaces < 2; interfaces++) { // one interface gives back per pass
      world.agentAnswers("node1");
      world.run(WHILE);
    }
    assertThat(world.availableUsed("node1")).isEqualTo("13/10");
    assertThat(world.trulyAttached("i-node1")).isEqualTo(13);
  }

  @Test
  @Needs(Capability.NEW_INTERFACE)
  @DisplayName("C-AWS-9 an excluded interface gets nothing: 8/0 on two, 15/7 on three")
  void excludedInterface() {
    ContractWorld world = world();
    world.cloud.subnet("subnet-a", Cidr.parse("10.0.0.0/20"));
    world.cloud.launch("i-node1", "m5.large", "subnet-a", Map.of("purpose", "host"));
    world.start(plain());
    world.create(
        ContractWorld.resource(
            "node1",
            EniSpecSample.of("m5.large").excludeTags(Map.of("purpose", "host")).build(),
            IpamSpec.of(8, 0, 0, 0)));
    world.run(WHILE);
    assertThat(world.availableUsed("node1")).isEqualTo("8/0");
    assertThat(world.cloud.interfaces("i-node1")).hasSize(2);
    world.use("node1", 7);
    world.run(WHILE);
    world.run(WHILE);
    assertThat(world.availableUsed("node1")).isEqualTo("15/7");
    assertThat(world.cloud.interfaces("i-node1")).hasSize(3);
    assertThat(world.cloud.interfaces("i-node1").get(0).singles()).isEmpty();
  }

  @Test
  @Needs(Capability.NEW_INTERFACE)
  @DisplayName("C-AWS-10 the instance is the ceiling on t2.xlarge: 20/0, 42/40, nothing needed")
  void capacity() {
    ContractWorld world = running("t2.xlarge", IpamSpec.of(8, 20, 0, 0), plain());
    world.run(WHILE);
    assertThat(world.availableUsed("node1")).isEqualTo("20/0");
    world.use("node1", 40);
    world.run(Duration.ofSeconds(20));
    assertThat(world.availableUsed("node1")).isEqualTo("42/40");
    assertThat(world.report("node1").needed()).isZero();
  }

  @Test
  @Needs(Capability.NEW_INTERFACE)
  @DisplayName("C-AWS-11 new interfaces stay in the subnet of the node: 16/0, both in it")
  void nodeSubnet() {
    ContractWorld world = world();
    world.cloud.subnet("subnet-a", Cidr.parse("10.0.0.0/24"));
    world.cloud.subnet("subnet-b", Cidr.parse("10.0.2.0/23"));
    world.cloud.launch("i-node1", "t2.xlarge", "subnet-a", Map.of());
    world.start(plain());
    world.create(ContractWorld.resource("node1", "t2.xlarge", IpamSpec.of(16, 0, 0, 0)));
    world.run(WHILE);
    world.run(WHILE);
    assertThat(world.availableUsed("node1")).isEqualTo("16/0");
    assertThat(world.cloud.interfaces("i-node1"))
        .hasSize(2)
        .allMatch(each -> each.subnetId().equals("subnet-a"));
  }

  @Test
  @Needs(Capability.NEW_INTERFACE)
  @DisplayName("C-AWS-12 a stopped instance: not running within 5 s, 0/0, no failure counted")
  void notRunning() {
    ContractWorld world = world().with("m4.large", "i-node1");
    world.start(plain());
    world.cloud.stop("i-node1");
    world.create(
        ContractWorld.resource(
            "node1",
            EniSpecSample.of("m4.large").firstIndex(OptionalInt.of(1)).build(),
            IpamSpec.of(8, 0, 0, 0)));
    world.run(WHILE);
    assertThat(world.report("node1").state()).isEqualTo(NodeState.NOT_RUNNING);
    assertThat(world.availableUsed("node1")).isEqualTo("0/0");
    assertThat(world.cloud.unattachedInterfaces()).isZero();
  }

  @Test
  @DisplayName("C-AWS-13 a terminated instance: the numbers stay, nothing is changed any more")
  void instanceDeleted() {
    ContractWorld world = running("m4.large", IpamSpec.of(8, 0, 0, 0), plain());
    assertThat(world.availableUsed("node1")).isEqualTo("8/0");
    world.cloud.terminate("i-node1");
    long changes = sum(world.cloud.changes());
    world.run(Duration.ofMinutes(5));
    world.use("node1", 2);
    world.run(WHILE);
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
    manyNodes(100, "c3.xlarge", 1, 10);
  }

  @Test
  @Needs(Capability.NEW_INTERFACE)
  @DisplayName("C-AZ-3 many nodes: a hundred with min-allocate 10, two with 1")
  void manyNodesOfBothSizes() {
    manyNodes(100, "m5.large", 0, 10);
    manyNodes(2, "m5.large", 0, 1);
  }

  private void manyNodes(int count, String type, int firstIndex, int min) {
    ContractWorld world = world();
    for (int i = 0; i < 3; i++) {
      world.cloud.subnet(
          i == 0 ? "subnet-a" : "subnet-" + i, Cidr.parse("10.0." + 16 * i + ".0/20"));
    }
    for (int i = 0; i < count; i++) {
      world.cloud.launch("i-node" + i, type, "subnet-a", Map.of());
    }
    NodeManager manager = world.start(plain());
    for (int i = 0; i < count; i++) {
      world.create(
          ContractWorld.resource(
              "node" + i,
              EniSpecSample.of(type).firstIndex(OptionalInt.of(firstIndex)).build(),
              IpamSpec.of(1, min, 0, 0)));
    }
    world.run(Duration.ofSeconds(30));
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
  @Needs(Capability.PREFIX_DELEGATION)
  @DisplayName("C-AWS-15 capacity of m5a.large: 27; with primary 30; prefixes 432, primary too 435")
  void capacityNumbers() {
    assertThat(capacity(false, false, false)).isEqualTo(27);
    assertThat(capacity(true, false, false)).isEqualTo(30);
    assertThat(capacity(false, true, false)).isEqualTo(432);
    assertThat(capacity(true, true, false)).isEqualTo(435);
    assertThat(capacity(true, true, true)).as("in the reference's profile").isEqualTo(480);
  }

  private int capacity(boolean primary, boolean prefixes, boolean reference) {
    ContractWorld world = world().with("m5a.large", "i-node1");
    EniSpec eni = EniSpecSample.of("m5a.large").usePrimary(primary).build();
    var operations =
        world.node(
            ContractWorld.resource("node1", eni, IpamSpec.of(8, 0, 0, 0)),
            new NodeSettings("node1", prefixes, false, reference));
    return ContractWorld.known(operations).statistics().capacityIpv4();
  }

  @Test
  @Needs(Capability.STATIC_ADDRESS)
  @DisplayName("C-AWS-16 a static public address is found by tags, once, on the primary interface")
  void staticAddress() {
    ContractWorld world = world().with("m5.large", "i-node1");
    world.cloud.publicAddress(IpAddress.parse("192.0.2.254"), Map.of("pool", "edge"));
    world.start(plain());
    world.create(
        ContractWorld.resource(
            "node1",
            "m5.large",
            new IpamSpec(8, 0, 0, 0, Map.of("pool", "edge"), Optional.empty(), Set.of())));
    world.run(WHILE);
    world.run(WHILE);
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
