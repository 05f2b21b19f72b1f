package io.tidemark.emulator.ec2.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.emulator.ec2.Ec2Emulator;
import io.tidemark.emulator.ec2.World;
import io.tidemark.emulator.ec2.imds.Imds;
import io.tidemark.emulator.ec2.types.Ec2InstanceTypes;
import io.tidemark.emulator.kit.scenario.TreeYaml.Reading;
import io.tidemark.error.IpamException;
import io.tidemark.time.VirtualTime;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The world that a scenario describes")
class WorldBuilderTest {
  private final VirtualTime time =
      new VirtualTime(Instant.parse("2026-01-01T00:00:00Z").toEpochMilli());

  private Ec2Emulator emulator(String... lines) {
    Reading<Ec2Scenario> reading =
        Ec2ScenarioYaml.read("s.yaml", String.join("\n", lines), Ec2InstanceTypes.bundled());
    assertThat(reading.problems()).isEmpty();
    return Ec2Emulator.in(time, reading.scenario().orElseThrow());
  }

  @Test
  @DisplayName("the shipped example is made whole, and again by a reset")
  void example() {
    Ec2Scenario scenario =
        Ec2ScenarioYaml.read(ScenarioYamlTest.EXAMPLE, Ec2InstanceTypes.bundled())
            .scenario()
            .orElseThrow();
    Ec2Emulator emulator = Ec2Emulator.in(time, scenario);
    String before = emulator.handler().use(world -> World.fingerprint(world.region("eu-west-1")));
    emulator
        .handler()
        .<Object>use(
            world -> {
              assertThat(world.region("eu-west-1").instances().present()).hasSize(4);
              assertThat(world.faults().rules()).hasSize(2);
              assertThat(world.denials().all()).hasSize(1);
              assertThat(world.neighboursShare()).isEqualTo(0.3);
              assertThat(world.counts().byAction()).isEmpty();
              assertThat(world.region("us-east-1").vpcs().present())
                  .anyMatch(vpc -> vpc.ownerId().equals("222222222222") && !vpc.isDefault());
              return world;
            });
    emulator.reset();
    assertThat(emulator.handler().<String>use(w -> World.fingerprint(w.region("eu-west-1"))))
        .isEqualTo(before);
  }

  @Test
  @DisplayName("VPCs, subnets, tags, reservations and shares are as written")
  void networks() {
    World world =
        World.of(
            emulator(
                "account: '111111111111'",
                "vpcs:",
                "  - name: v",
                "    cidr: 10.0.0.0/16",
                "    ipv6: true",
                "    tags: {team: net}",
                "    subnets:",
                "      - {name: a, cidr: 10.0.0.0/24, zone: us-east-1b, ipv6: true, tags: {k: v}}",
                "      - name: b",
                "        cidr: 10.0.1.0/24",
                "        ipv6: true",
                "        reservations: [{cidr: 10.0.1.128/25, type: prefix}]",
                "        share: ['222222222222']"));
    assertThat(world.told("vpcSet.#", "DescribeVpcs", filter("tag:team", "net")))
        .containsExactly("1");
    String zone = "subnetSet.*.availabilityZone";
    assertThat(world.told(zone, "DescribeSubnets", filter("tag:Name", "a")))
        .isEqualTo(world.told(zone, "DescribeSubnets", filter("tag:k", "v")))
        .containsExactly("us-east-1b");
    String blocks = "subnetSet.*.ipv6CidrBlockAssociationSet.*.ipv6CidrBlock";
    assertThat(world.told(blocks, "DescribeSubnets", filter("tag:Name", "a", "b")))
        .hasSize(2)
        .doesNotHaveDuplicates();
    String b = subnet(world, "b");
    String prefix = "networkInterface.ipv4PrefixSet.*.ipv4Prefix";
    assertThat(world.told(prefix, "CreateNetworkInterface", "SubnetId=" + b, "Ipv4PrefixCount=1"))
        .containsExactly("10.0.1.128/28");
    world.as("222222222222");
    assertThat(world.told("subnetSet.#", "DescribeSubnets", "SubnetId.1=" + b))
        .containsExactly("1");
  }

  @Test
  @DisplayName("a wholly fragmented subnet has addresses and no prefix; its holders can be deleted")
  void fragmented() {
    World world =
        World.of(
            emulator(
                "account: '111111111111'",
                "vpcs:",
                "  - name: v",
                "    cidr: 10.0.0.0/16",
                "    subnets:",
                "      - {name: whole, cidr: 10.0.0.0/22, fragmented: 1}",
                "      - {name: half, cidr: 10.0.4.0/22, fragmented: 0.5}",
                "      - {name: none, cidr: 10.0.8.0/22, fragmented: 0}"));
    String whole = subnet(world, "whole");
    assertThat(world.available(whole)).isEqualTo(1019 - 62);
    assertThat(world.available(subnet(world, "half"))).isBetween(975, 1000);
    assertThat(world.available(subnet(world, "none"))).isEqualTo(1019);
    assertThat(
            world
                .refusal("CreateNetworkInterface", "SubnetId=" + whole, "Ipv4PrefixCount=1")
                .code())
        .isEqualTo("InsufficientCidrBlocks");
    world
        .interfaces("description", Fragments.DESCRIPTION)
        .forEach(
            holder ->
                world.call(
                    "DeleteNetworkInterface",
                    "NetworkInterfaceId=" + World.text(holder, "networkInterfaceId")));
    assertThat(world.available(whole)).isEqualTo(1019);
  }

