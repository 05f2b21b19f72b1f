package io.tidemark.nodeid.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.error.IpamException;
import io.tidemark.ip.InterfaceAddress;
import io.tidemark.nodeid.NodeId;
import io.tidemark.nodeid.NodeIdError;
import io.tidemark.nodeid.NodeIdRanges;
import io.tidemark.nodeid.NodeIdSubnets;
import io.tidemark.nodeid.TestRanges;
import io.tidemark.nodeid.local.NodeIpamEvent.HealingResync;
import io.tidemark.nodeid.local.NodeIpamEvent.NodeUpdate;
import io.tidemark.nodeid.local.NodeIpamEvent.PodCidrChange;
import io.tidemark.nodeid.local.NodeIpamEvent.StartupResync;
import io.tidemark.nodeid.local.PodAllocation.Allocated;
import io.tidemark.nodeid.local.PodAllocation.Refused;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The node-local IPAM, addresses chosen by an external IPAM")
class ExternalIpamTest {
  private static final NodeId ID = NodeId.of(5);

  private final NodeLocalIpam ipam = ipam(TestRanges.DEFAULTS, PodRules.EXTERNAL);

  private static NodeLocalIpam ipam(NodeIdRanges ranges, PodRules rules) {
    return new NodeLocalIpam("node", new NodeIdSubnets(ranges), rules, new VirtualTime(0));
  }

  private static KubeState state(String podCidr, KubeState.Pod... pods) {
    return new KubeState(Optional.of(podCidr), List.of(pods));
  }

  private static PodId pod(String name) {
    return new PodId("default", name);
  }

  private static String allocate(NodeLocalIpam ipam, String pod, String data) {
    PodAllocation end = ipam.allocatePodIp(pod(pod), "host-local", data);
    if (end instanceof Refused refused) {
      return refused.code().label() + " " + refused.detail();
    }
    return ((Allocated) end).address().toString();
  }

  private static String data(String address) {
    return "{\"version\":\"4\",\"address\":\"" + address + "\",\"gateway\":\"10.244.3.1\"}";
  }

  @Test
  @DisplayName("NI-25 The pod subnet is the Node object's, the rest follows from the id (E11)")
  void example() {
    ipam.resync(new StartupResync(), ID, state("10.244.3.0/24"), 1);
    assertThat(ipam.podSubnetThisNode()).hasToString("10.244.3.0/24");
    assertThat(ipam.podGatewayIp()).hasToString("10.244.3.1");
    assertThat(ipam.natLoopbackIp()).hasToString("10.244.3.254");
    assertThat(ipam.hostInterconnectSubnetThisNode()).hasToString("172.30.5.0/24");
    assertThat(ipam.podSubnetOtherNode(NodeId.of(6))).isEmpty();
    assertThat(allocate(ipam, "a", data("10.244.3.17/24"))).isEqualTo("10.244.3.17");
    assertThat(ipam.podIp(pod("a"))).contains(InterfaceAddress.parse("10.244.3.17/32"));
    assertThat(ipam.stats()).isEmpty();
    assertThat(ipam.releasePodIp(pod("a"))).isTrue();
    assertThat(ipam.podIp(pod("a"))).isEmpty();
  }

