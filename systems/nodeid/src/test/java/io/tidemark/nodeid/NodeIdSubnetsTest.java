package io.tidemark.nodeid;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.error.IpamException;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Subnets and addresses that follow from a node id")
class NodeIdSubnetsTest {
  private static final NodeIdSubnets DEFAULTS = new NodeIdSubnets(TestRanges.DEFAULTS);
  private static final NodeIdSubnets OF_CONTIV = new NodeIdSubnets(TestRanges.OF_CONTIV);
  private static final NodeIdSubnets IPV6 = new NodeIdSubnets(TestRanges.IPV6);

  private static NodeId id(long number) {
    return NodeId.of(number);
  }

  private static NodeIdSubnets reference(NodeIdRanges ranges) {
    return new NodeIdSubnets(TestRanges.asReference(ranges));
  }

  private static NodeIdSubnets subnets(String profile, NodeIdRanges ranges) {
    return profile.equals("TIDEMARK") ? new NodeIdSubnets(ranges) : reference(ranges);
  }

  private static String outcome(Supplier<?> computation) {
    try {
      return String.valueOf(computation.get());
    } catch (IpamException e) {
      assertThat(e.code()).isEqualTo(NodeIdError.NODE_ID_OUT_OF_RANGE);
      return "refused";
    }
  }

  @DisplayName("NI-1/NI-2/NI-3/NI-18 Each part of a node's plan, in both families")
  @ParameterizedTest(name = "{0} id {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # family | id | pod subnet, gateway, loopback | link subnet, switch end, host end | node address, overlay address
          IPV4 | 1 | 1.2.128.8/29 1.2.128.9 1.2.128.14                | 2.3.192.4/30 2.3.192.5 2.3.192.6              | 3.4.5.193/26 4.5.6.193/26
          IPV4 | 5 | 1.2.128.40/29 1.2.128.41 1.2.128.46              | 2.3.192.20/30 2.3.192.21 2.3.192.22           | 3.4.5.197/26 4.5.6.197/26
          IPV6 | 5 | fe10:f00d::500/120 fe10:f00d::501 fe10:f00d::5fe | fe30:f00d::14/126 fe30:f00d::15 fe30:f00d::16 | fe10:f00d::5/90 fe20:f00d::5/120
          IPV6 | 1 | fe10:f00d::100/120 fe10:f00d::101 fe10:f00d::1fe | fe30:f00d::4/126 fe30:f00d::5 fe30:f00d::6    | fe10:f00d::1/90 fe20:f00d::1/120
          """)
  void plans(String family, long number, String pods, String links, String node) {
    NodeIdSubnets subnets = family.equals("IPV4") ? OF_CONTIV : IPV6;
    SubnetPlan plan = subnets.plan(id(number));
    assertThat(plan.podSubnet() + " " + plan.gateway() + " " + plan.natLoopback()).isEqualTo(pods);
    assertThat(plan.linkSubnet() + " " + plan.linkSwitchEnd() + " " + plan.linkHostEnd())
        .isEqualTo(links);
    assertThat(plan.nodeAddress().orElseThrow() + " " + plan.overlayAddress()).isEqualTo(node);
    assertThat(subnets.ranges().pods().contains(plan.podSubnet())).isTrue();
    assertThat(plan.nodeAddress().orElseThrow().network())
        .isEqualTo(subnets.ranges().interconnect().orElseThrow());
  }

  @Test
  @DisplayName("Wide IPv6: host parts of more than 64 bits")
  void wide() {
    NodeIdRanges ranges =
        TestRanges.of("2001::/48 60", "fe30:f00d::/90 126", "fe10:f00d::/90", "fe20:f00d::/120");
    SubnetPlan plan = new NodeIdSubnets(ranges).plan(id(1));
    assertThat(plan.podSubnet()).hasToString("2001:0:0:10::/60");
    assertThat(plan.firstPod()).hasToString("2001:0:0:10::2");
    assertThat(plan.lastPod()).hasToString("2001::1f:ffff:ffff:ffff:fffd");
    assertThat(plan.natLoopback()).hasToString("2001::1f:ffff:ffff:ffff:fffe");
  }

  @DisplayName("NI-15 Ids of more than eight bits")
  @ParameterizedTest(name = "{0}")
  @CsvSource({"pods, 1.4.16.16/28", "node, 1.1.129.1/17", "overlay, 2.2.129.1/17"})
  void id257(String part, String expected) {
    SubnetPlan plan =
        new NodeIdSubnets(
                TestRanges.of("1.4.0.0/17 28", "2.3.128.0/17 28", "1.1.128.0/17", "2.2.128.0/17"))
            .plan(id(257));
    Object value =
        switch (part) {
          case "pods" -> plan.podSubnet();
          case "node" -> plan.nodeAddress().orElseThrow();
          default -> plan.overlayAddress();
        };
    assertThat(value).hasToString(expected);
  }

  @DisplayName("NI-D5/NI-D7 The ends of the default ranges: what each range serves, and the plan")
  @ParameterizedTest(name = "{0} id {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          TIDEMARK  | 1   | 10.1.1.0/24   | 172.30.1.0/24   | 192.168.16.1/24   | planned
          TIDEMARK  | 254 | 10.1.254.0/24 | 172.30.254.0/24 | 192.168.16.254/24 | planned
          TIDEMARK  | 255 | 10.1.255.0/24 | 172.30.255.0/24 | refused           | refused
          TIDEMARK  | 256 | refused       | refused         | refused           | refused
          TIDEMARK  | 257 | refused       | refused         | refused           | refused
          REFERENCE | 255 | 10.1.255.0/24 | 172.30.255.0/24 | 192.168.16.255/24 | planned
          REFERENCE | 256 | 10.1.0.0/24   | 172.30.0.0/24   | refused           | refused
          REFERENCE | 257 | refused       | refused         | refused           | refused
          """)
  void ends(String profile, long number, String pods, String links, String node, String plan) {
    NodeIdSubnets subnets = subnets(profile, TestRanges.DEFAULTS);
    assertThat(outcome(() -> subnets.podSubnet(id(number)))).isEqualTo(pods);
    assertThat(outcome(() -> subnets.linkSubnet(id(number)))).isEqualTo(links);
    assertThat(outcome(() -> subnets.nodeAddress(id(number)).orElseThrow())).isEqualTo(node);
    assertThat(outcome(() -> subnets.plan(id(number)).id()))
        .isEqualTo(plan.equals("planned") ? Long.toString(number) : plan);
  }

