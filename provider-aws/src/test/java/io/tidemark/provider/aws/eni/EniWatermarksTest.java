package io.tidemark.provider.aws.eni;

import static io.tidemark.provider.aws.eni.EniWorld.WHILE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.ec2.pace.Ec2FaultRule;
import io.tidemark.emulator.ec2.protocol.Ec2Error;
import io.tidemark.metrics.Metric;
import io.tidemark.node.ClusterStatistics;
import io.tidemark.node.NodeManager;
import io.tidemark.node.NodeState;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.provider.aws.ec2.AwsNetworkInterface;
import io.tidemark.resource.IpamSpec;
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

  private void running(String type, IpamSpec ipam) {
    world.running(EngineConfig.defaults(), world.spec(type, home), ipam);
  }

  private void assertAvailableUsed(String expected) {
    assertThat(world.availableUsed("node1")).isEqualTo(expected);
    assertThat(world.report("node1").needed()).isZero();
  }

  @Test
  @DisplayName("AWS-5 security groups by tags: every interface but the first has exactly that one")
  void groupsByTags() {
    String first = world.ec2.securityGroup("first", Map.of("test-sg-1", "yes"));
    world.ec2.securityGroup("second", Map.of("test-sg-2", "yes"));
    world.running(
        EngineConfig.defaults(),
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
    NodeManager manager = world.start(EngineConfig.defaults());
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
        EngineConfig.defaults(),
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
    NodeManager manager = paced.start(EngineConfig.defaults());
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