  @DisplayName("NI-D12 A result that cannot be right is refused, and nothing changes")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          nonsense                                 | the result of host-local for pod default/b is refused: it is not valid JSON: Unrecognized token 'nonsense'
          []                                       | it is not a JSON object
          {"version":"4"}                          | it has no address
          {"address":null}                         | it has no address
          {"address":""}                           | it has no address
          {"address":"10.244.3.9"}                 | "10.244.3.9" is not an address with prefix length: it has no /length
          {"address":"10.244.3/24"}                | is not an address with prefix length
          {"address":"10.244.3.9/24"} more         | more
          {"address":"10.244.3.9/24"               | it is not valid JSON
          {"address":"10.244.4.9/24"}              | address 10.244.4.9 for pod default/b is not recorded: it is not in the pod subnet 10.244.3.0/24
          {"address":"fe80::9/64"}                 | address fe80::9 for pod default/b is not recorded: the pod subnet 10.244.3.0/24 is of IPv4
          {"address":"10.244.3.1/24"}              | it is reserved in the pod subnet 10.244.3.0/24
          {"address":"10.244.3.254/24"}            | it is reserved in the pod subnet 10.244.3.0/24
          {"address":"10.244.3.17/24"}             | address 10.244.3.17 for pod default/b is not recorded: pod default/a has it
          """)
  void refused(String result, String problem) {
    ipam.resync(new StartupResync(), ID, state("10.244.3.0/24"), 1);
    assertThat(allocate(ipam, "a", data("10.244.3.17/24"))).isEqualTo("10.244.3.17");
    assertThat(allocate(ipam, "b", result)).startsWith("TM-1508 ").contains(problem);
    assertThat(ipam.podIp(pod("b"))).isEmpty();
    assertThat(ipam.podIp(pod("a"))).isPresent();
  }

  @Test
  @DisplayName("NI-D12 The same result again changes nothing, another one is refused")
  void repeated() {
    ipam.resync(new StartupResync(), ID, state("10.244.3.0/24"), 1);
    assertThat(allocate(ipam, "a", data("10.244.3.17/24"))).isEqualTo("10.244.3.17");
    assertThat(allocate(ipam, "a", data("10.244.3.17/24"))).isEqualTo("10.244.3.17");
    assertThat(allocate(ipam, "a", data("10.244.3.18/24")))
        .isEqualTo(
            "TM-1508 address 10.244.3.18 for pod default/a is not recorded: the pod has"
                + " 10.244.3.17 already");
    assertThat(allocate(ipam, "b", " {\"x\":{\"address\":1},\"address\":\"10.244.3.18/24\"} "))
        .isEqualTo("10.244.3.18");
    assertThat(allocate(ipam, "c", "x".repeat(70_000))).contains("it is longer than 64 KiB");
  }

  @Test
  @DisplayName("Addresses outside of the pod subnet are accepted where that is allowed")
  void anyAddress() {
    NodeLocalIpam any = ipam(TestRanges.DEFAULTS, new PodRules(true, false, Duration.ZERO));
    any.resync(new StartupResync(), ID, state("10.244.3.0/24"), 1);
    assertThat(allocate(any, "a", data("10.244.9.17/24"))).isEqualTo("10.244.9.17");
  }

  @Test
  @DisplayName("NI-D18 Until the Node object has a pod CIDR no pod gets an address")
  void awaiting() {
    ResyncReport report =
        ipam.resync(new StartupResync(), ID, new KubeState(Optional.empty(), List.of()), 1);
    assertThat(report).isEqualTo(new ResyncReport(true, 0, List.of()));
    assertThat(allocate(ipam, "a", data("10.1.5.7/24")))
        .isEqualTo("TM-1506 node node has no pod CIDR yet");
    assertThatThrownBy(ipam::podSubnetThisNode)
        .isInstanceOfSatisfying(
            IpamException.class,
            e -> assertThat(e.code()).isEqualTo(NodeIdError.AWAITING_POD_CIDR));
    assertThatThrownBy(ipam::podGatewayIp).hasMessageContaining("TM-1506");
    assertThatThrownBy(ipam::natLoopbackIp).hasMessageContaining("TM-1506");
    assertThat(ipam.podIp(pod("a"))).isEmpty();
    assertThat(ipam.releasePodIp(pod("a"))).isFalse();
    assertThat(ipam.hostInterconnectSubnetThisNode()).hasToString("172.30.5.0/24");

    ipam.resync(new PodCidrChange("10.244.3.0/24"), ID, state("10.244.3.0/24"), 2);
    assertThat(ipam.podGatewayIp()).hasToString("10.244.3.1");
    assertThat(allocate(ipam, "a", data("10.244.3.7/24"))).isEqualTo("10.244.3.7");

    ipam.resync(
        new HealingResync(),
        ID,
        new KubeState(Optional.empty(), List.of(new KubeState.Pod(pod("a"), "", false))),
        3);
    assertThat(ipam.podSubnetThisNode()).as("a CIDR stays").hasToString("10.244.3.0/24");
    assertThat(ipam.podIp(pod("a"))).isPresent();
  }

  @Test
  @DisplayName("NI-D18 In the reference profile the subnet of the id serves meanwhile")
  void fallback() {
    NodeLocalIpam reference = ipam(TestRanges.asReference(TestRanges.DEFAULTS), PodRules.EXTERNAL);
    reference.resync(new StartupResync(), ID, state(" "), 1);
    assertThat(reference.podGatewayIp()).hasToString("10.1.5.1");
    assertThat(allocate(reference, "a", data("10.1.5.7/24"))).isEqualTo("10.1.5.7");
    reference.resync(new PodCidrChange("10.244.3.0/24"), ID, state("10.244.3.0/24"), 2);
    assertThat(reference.podGatewayIp()).hasToString("10.244.3.1");
    assertThat(reference.podIp(pod("a"))).isEmpty();
  }

  @DisplayName("NI-D17 A pod CIDR that is none, or has no address for a pod, is refused")
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "10.244.3/24, fewer than four octets",
    "10.244.3.0/30, it has no address for a pod",
    "10.244.3.0/31, it has no address for a pod",
    "10.244.3.0/32, it has no address for a pod",
    "fe80::1/128, it has no address for a pod"
  })
  void badPodCidr(String cidr, String problem) {
    ipam.resync(new StartupResync(), ID, state("10.244.3.0/24"), 1);
    assertThatThrownBy(() -> ipam.resync(new PodCidrChange(cidr), ID, state(cidr), 2))
        .hasMessageContaining("TM-1508")
        .hasMessageContaining("pod CIDR '" + cidr + "' of node node is refused: ")
        .hasMessageContaining(problem);
    assertThat(ipam.podSubnetThisNode()).hasToString("10.244.3.0/24");
  }

  @Test
  @DisplayName("NI-D11 Pods of a resync are recorded, in the new subnet alone")
  void resyncWithPods() {
    KubeState.Pod inside = new KubeState.Pod(pod("a"), "10.244.3.7", false);
    KubeState.Pod outside = new KubeState.Pod(pod("b"), "10.1.5.7", false);
    assertThat(ipam.resync(new StartupResync(), ID, state("10.244.3.0/24", inside, outside), 1))
        .isEqualTo(new ResyncReport(true, 1, List.of()));
    assertThat(ipam.podIp(pod("a"))).contains(InterfaceAddress.parse("10.244.3.7/32"));
    assertThat(allocate(ipam, "c", data("10.244.3.7/24"))).contains("pod default/a has it");
  }

  @DisplayName("NI-D10 Only a pod CIDR of this node that is another one is a change")
  @ParameterizedTest(name = "{0}: {1} to {2}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          node  | -             | 10.244.3.0/24  | change
          node  | 10.244.3.0/24 | 10.244.4.0/24  | change
          node  | 10.244.3.0/24 | 10.244.3.0/24  | none
          node  | 10.244.3.0/24 | 10.244.3.9/24  | none
          node  | 10.244.3.0/24 | 10.244.003.0/24 | none
          node  | garbage       | garbage        | none
          node  | garbage       | 10.244.3.0/24  | change
          node  | 10.244.3.0/24 | -              | none
          node  | -             | -              | none
          other | -             | 10.244.3.0/24  | none
          """)
  void changes(String node, String before, String after, String expected) {
    NodeUpdate update = new NodeUpdate(node, text(before), text(after));
    assertThat(ipam.update(update))
        .isEqualTo(
            expected.equals("none") ? Optional.empty() : text(after).map(PodCidrChange::new));
    assertThat(ipam.handlesEvent(update)).isEqualTo(node.equals("node"));
  }

  private static Optional<String> text(String cell) {
    return Optional.of(cell).filter(it -> !it.equals("-"));
  }

  @Test
  @DisplayName("Every resync is handled; updates of nodes only with an external IPAM")
  void handled() {
    NodeUpdate update = new NodeUpdate("node", Optional.empty(), Optional.of("10.244.3.0/24"));
    NodeLocalIpam internal = ipam(TestRanges.DEFAULTS, PodRules.INTERNAL);
    assertThat(internal.handlesEvent(update)).isFalse();
    assertThat(internal.update(update)).isEmpty();
    for (NodeIpamEvent event :
        List.of(new StartupResync(), new HealingResync(), new PodCidrChange("10.244.3.0/24"))) {
      assertThat(internal.handlesEvent(event)).isTrue();
      assertThat(ipam.handlesEvent(event)).isTrue();
    }
    assertThat(new PodCidrChange("10.244.3.0/24")).hasToString("Pod CIDR Change to 10.244.3.0/24");
  }
}
