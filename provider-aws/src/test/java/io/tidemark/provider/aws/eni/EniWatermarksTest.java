package io.tidemark.provider.aws.eni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.ec2.pace.Ec2FaultRule;
import io.tidemark.emulator.ec2.protocol.Ec2Error;
import io.tidemark.metrics.Metric;
import io.tidemark.node.ClusterStatistics;
import io.tidemark.node.NodeManager;
import io.tidemark.node.NodeState;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resource.IpamSpec;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
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

  @DisplayName("groups, instances that are gone, and static addresses")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          AWS-5 security groups by tags: every interface but the first has exactly that one \
            | group first test-sg-1=yes; group second test-sg-2=yes; \
              run 8/0/0/0 groups=test-sg-1=yes; is 8/0; needs 0; use 7; is 15/7; needs 0; \
              interfaces 2; groups 1 first; groups 0 !first
          AWS-14 the instance is deleted: 8/0 stays, nothing is needed, nothing in excess \
            | run 8/0/0/0 m4.large; is 8/0; needs 0; terminate; 5m; remember; use 2; is 8/2; \
              needs 0; excess 0; readsOnly
          AWS-15 a static address is found by its tags and bound to the first interface \
            | address mine for=edge; address other for=others; run 8/0/0/0 static=for=edge; \
              is 8/0; needs 0; use 1; bound mine; reaches 0 mine; sent AssociateAddress 1
          AWS-16 an address that is associated already is detected, without tags too \
            | launch; public 0; run 8/0/0/0; bound public; \
              never AssociateAddress DescribeAddresses
          AWS-17 with two interfaces the address is bound to the one at index 0 only \
            | address first for=edge; address second for=edge; run 8/12/0/0 static=for=edge; 5s; \
              interfaces 2; reaches 0 first; reaches 1 -; 5m; reaches 1 -
          """)
  void story(String what, String story) {
    EniStory.run(new EniWorld(), what, story);
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