  @DisplayName("NI-14 Sixteen subnets: the reference has a 16th node, ours 15")
  @ParameterizedTest(name = "{0} id {1}")
  @CsvSource({
    "TIDEMARK, 1, 1.4.1.16/28, 3.4.5.193/26",
    "TIDEMARK, 15, 1.4.1.240/28, 3.4.5.207/26",
    "TIDEMARK, 16, refused, 3.4.5.208/26",
    "TIDEMARK, 17, refused, 3.4.5.209/26",
    "REFERENCE, 16, 1.4.1.0/28, 3.4.5.208/26",
    "REFERENCE, 17, refused, 3.4.5.209/26"
  })
  void topId(String profile, long number, String pods, String node) {
    NodeIdRanges ranges =
        TestRanges.of("1.4.1.0/24 28", "2.3.192.0/18 30", "3.4.5.192/26", "4.5.6.192/26");
    NodeIdSubnets subnets = subnets(profile, ranges);
    assertThat(outcome(() -> subnets.podSubnet(id(number)))).isEqualTo(pods);
    assertThat(outcome(() -> subnets.nodeAddress(id(number)).orElseThrow())).isEqualTo(node);
    assertThat(outcome(() -> subnets.plan(id(number)).podSubnet())).isEqualTo(pods);
  }

  @DisplayName("NI-16/NI-17 A range of addresses refuses its highest id and those beyond")
  @ParameterizedTest(name = "{0} id {1}")
  @CsvSource({
    "TIDEMARK, 14, 2.2.2.142/28",
    "TIDEMARK, 15, refused",
    "TIDEMARK, 16, refused",
    "TIDEMARK, 17, refused",
    "REFERENCE, 15, 2.2.2.143/28",
    "REFERENCE, 16, refused",
    "REFERENCE, 17, refused"
  })
  void smallRanges(String profile, long number, String expected) {
    NodeIdRanges ranges =
        TestRanges.of("1.2.128.0/17 29", "2.3.192.0/18 30", "3.3.3.0/28", "2.2.2.128/28");
    NodeIdSubnets subnets = subnets(profile, ranges);
    assertThat(outcome(() -> subnets.overlayAddress(id(number)))).isEqualTo(expected);
    assertThat(outcome(() -> subnets.nodeAddress(id(number)).orElseThrow()))
        .isEqualTo(expected.equals("refused") ? expected : "3.3.3." + number + "/28");
  }

