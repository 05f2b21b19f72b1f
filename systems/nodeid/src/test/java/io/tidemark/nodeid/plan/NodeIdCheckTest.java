package io.tidemark.nodeid.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.ClusterNode.PodCidrs;
import io.tidemark.cluster.NodeProblem;
import io.tidemark.nodeid.NodeIdRanges;
import io.tidemark.nodeid.NodeIdSubnets;
import io.tidemark.nodeid.TestRanges;
import io.tidemark.nodeid.claim.NodeIdMirror;
import io.tidemark.testing.Hang;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The check of nodes that exist")
class NodeIdCheckTest {
  private static final String SAME =
      "{\"id\":5,\"podSubnet\":\"10.1.5.0/24\",\"gateway\":\"10.1.5.1\",\"natLoopback\":\"10.1.5.254\","
          + "\"linkSubnet\":\"172.30.5.0/24\",\"linkSwitchEnd\":\"172.30.5.1\","
          + "\"linkHostEnd\":\"172.30.5.2\",\"nodeAddress\":\"192.168.16.5/24\","
          + "\"overlayAddress\":\"192.168.30.5/24\",\"later\":[1,{\"x\":null}]}";

  /** Such as {@code a,id=5,cidr=10.1.5.0/24,ip=192.168.16.5}; fields may be missing. */
  private static ExistingNode node(String text) {
    String[] parts = text.split(",", -1);
    Map<String, String> annotations = new HashMap<>();
    PodCidrs cidrs = PodCidrs.NONE;
    List<String> ips = List.of();
    for (String part : List.of(parts).subList(1, parts.length)) {
      String value = part.substring(part.indexOf('=') + 1);
      if (part.startsWith("id=")) {
        annotations.put(NodeIdMirror.ID, value);
      } else if (part.startsWith("cidr=")) {
        List<String> all = List.of(value.split("\\+", -1));
        cidrs = new PodCidrs(all.get(0), all, Optional.empty());
      } else {
        ips = List.of(value.split("\\+", -1));
      }
    }
    ClusterNode node =
        ClusterNode.named(parts[0], "").withAnnotations(annotations).withPodCidrs(cidrs);
    return new ExistingNode(node, ips);
  }

  private static List<ExistingNode> nodes(String text) {
    return Stream.of(text.split(" ", -1)).map(NodeIdCheckTest::node).toList();
  }

  private static NodeIdCheck check(NodeIdRanges ranges, List<ExistingNode> nodes) {
    return NodeIdCheck.of(new NodeIdSubnets(ranges), nodes);
  }

  private static List<String> shown(NodeIdCheck check) {
    return check.findings().stream()
        .map(it -> it.node() + " " + it.problem().code().number() + " " + text(it.problem()))
        .toList();
  }

  private static String text(NodeProblem problem) {
    return problem.value() + ": " + problem.detail();
  }

