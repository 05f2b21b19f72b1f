package io.tidemark.nodecidr.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.ClusterNode.PodCidrs;
import io.tidemark.cluster.NodeProblem;
import io.tidemark.ip.Cidr;
import io.tidemark.nodecidr.TestCidrs;
import io.tidemark.nodecidr.ledger.ClusterCidrs;
import io.tidemark.nodecidr.ledger.ClusterCidrs.Target;
import io.tidemark.nodecidr.plan.NodePlan.CidrLeak;
import io.tidemark.testing.Hang;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The plan for nodes that exist")
class NodePlanTest {
  private static final Instant START = Instant.parse("2026-05-01T08:00:00Z");

  private static final String DUAL =
      "10.244.0.0/16,24 fd00::/48,64 -10.244.128.0/20=service-cluster-ip-range"
          + " -10.244.7.0/26=exclude-cidrs";

  /** Of both families, or of IPv4 alone. */
  private static ClusterCidrs ranges(boolean dual) {
    return TestCidrs.of(dual ? DUAL : DUAL.replace(" fd00::/48,64", ""));
  }

  /** Such as {@code a=10.0.0.0/24,fd00::/64}; a node without CIDRs is a name alone. */
  private static List<ClusterNode> nodes(String text) {
    return Stream.of(text.split(" ", -1)).map(NodePlanTest::node).toList();
  }

  private static ClusterNode node(String text) {
    String[] parts = text.split("=", -1);
    ClusterNode node = ClusterNode.named(parts[0], "uid-" + parts[0]);
    if (parts.length == 1) {
      return node;
    }
    List<String> cidrs = List.of(parts[1].split(",", -1));
    return node.withPodCidrs(new PodCidrs(cidrs.get(0), cidrs, Optional.empty()));
  }

  private static NodePlan plan(ClusterCidrs cidrs, List<ClusterNode> nodes) {
    return NodePlan.of(cidrs, nodes, true, Optional.empty());
  }

  private static List<String> shown(NodePlan plan) {
    return plan.findings().stream()
        .map(it -> it.node() + " " + it.problem().code().number() + " " + text(it.problem()))
        .toList();
  }

  private static String text(NodeProblem problem) {
    return problem.value() + ": " + problem.detail();
  }