  @Test
  @DisplayName("NI-32 The capacity names the scarcest range, and a refusal names it too")
  void capacity() {
    assertThat(DEFAULTS.capacity().ids()).isEqualTo(254);
    assertThat(DEFAULTS.capacity().scarcest())
        .extracting(NodeIdCapacity.OfRange::range)
        .containsExactly(NodeIdRange.INTERCONNECT, NodeIdRange.OVERLAY);
    assertThat(OF_CONTIV.capacity().ranges())
        .extracting(NodeIdCapacity.OfRange::ids)
        .containsExactly(4095L, 4095L, 62L, 62L);
    assertThat(reference(TestRanges.DEFAULTS).capacity().ranges())
        .extracting(NodeIdCapacity.OfRange::ids)
        .containsExactly(256L, 256L, 255L, 255L);
    assertThatThrownBy(() -> DEFAULTS.plan(id(255)))
        .hasMessage(
            "TM-1505 NODE_ID_OUT_OF_RANGE: node id 255 is above 254, the highest id that"
                + " interconnect 192.168.16.0/24 and overlay 192.168.30.0/24 serve. Use a lower id,"
                + " or widen the range named.");
    assertThatThrownBy(() -> DEFAULTS.podSubnet(id(256)))
        .hasMessageContaining(
            "node id 256 has no /24 in the pod subnets 10.1.0.0/16, which has subnets for ids 1 to"
                + " 255");
    assertThatThrownBy(() -> DEFAULTS.overlayAddress(id(300)))
        .hasMessageContaining(
            "node id 300 has no address in 192.168.30.0/24, which has addresses for ids 1 to 254");
  }

  @Test
  @DisplayName("With DHCP there is no node address, and the interconnect limits nothing")
  void dhcp() {
    NodeIdSubnets subnets =
        new NodeIdSubnets(
            TestRanges.of("10.1.0.0/16 24", "172.30.0.0/16 24", "-", "192.168.0.0/23"));
    assertThat(subnets.plan(id(255)).nodeAddress()).isEmpty();
    assertThat(subnets.capacity().ids()).isEqualTo(255);
    assertThat(subnets.capacity().scarcest())
        .extracting(NodeIdCapacity.OfRange::range)
        .containsExactly(NodeIdRange.PODS, NodeIdRange.LINKS);
  }

  @Test
  @DisplayName("NI-J3/NI-J5 Subnets and addresses of different ids never meet")
  void disjoint() {
    NodeIdSubnets subnets =
        new NodeIdSubnets(TestRanges.excluding(TestRanges.OF_CONTIV, "3.4.5.200", "3.4.5.194"));
    Set<Cidr> pods = new HashSet<>();
    Set<Cidr> links = new HashSet<>();
    Set<IpAddress> addresses = new HashSet<>();
    for (long number = 1; number <= subnets.capacity().ids(); number++) {
      SubnetPlan plan = subnets.plan(id(number));
      assertThat(pods).noneMatch(plan.podSubnet()::overlaps);
      assertThat(links).noneMatch(plan.linkSubnet()::overlaps);
      pods.add(plan.podSubnet());
      links.add(plan.linkSubnet());
      assertThat(addresses.add(plan.nodeAddress().orElseThrow().address())).isTrue();
      assertThat(plan.nodeAddress().orElseThrow().network()).hasToString("3.4.5.192/26");
    }
    assertThat(subnets.capacity().ids()).isEqualTo(60);
    assertThat(addresses)
        .hasSize(60)
        .doesNotContain(IpAddress.parse("3.4.5.200"), IpAddress.parse("3.4.5.194"))
        .doesNotContain(IpAddress.parse("3.4.5.192"), IpAddress.parse("3.4.5.255"));
  }

  @Test
  @DisplayName("Of more than 2^32 subnets the first belong to ids")
  void manySubnets() {
    NodeIdSubnets subnets =
        new NodeIdSubnets(
            TestRanges.of("2001:db8::/32 80", "2001:db9::/32 126", "-", "2001:dba::/64"));
    assertThat(subnets.capacity().ids()).isEqualTo(NodeId.MAX);
    SubnetPlan last = subnets.plan(id(NodeId.MAX));
    assertThat(last.podSubnet()).hasToString("2001:db8:0:ffff:ffff::/80");
    assertThat(last.overlayAddress()).hasToString("2001:dba::ffff:ffff/64");
  }

  @Test
  @DisplayName("Ranges with problems make no subnets")
  void unsound() {
    NodeIdRanges ranges =
        TestRanges.of("10.1.0.0/24 24", "172.30.0.0/16 24", "-", "192.168.30.0/24");
    assertThatThrownBy(() -> new NodeIdSubnets(ranges))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("pod subnets: is no longer than the prefix length of 10.1.0.0/24");
  }
}
