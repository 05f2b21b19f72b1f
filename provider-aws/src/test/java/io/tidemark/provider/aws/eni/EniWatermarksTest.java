package io.tidemark.provider.aws.eni;

import static io.tidemark.provider.aws.eni.EniWorld.WHILE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.ec2.pace.Ec2FaultRule;
import io.tidemark.emulator.ec2.protocol.Ec2Error;
import io.tidemark.ip.AddressSet;
import io.tidemark.metrics.Metric;
import io.tidemark.node.ClusterStatistics;
import io.tidemark.node.NodeManager;
import io.tidemark.node.NodeManagerConfig;
import io.tidemark.node.NodeState;
import io.tidemark.provider.aws.ec2.AwsNetworkInterface;
import io.tidemark.resource.IpamSpec;
import io.tidemark.resource.NodeResource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("any-jdk")
@DisplayName("The engine on the AWS provider over the strict EC2 (provider-aws 10.1)")
class EniWatermarksTest {
  private final EniWorld world = new EniWorld();
  private final String home = world.home();

  private NodeManager running(String type, IpamSpec ipam) {
    return running(NodeManagerConfig.defaults(), type, ipam);
  }

  private NodeManager running(NodeManagerConfig config, String type, IpamSpec ipam) {
    return world.running(config, world.spec(type, home), ipam);
  }

  private void assertAvailableUsed(String expected) {
    assertThat(world.availableUsed("node1")).isEqualTo(expected);
    assertThat(world.report("node1").needed()).isZero();
  }

  @Test
  @DisplayName("AWS-1 AWS-2 names and lookups follow the objects")
  void namesAndLookups() {
    NodeManager manager = running("m5.large", EniWorld.EIGHT);
    assertThat(manager.names()).containsExactly("node1");
    assertThat(manager.report("node1")).isPresent();
    assertThat(manager.report("node2")).isEmpty();
    world.launch("node2", "m5.large", home);
    world.create(world.resource("node2"));
    world.run(WHILE);
    assertThat(manager.names()).containsExactly("node1", "node2");
    assertThat(world.availableUsed("node2")).isEqualTo("8/0");
    world.server.delete("node1");
    world.run(WHILE);
    assertThat(manager.names()).containsExactly("node2");
    assertThat(manager.report("node1")).isEmpty();
  }

  @Test
  @DisplayName("AWS-3 default marks on m5.large: 8/0, then 15/7")
  void defaults() {
    running("m5.large", EniWorld.EIGHT);
    assertAvailableUsed("8/0");
    world.use("node1", 7);
    assertAvailableUsed("15/7");
    assertThat(world.attached("node1")).isEqualTo(15);
  }

  @Test
  @DisplayName("AWS-4 prefixes on m5a.large: 16/0, 32/12 with two, one single where none fits")
  void prefixes() {
    running(EniWorld.delegating(), "m5a.large", EniWorld.EIGHT);
    assertAvailableUsed("16/0");
    world.use("node1", 12);
    assertAvailableUsed("32/12");
    NodeResource written = world.server.find("node1").orElseThrow();
    assertThat(
            written.eniStatus().orElseThrow().enis().values().stream()
                .mapToInt(eni -> eni.prefixes().size())
                .sum())
        .isEqualTo(2);
    world.leaveFree(home, "10.0.0.0/24", 15);
    world.run(Duration.ofMinutes(3)); // the subnets are read again
    world.use("node1", 25);
    assertAvailableUsed("33/25");
  }

  @Test
  @DisplayName("AWS-5 security groups by tags: every interface but the first has exactly that one")
  void groupsByTags() {
    String first = world.ec2.securityGroup("first", Map.of("test-sg-1", "yes"));
    world.ec2.securityGroup("second", Map.of("test-sg-2", "yes"));
    world.running(
        NodeManagerConfig.defaults(),
        world.spec().groupTags(Map.of("test-sg-1", "yes")),
        EniWorld.EIGHT);
    assertAvailableUsed("8/0");
    world.use("node1", 7);
    assertAvailableUsed("15/7");
    List<AwsNetworkInterface> all = world.interfaces("node1");
    assertThat(all).hasSize(2);
    assertThat(all.get(1).securityGroups()).containsExactly(first);
    assertThat(all.get(0).securityGroups()).isNotEqualTo(all.get(1).securityGroups());
  }