  @DisplayName("NI-36 has a finding for each id, pod CIDR and address that does not fit")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          a,id=5,cidr=10.1.5.0/24,ip=192.168.16.5 b,id=6    |
          a,id=5,cidr=010.1.5.0/24+fd00::/64,ip=10.9.9.9    |
          a b                                               |
          a,id=5 b,id=5                                     | a 1502 5: node id 5 is also that of node b; b 1502 5: node id 5 is also that of node a
          a,id=5 b,id=5 c,id=5                              | a 1502 5: node id 5 is also that of node b and of 1 other; b 1502 5: node id 5 is also that of node a and of 1 other; c 1502 5: node id 5 is also that of node a and of 1 other
          a,id=255                                          | a 1505 255: node id 255 is above 254, the highest id that interconnect 192.168.16.0/24 and overlay 192.168.30.0/24 serve
          a,id=300 b,id=300                                 | a 1505 300: node id 300 is above 254, the highest id that interconnect 192.168.16.0/24 and overlay 192.168.30.0/24 serve; a 1502 300: node id 300 is also that of node b; b 1505 300: node id 300 is above 254, the highest id that interconnect 192.168.16.0/24 and overlay 192.168.30.0/24 serve; b 1502 300: node id 300 is also that of node a
          a,id=0                                            | a 1510 0: tidemark.io/node-id: node id is 0; expected a number from 1 to 4294967295
          a,id=five                                         | a 1510 five: tidemark.io/node-id: node id is 'five'; expected a number from 1 to 4294967295
          a,id=4294967296                                   | a 1510 4294967296: tidemark.io/node-id: node id is 4294967296; expected a number from 1 to 4294967295
          a,id=5,cidr=10.1.6.0/24                           | a 1510 10.1.6.0/24: its pod CIDR is 10.1.6.0/24, but the pod subnet of id 5 is 10.1.5.0/24
          a,id=5,cidr=10.1.6.0/24 b,id=6                    | a 1510 10.1.6.0/24: its pod CIDR is 10.1.6.0/24, but the pod subnet of id 5 is 10.1.5.0/24; a 1502 10.1.6.0/24: its subnet 10.1.6.0/24 is a subnet of node b; b 1502 10.1.6.0/24: its subnet 10.1.6.0/24 is a subnet of node a
          a,cidr=10.1.5.0/25 b,id=5                         | a 1502 10.1.5.0/25: its subnet 10.1.5.0/25 overlaps 10.1.5.0/24 of node b; b 1502 10.1.5.0/24: its subnet 10.1.5.0/24 overlaps 10.1.5.0/25 of node a
          a,cidr=10.1.5.0/24 b,cidr=10.1.5.0/24             | a 1502 10.1.5.0/24: its subnet 10.1.5.0/24 is a subnet of node b; b 1502 10.1.5.0/24: its subnet 10.1.5.0/24 is a subnet of node a
          a,id=5,cidr=10.1.300.0/24                         | a 1510 10.1.300.0/24: its pod CIDR cannot be read: "10.1.300.0/24" is not a CIDR block: in the address, an octet is above 255
          a,id=5,ip=10.9.9.9+192.168.16.6                   | a 1510 192.168.16.6: its InternalIP is 192.168.16.6, but the address of id 5 is 192.168.16.5
          a,ip=192.168.16.6                                 |
          a,id=5,ip=host                                    | a 1510 host: its InternalIP host is not an address
          """)
  void findings(String nodes, String expected) {
    assertThat(shown(check(TestRanges.DEFAULTS, nodes(nodes))))
        .containsExactly(expected == null ? new String[0] : expected.split("; (?=[a-c] 15)", -1));
  }

  @DisplayName("NI-36 A mirror that does not fit the settings is told field by field")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '\'',
      textBlock =
          """
          same                                                            |
          {}                                                              |
          {"id":5,"podSubnet":"10.9.5.0/24","gateway":"10.1.5.1"}         | a 1510 5: tidemark.io/node-id-plan: podSubnet is 10.9.5.0/24, but the settings make 10.1.5.0/24
          {"id":6,"overlayAddress":"192.168.30.6/24"}                     | a 1510 5: tidemark.io/node-id-plan: id is 6, but the settings make 5; overlayAddress is 192.168.30.6/24, but the settings make 192.168.30.5/24
          {"id":5,"podSub                                                 | a 1510 5: tidemark.io/node-id-plan cannot be read: it is not valid JSON: Unexpected end-of-input in field name
          [5]                                                             | a 1510 5: tidemark.io/node-id-plan cannot be read: it is not a JSON object
          """)
  void mirrors(String json, String expected) {
    ClusterNode node =
        ClusterNode.named("a", "")
            .withAnnotations(
                Map.of(NodeIdMirror.ID, "5", NodeIdMirror.PLAN, json.equals("same") ? SAME : json));
    NodeIdCheck check = check(TestRanges.DEFAULTS, List.of(new ExistingNode(node, List.of())));
    assertThat(shown(check))
        .containsExactly(expected == null ? new String[0] : new String[] {expected});
  }

  @Test
  @DisplayName(
      "NI-36 A mirror without an id, and an address that the settings do not make, are told")
  void halfMirror() {
    ClusterNode half = ClusterNode.named("a", "").withAnnotations(Map.of(NodeIdMirror.PLAN, SAME));
    assertThat(shown(check(TestRanges.DEFAULTS, List.of(new ExistingNode(half, List.of())))))
        .containsExactly("a 1510 : it has tidemark.io/node-id-plan, but no tidemark.io/node-id");
    NodeIdRanges dhcp = TestRanges.of("10.1.0.0/16 24", "172.30.0.0/16 24", "-", "192.168.30.0/24");
    ClusterNode whole = half.withAnnotations(Map.of(NodeIdMirror.ID, "5"));
    assertThat(shown(check(dhcp, List.of(new ExistingNode(whole, List.of("192.168.16.9"))))))
        .containsExactly(
            "a 1510 5: tidemark.io/node-id-plan: nodeAddress is 192.168.16.5/24, but the settings"
                + " make none");
  }

  @Test
  @DisplayName("NI-36 Nodes without ids count against the ids that are left")
  void lacking() {
    NodeIdRanges small =
        TestRanges.of("10.1.0.0/22 24", "172.30.0.0/22 24", "-", "192.168.30.0/24");
    NodeIdCheck check = check(small, nodes("a,id=1 b,id=3 c d e,id=900 f,id=x"));
    assertThat(check.without()).isEqualTo(2);
    assertThat(check.lacking()).isEqualTo(1);
    assertThat(check.plans()).extracting(NodeIdCheck.Planned::node).containsExactly("a", "b");
    assertThat(check(small, nodes("a,id=1 b")).needsAttention()).isFalse();
  }

  @Test
  @DisplayName(
      "NI-36 10,000 nodes of one id and one CIDR get few findings each, not one for each pair")
  @Timeout(Hang.SECONDS)
  void large() {
    List<ExistingNode> nodes =
        IntStream.range(0, 10_000)
            .mapToObj(i -> node("n" + i + ",id=" + (i % 2 == 0 ? 5 : i) + ",cidr=10.1.5.0/24"))
            .toList();
    NodeIdCheck check = check(TestRanges.DEFAULTS, nodes);
    assertThat(check.findings()).hasSizeGreaterThan(10_000).hasSizeLessThan(40_000);
  }
}