  @Test
  @DisplayName("instances run from the start, by their names, with addresses and prefixes")
  void instances() {
    Ec2Emulator emulator =
        emulator(
            "throttle: true",
            "account: '111111111111'",
            "delays: {start: 1m, visibility: 10s}",
            "deny: [{principal: '*', actions: [RunInstances]}]",
            "faults: [{action: RunInstances, kind: fail}]",
            "vpcs: [{name: v, cidr: 10.0.0.0/16, subnets: [{name: a, cidr: 10.0.0.0/24}]}]",
            "instances:",
            "  - {name: node, subnet: a, type: m5.large, count: 12, addresses: 2, prefixes: 1}",
            "  - {name: other, subnet: a, type: t3.small, tags: {Name: own}}",
            "imds: {instance: other, role: r}");
    World world = World.of(emulator);
    String instances = "reservationSet.*.instancesSet.*.";
    assertThat(world.told(instances + "instanceState.name", "DescribeInstances"))
        .hasSize(13)
        .containsOnly("running");
    assertThat(world.told(instances + "tagSet.0.value", "DescribeInstances"))
        .contains("node-1", "node-12", "own");
    String first = "reservationSet.0.instancesSet.0.";
    String addresses = "networkInterfaceSet.0.{privateIpAddressesSet.#,ipv4PrefixSet.#}";
    assertThat(world.told(first + addresses, "DescribeInstances")).containsExactly("3", "1");
    assertThat(world.told(first + "launchTime", "DescribeInstances"))
        .containsExactly("2025-12-31T23:00:00.000Z");
    var imds = emulator.imds(new Imds.Setting(Optional.empty(), Optional.empty()));
    String path = "/latest/api/token";
    String ttl = "X-aws-ec2-metadata-token-ttl-seconds";
    String token = World.body(imds.apply(World.metadata("PUT", path, ttl, "60")));
    for (String[] expected :
        new String[][] {{"instance-type", "t3.small"}, {"iam/security-credentials/", "r"}}) {
      String of = "/latest/meta-data/" + expected[0];
      assertThat(
              World.body(imds.apply(World.metadata("GET", of, "X-aws-ec2-metadata-token", token))))
          .isEqualTo(expected[1]);
    }
  }

  @Test
  @DisplayName("what EC2 refuses is told for every part, with where it stands")
  void refused() {
    assertThatThrownBy(
            () ->
                emulator(
                    "vpcs:",
                    "  - name: v",
                    "    cidr: 10.0.0.0/8",
                    "  - name: w",
                    "    cidr: 10.0.0.0/16",
                    "    subnets:",
                    "      - {name: a, cidr: 10.0.0.0/24, zone: us-east-1x}",
                    "      - {name: b, cidr: 10.0.1.0/28}",
                    "instances:",
                    "  - {name: i, subnet: b, type: m5.large, prefixes: 1}",
                    "  - {name: j, subnet: b, type: m5.large, addresses: 20}"))
        .isInstanceOf(IpamException.class)
        .hasMessageContainingAll(
            "TM-1024 SCENARIO_REFUSED",
            "s.yaml:2: vpcs[0] is refused by EC2: InvalidVpc.Range",
            "s.yaml:7: vpcs[1].subnets[0] is refused by EC2: InvalidParameterValue",
            "s.yaml:10: instances[0] is refused by EC2: InsufficientCidrBlocks",
            "s.yaml:11: instances[1] is refused by EC2:",
            "docs/ec2-emulator.md");
  }

  @Test
  @DisplayName("a quota that fragments do not fit into is a problem")
  void quota() {
    assertThatThrownBy(
            () ->
                emulator(
                    "quotas: {interfaces: 1, detached-addresses: 2}",
                    "vpcs:",
                    "  - name: v",
                    "    cidr: 10.0.0.0/24",
                    "    subnets: [{name: a, cidr: 10.0.0.0/24, fragmented: 1}]"))
        .hasMessageContaining(
            "vpcs[0].subnets[0].fragmented is refused by EC2: NetworkInterfaceLimitExceeded");
  }

  private static String subnet(World world, String name) {
    return world.told("subnetSet.0.subnetId", "DescribeSubnets", filter("tag:Name", name)).get(0);
  }

  private static String filter(String name, String... values) {
    return World.filter(1, name, values);
  }
}