  @DisplayName("NC-AM32 has a finding with node, value and code for each CIDR that is wrong")
  @ParameterizedTest(name = "{1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          false | a=10.244.1.0/24 b=10.244.2.0/24           |
          false | a=10.244.1.0/24 b=10.244.1.0/24           | a 1403 10.244.1.0/24: 10.244.1.0/24 is a CIDR of node b; b 1403 10.244.1.0/24: 10.244.1.0/24 is a CIDR of node a
          false | a=10.9.0.0/24 b=10.9.0.0/24 c=10.9.0.0/24 | a 1404 10.9.0.0/24: 10.9.0.0/24 is in no configured range; a 1403 10.9.0.0/24: 10.9.0.0/24 is a CIDR of node b and of 1 other; b 1404 10.9.0.0/24: 10.9.0.0/24 is in no configured range; b 1403 10.9.0.0/24: 10.9.0.0/24 is a CIDR of node a and of 1 other; c 1404 10.9.0.0/24: 10.9.0.0/24 is in no configured range; c 1403 10.9.0.0/24: 10.9.0.0/24 is a CIDR of node a and of 1 other
          false | b=10.244.2.0/23 a=10.244.3.0/24           | a 1403 10.244.3.0/24: 10.244.3.0/24 overlaps 10.244.2.0/23, a CIDR of node b; b 1406 10.244.2.0/23: 10.244.2.0/23 is a /23, but the blocks of 10.244.0.0/16 are /24; b 1403 10.244.2.0/23: 10.244.2.0/23 overlaps 10.244.3.0/24, a CIDR of node a
          false | a=10.244.130.0/24                         | a 1403 10.244.130.0/24: 10.244.130.0/24 overlaps 10.244.128.0/20, a CIDR that service-cluster-ip-range excludes
          false | a=10.244.7.0/24                           | a 1403 10.244.7.0/24: 10.244.7.0/24 overlaps 10.244.7.0/26, a CIDR that exclude-cidrs excludes
          false | a=10.0.0.0/8                              | a 1406 10.0.0.0/8: 10.0.0.0/8 is a /8, but the blocks of 10.244.0.0/16 are /24; a 1403 10.0.0.0/8: 10.0.0.0/8 overlaps 10.244.7.0/26, a CIDR that exclude-cidrs excludes
          false | a=fd00::/64                               | a 1413 fd00::/64: podCIDRs[0] is fd00::/64, but no range of IPv6 is configured; a 1406 : the node has no IPv4 CIDR
          false | a=10.244.1.0/24,10.244.2.0/24             | a 1406 10.244.2.0/24: podCIDRs[1] is 10.244.2.0/24, but a node has one CIDR
          true  | a=fd00::/64,10.244.1.0/24                 | a 1406 fd00::/64: podCIDRs[0] is fd00::/64; expected IPv4 at this place; a 1406 10.244.1.0/24: podCIDRs[1] is 10.244.1.0/24; expected IPv6 at this place
          true  | a=10.244.1.0/24                           | a 1406 : the node has no IPv6 CIDR
          true  | a=10.244.1.0/24,10.244.2.0/24             | a 1406 10.244.2.0/24: podCIDRs[1] is 10.244.2.0/24; expected IPv6 at this place; a 1406 : the node has no IPv6 CIDR
          true  | a=10.244.1.0/24,fd00::/64,10.244.2.0/24   | a 1406 10.244.2.0/24: podCIDRs[2] is 10.244.2.0/24, but a node has 2 CIDRs
          true  | a=10.244.300.0/24                         | a 1405 10.244.300.0/24: "10.244.300.0/24" is not a CIDR block: in the address, an octet is above 255
          true  | a=010.244.001.0/24,fd00::/64              |
          """)
  void findings(boolean dual, String nodes, String expected) {
    assertThat(shown(plan(ranges(dual), nodes(nodes))))
        .containsExactly(expected == null ? new String[0] : expected.split("; (?=[a-c] 14)", -1));
  }

  @Test
  @DisplayName("NC-AM39 names both values where podCIDR is not the first of podCIDRs")
  void firstDiffers() {
    ClusterNode node =
        node("a")
            .withPodCidrs(
                new PodCidrs("10.244.1.0/24", List.of("10.244.2.0/24"), Optional.empty()));
    NodePlan plan = plan(ranges(false), List.of(node, node("b")));
    assertThat(shown(plan))
        .containsExactly(
            "a 1406 10.244.1.0/24: podCIDR is 10.244.1.0/24, but podCIDRs begins with 10.244.2.0/24");
    assertThat(plan.usage().get(0).claimed()).isEqualTo(2);
  }

  @Test
  @DisplayName("NC-AM19 serves nodes without CIDRs after all claims, by creation time, then name")
  void order() {
    List<ClusterNode> nodes =
        List.of(
            node("d"),
            node("c").withCreated(START.plusSeconds(5)),
            node("b").withCreated(START.plusSeconds(5)),
            node("a").withCreated(START.plusSeconds(9)),
            node("e").withCreated(START).withBeingDeleted(),
            node("z=10.244.0.0/24").withCreated(START.plusSeconds(60)));
    NodePlan plan = plan(ranges(false), nodes);
    assertThat(plan.grants().stream().map(each -> each.node() + "=" + each.cidrs()))
        .containsExactly(
            "b=[10.244.1.0/24]", "c=[10.244.2.0/24]", "a=[10.244.3.0/24]", "d=[10.244.4.0/24]");
    assertThat(plan.notes()).containsExactly("node e is being deleted, and gets no CIDRs");
    assertThat(plan.needsAttention()).isFalse();
  }

  @Test
  @DisplayName("NC-AM32 says who stays without CIDRs, of all families")
  void exhausted() {
    ClusterCidrs cidrs = TestCidrs.of("fd00::/48,64 10.0.0.0/23,24");
    NodePlan plan = plan(cidrs, nodes("a b c=fd00::/64,10.0.1.0/24 d"));
    assertThat(plan.grants()).hasSize(1);
    assertThat(plan.without()).isEqualTo(2);
    assertThat(shown(plan))
        .containsExactly("b 1401 : no IPv4 block is free", "d 1401 : no IPv4 block is free");
  }

  @Test
  @DisplayName("NC-AM19 grants nothing while not all nodes are known")
  void incomplete() {
    NodePlan plan = NodePlan.of(ranges(false), nodes("a b=10.244.0.0/24"), false, Optional.empty());
    assertThat(plan.grants()).isEmpty();
    assertThat(plan.usage().get(0).claimed()).isEqualTo(1);
  }

  @Test
  @DisplayName("NC-P5 takes several CIDRs of a family from a CiliumNode, and adds missing families")
  void pool() {
    ClusterCidrs cidrs = TestCidrs.of(DUAL, Target.CILIUM_NODE);
    List<ClusterNode> nodes =
        nodes(
            "a=fd00::/64,10.244.1.0/24,10.244.2.0/24 b=10.244.1.0/24 c=10.244.3.0/24"
                + " d=fd00:0:0:1::/64,10.244.300.0/24 e=10.244.4.0/24");
    List<ClusterNode> all = new ArrayList<>(nodes);
    all.replaceAll(each -> each.name().equals("e") ? each.withBeingDeleted() : each);
    NodePlan plan = plan(cidrs, all);
    assertThat(shown(plan))
        .containsExactly(
            "a 1403 10.244.1.0/24: 10.244.1.0/24 is a CIDR of node b",
            "b 1403 10.244.1.0/24: 10.244.1.0/24 is a CIDR of node a",
            "d 1405 10.244.300.0/24: \"10.244.300.0/24\" is not a CIDR block: in the address, an octet"
                + " is above 255");
    assertThat(plan.usage().get(0).claimed()).isEqualTo(4);
    assertThat(plan.grants().stream().map(each -> each.node() + "=" + each.cidrs()))
        .containsExactly("b=[fd00:0:0:2::/64]", "c=[fd00:0:0:3::/64]");
    assertThat(plan.notes()).containsExactly("node e is being deleted, and gets no CIDRs");
  }

  @Test
  @DisplayName("NC-AM32 10,000 nodes of one CIDR get one finding each, not one for each pair")
  @Timeout(Hang.SECONDS)
  void large() {
    List<ClusterNode> same =
        IntStream.range(0, 10_000).mapToObj(i -> node("n" + i + "=10.244.1.0/24")).toList();
    List<ClusterNode> without = IntStream.range(0, 10_000).mapToObj(i -> node("m" + i)).toList();
    NodePlan plan = plan(ranges(false), Stream.concat(same.stream(), without.stream()).toList());
    assertThat(plan.findings()).hasSize(10_000 + plan.without());
    assertThat(plan.grants()).hasSize(256 - 16 - 1 - 1);
  }

  @Test
  @DisplayName("NC-AM32 reports what an allocator counts as used and nothing explains")
  void leaks() {
    String metrics =
        """
        # TYPE node_ipam_controller_cidrset_usage_cidrs gauge
        node_ipam_controller_cidrset_usage_cidrs{clusterCIDR="10.244.0.0/16"} SHARE
        node_ipam_controller_cirdset_max_cidrs{clusterCIDR="10.244.0.0/16"} MAXIMUM
        """;
    List<ClusterNode> nodes = nodes("a=10.244.1.0/24 b=10.244.1.0/25 c=10.244.128.0/24 d");
    // 16 blocks of services, one of exclude-cidrs, one of a and b.
    assertThat(leaks(nodes, metrics, "0.0703125", "256").leaks()).isEmpty();
    assertThat(leaks(nodes, metrics, "0.078125", "256").leaks())
        .containsExactly(new CidrLeak(Cidr.parse("10.244.0.0/16"), 20, 18));
    assertThat(leaks(nodes, metrics, "0.0625", "256").notes())
        .containsExactly(
            "the allocator counts 16 blocks of 10.244.0.0/16 as used, 2 less than nodes have and"
                + " settings exclude");
    NodePlan others = leaks(nodes, metrics, "0.5", "1024");
    assertThat(others.leaks()).isEmpty();
    assertThat(others.notes())
        .containsExactly(
            "the metrics count 1024 blocks in 10.244.0.0/16, the settings make 256 of it; not"
                + " compared");
  }

  private static NodePlan leaks(
      List<ClusterNode> nodes, String metrics, String share, String maximum) {
    UsageScrape scrape =
        UsageScrape.parse(metrics.replace("SHARE", share).replace("MAXIMUM", maximum));
    return NodePlan.of(ranges(false), nodes, true, Optional.of(scrape));
  }
}