  @Test
  @DisplayName("AWS-6 min-allocate on m5.4xlarge: 10/0, 10/8, then 20/8")
  void minAllocate() {
    running("m5.4xlarge", IpamSpec.of(1, 10, 0, 0));
    assertAvailableUsed("10/0");
    world.use("node1", 8);
    assertAvailableUsed("10/8");
    world.editIpam("node1", IpamSpec.of(0, 20, 0, 0));
    assertAvailableUsed("20/8");
  }

  @Test
  @DisplayName("AWS-7 min and pre-allocate on m3.large: 10/0, 10/9, 11/10 after a full read, 11/8")
  void minAndPre() {
    NodeManager manager = running("m3.large", IpamSpec.of(1, 10, 0, 0));
    world.run(WHILE);
    assertAvailableUsed("10/0");
    world.use("node1", 9);
    assertAvailableUsed("10/9");
    world.use("node1", 10);
    manager.resync();
    world.run(WHILE);
    assertAvailableUsed("11/10");
    world.use("node1", 8);
    assertAvailableUsed("11/8");
  }

  @Test
  @DisplayName("AWS-8 release on m4.xlarge: 13/0, 13/11, 18/13, 18/10, 13/10 by the handshake")
  void release() {
    running(
        NodeManagerConfig.defaults().releasingAfter(Duration.ofSeconds(2)),
        "m4.xlarge",
        IpamSpec.of(2, 10, 0, 3));
    assertThat(world.availableUsed("node1")).isEqualTo("13/0");
    world.use("node1", 11);
    assertThat(world.availableUsed("node1")).isEqualTo("13/11");
    world.use("node1", 13);
    assertThat(world.availableUsed("node1")).isEqualTo("18/13");
    world.use("node1", 10);
    assertThat(world.availableUsed("node1")).isEqualTo("18/10");
    assertThat(world.report("node1").excess()).isEqualTo(5);
    AddressSet before = world.server.find("node1").orElseThrow().pool().addresses();
    for (int interfaces = 0; interfaces < 2; interfaces++) { // one interface gives back per pass
      world.agentAnswers("node1");
    }
    assertAvailableUsed("13/10");
    assertThat(world.attached("node1")).isEqualTo(13);
    AddressSet after = world.server.find("node1").orElseThrow().pool().addresses();
    assertThat(before.minus(after).size()).isEqualTo(5);
  }

  @Test
  @DisplayName("AWS-9 an excluded interface is untouched: 8/0 on two, 15/7 on three")
  void excluded() {
    Map<String, String> tags = Map.of("foo", "bar", "cilium.io/no_manage", "true");
    world.launch("node1", "m5.large", home, tags);
    world.running(
        NodeManagerConfig.defaults(),
        world.spec().excludeTags(Map.of("cilium.io/no_manage", "true")),
        EniWorld.EIGHT);
    assertAvailableUsed("8/0");
    assertThat(world.interfaces("node1")).hasSize(2);
    world.use("node1", 7);
    world.run(WHILE);
    assertAvailableUsed("15/7");
    assertThat(world.interfaces("node1")).hasSize(3);
    assertThat(world.interfaces("node1").get(0).singles()).isEmpty();
    assertThat(world.interfaces("node1").get(0).tags()).isEqualTo(tags);
  }

  @Test
  @DisplayName("AWS-10 the instance is the ceiling on t2.xlarge: 20/0, 42/40, nothing needed")
  void capacity() {
    running("t2.xlarge", IpamSpec.of(8, 20, 0, 0));
    world.run(WHILE);
    assertAvailableUsed("20/0");
    world.use("node1", 40);
    world.run(Duration.ofSeconds(20));
    assertAvailableUsed("42/40");
    assertThat(world.attached("node1")).isEqualTo(42);
  }

  @Test
  @DisplayName("AWS-11 with a larger subnet beside it, new interfaces stay in the node's own")
  void homeSubnet() {
    world.ec2.subnet("10.0.2.0/23");
    running("t2.xlarge", IpamSpec.of(16, 0, 0, 0));
    world.run(WHILE);
    assertAvailableUsed("16/0");
    assertThat(world.interfaces("node1"))
        .hasSize(2)
        .allMatch(each -> each.subnet().text().equals(home));
  }

  @Test
  @DisplayName("AWS-12 a hundred c3.xlarge from first index 1: all served, every subnet used")
  void manyNodes() {
    String management = world.ec2.subnet("10.0.4.0/24");
    List<String> others =
        List.of(
            world.ec2.subnet("10.0.6.0/23"),
            world.ec2.subnet("10.0.8.0/23"),
            world.ec2.subnet("10.0.10.0/23"));
    for (int i = 0; i < 100; i++) {
      world.launch("node" + i, "c3.xlarge", management);
    }
    NodeManager manager = world.start(NodeManagerConfig.defaults());
    for (int i = 0; i < 100; i++) {
      world.create(
          world.resource(
              "node" + i,
              world.spec("c3.xlarge", management).firstIndex(OptionalInt.of(1)).build(),
              IpamSpec.of(1, 10, 0, 0)));
    }
    world.run(Duration.ofMinutes(1));
    for (int i = 0; i < 100; i++) {
      assertThat(world.report("node" + i).available()).isGreaterThanOrEqualTo(10);
      assertThat(world.interfaces("node" + i).get(0).singles()).isEmpty();
    }
    ClusterStatistics sums = manager.statistics();
    assertThat(sums.nodes()).isEqualTo(100);
    assertThat(sums.inDeficit()).isZero();
    assertThat(sums.atCapacity()).isZero();
    assertThat(sums.needed()).isZero();
    assertThat(sums.available()).isGreaterThanOrEqualTo(1000);
    assertThat(others)
        .as("every larger subnet is used")
        .allMatch(subnet -> world.ec2.freeAddresses(subnet) < 507);
  }

  @Test
  @DisplayName("AWS-13 a stopped instance: not running within 5 s, and no failure is counted")
  void notRunning() {
    String instance = world.launch("node1", "m4.large", home);
    world.faults(
        Ec2FaultRule.failing(
            "AttachNetworkInterface",
            new Ec2Error("InvalidParameterValue", "foo is not 'running' " + instance, 400)));
    world.running(
        NodeManagerConfig.defaults(),
        world.spec("m4.large", home).firstIndex(OptionalInt.of(1)),
        EniWorld.EIGHT);
    assertThat(world.report("node1").state()).isEqualTo(NodeState.NOT_RUNNING);
    assertThat(world.availableUsed("node1")).isEqualTo("0/0");
    assertThat(world.requests).contains("AttachNetworkInterface");
    assertThat(world.ec2.unattached()).as("what could not be attached is deleted").isZero();
    for (String status : List.of("unableToAttachENI", "failed", "instanceNotRunning")) {
      assertThat(world.metrics.all(Metric.ALLOCATION_DURATION).keySet())
          .as("failures counted as " + status)
          .noneMatch(each -> each.startsWith("createInterfaceAndAllocateIP " + status));
    }
  }

  @Test
  @DisplayName("AWS-14 the instance is deleted: 8/0 stays, nothing is needed, nothing in excess")
  void instanceDeleted() {
    running("m4.large", EniWorld.EIGHT);
    assertAvailableUsed("8/0");
    world.ec2.terminate(world.instance("node1"));
    world.run(Duration.ofMinutes(5));
    int changes = changes();
    world.use("node1", 2);
    assertThat(world.report("node1").available()).isEqualTo(8);
    assertThat(world.report("node1").needed()).isZero();
    assertThat(world.report("node1").excess()).isZero();
    assertThat(changes()).as("requests that change something").isEqualTo(changes);
  }

  private int changes() {
    return (int) world.requests.stream().filter(each -> !each.startsWith("Describe")).count();
  }

  private static final Map<String, String> EIP = Map.of("some-eip-tag", "some-value");

  private static IpamSpec binding(Map<String, String> tags) {
    return new IpamSpec(8, 0, 0, 0, tags, Optional.empty(), Set.of());
  }

  @Test
  @DisplayName("AWS-15 a static address is found by its tags and bound to the first interface")
  void staticAddress() {
    String address = world.ec2.publicAddress(EIP);
    world.ec2.publicAddress(Map.of("some-eip-tag", "another"));
    running("m5.large", binding(EIP));
    assertAvailableUsed("8/0");
    world.use("node1", 1);
    assertThat(world.server.find("node1").orElseThrow().assignedStaticIp()).contains(address);
    assertThat(world.interfaces("node1").get(0).publicAddress().orElseThrow().toString())
        .isEqualTo(address);
    assertThat(world.requests.stream().filter("AssociateAddress"::equals)).hasSize(1);
  }

  @Test
  @DisplayName("AWS-16 an address that is associated already is detected, without tags too")
  void staticAddressThere() {
    world.launch("node1", "m5.large", home);
    String address = world.ec2.publicAddressOf(world.instance("node1"), 0);
    running("m5.large", EniWorld.EIGHT);
    assertThat(world.server.find("node1").orElseThrow().assignedStaticIp()).contains(address);
    assertThat(world.requests).doesNotContain("AssociateAddress", "DescribeAddresses");
  }

  @Test
  @DisplayName("AWS-17 with two interfaces the address is bound to the one at index 0 only")
  void staticAddressOnTwo() {
    String address = world.ec2.publicAddress(EIP);
    world.ec2.publicAddress(EIP);
    running("m5.large", new IpamSpec(8, 12, 0, 0, EIP, Optional.empty(), Set.of()));
    world.run(WHILE);
    List<AwsNetworkInterface> all = world.interfaces("node1");
    assertThat(all).hasSize(2);
    assertThat(all.get(0).publicAddress().orElseThrow().toString()).isEqualTo(address);
    assertThat(all.get(1).publicAddress()).isEmpty();
    world.run(Duration.ofMinutes(5));
    assertThat(world.interfaces("node1").get(1).publicAddress()).isEmpty();
  }

  @DisplayName("AWS-18 a hundred requests a second, four at once: 60 nodes as fast as that allows")
  @ParameterizedTest(name = "AWS-18 {0} ms a request, {1} workers")
  @CsvSource({"20, 10", "50, 1"})
  void pace(int millis, int workers) {
    paced(millis, workers);
  }

  @Tag("long")
  @DisplayName("AWS-18 as fast as that allows, with any latency and number of workers")
  @ParameterizedTest(name = "AWS-18 {0} ms a request, {1} workers")
  @CsvSource({"20, 1", "20, 50", "50, 10", "50, 50"})
  void otherPaces(int millis, int workers) {
    paced(millis, workers);
  }

  private static void paced(int millis, int workers) {
    Duration travel = Duration.ofMillis(millis);
    EniWorld paced = EniWorld.paced(100, 4, workers, travel);
    String subnet = paced.ec2.subnet("10.0.0.0/20");
    NodeManager manager = paced.start(NodeManagerConfig.defaults());
    for (int i = 0; i < 60; i++) {
      paced.launch("node" + i, "m5.large", subnet);
    }
    paced.run(Duration.ofSeconds(1));
    int before = paced.requests.size();
    long began = paced.time.nanos();
    for (int i = 0; i < 60; i++) {
      paced.create(
          paced.resource(
              "node" + i, paced.spec("m5.large", subnet).build(), IpamSpec.of(1, 10, 0, 0)));
    }
    while (manager.statistics().available() < 600
        && paced.time.nanos() - began < Duration.ofMinutes(2).toNanos()) {
      paced.run(Duration.ofMillis(10));
    }
    double took = (paced.time.nanos() - began) / 1e9;
    int requests = paced.requests.size() - before;
    long assigns = paced.requests.stream().filter("AssignPrivateIpAddresses"::equals).count();
    // Workers are counted for each kind of request, so only one kind can keep them all busy.
    double bound = Math.max((requests - 4) / 100.0, assigns * millis / 1000.0 / workers);
    assertThat(manager.statistics().available()).isGreaterThanOrEqualTo(600);
    assertThat(requests).isGreaterThanOrEqualTo(60);
    assertThat(took)
        .as("%s requests, bound %s s", requests, bound)
        .isBetween(0.95 * bound, 1.25 * bound + 1);
  }
}
