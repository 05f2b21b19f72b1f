package io.tidemark.nodeid.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.error.IpamException;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.InterfaceAddress;
import io.tidemark.ip.IpAddress;
import io.tidemark.nodeid.NodeId;
import io.tidemark.nodeid.NodeIdError;
import io.tidemark.nodeid.NodeIdRanges;
import io.tidemark.nodeid.NodeIdSubnets;
import io.tidemark.nodeid.TestRanges;
import io.tidemark.nodeid.local.NodeIpamEvent.HealingResync;
import io.tidemark.nodeid.local.NodeIpamEvent.StartupResync;
import io.tidemark.nodeid.local.PodAllocation.Allocated;
import io.tidemark.nodeid.local.PodAllocation.Refused;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The node-local IPAM, addresses chosen here")
class NodeLocalIpamTest {
  private static final PodRules AT_ONCE = new PodRules(false, true, Duration.ZERO);

  private final VirtualTime time = new VirtualTime(0);

  private NodeLocalIpam ipam(NodeIdRanges ranges, PodRules rules) {
    return new NodeLocalIpam("node", new NodeIdSubnets(ranges), rules, time);
  }

  private NodeLocalIpam started(NodeIdRanges ranges, long id, KubeState.Pod... pods) {
    NodeLocalIpam ipam = ipam(ranges, AT_ONCE);
    ipam.resync(new StartupResync(), NodeId.of(id), state(pods), 1);
    return ipam;
  }

  private static NodeIdRanges ranges(String pods) {
    return TestRanges.of(pods, "2.3.192.0/18 30", "3.4.5.192/26", "4.5.6.192/26");
  }

  private static KubeState state(KubeState.Pod... pods) {
    return new KubeState(Optional.empty(), List.of(pods));
  }

  private static KubeState.Pod pod(String name, String address) {
    return new KubeState.Pod(id(name), address, false);
  }

  private static PodId id(String name) {
    return new PodId("default", name);
  }

  private static String allocate(NodeLocalIpam ipam, String pod) {
    PodAllocation end = ipam.allocatePodIp(id(pod), "", "");
    return end instanceof Allocated done
        ? done.address().toString()
        : ((Refused) end).code().name();
  }

  @Test
  @DisplayName("NI-1/NI-2 Every operation about subnets, in IPv4")
  void getters() {
    NodeLocalIpam ipam = started(TestRanges.OF_CONTIV, 1);
    NodeId other = NodeId.of(5);
    assertThat(ipam.podSubnetAllNodes()).hasToString("1.2.128.0/17");
    assertThat(ipam.podSubnetThisNode()).hasToString("1.2.128.8/29");
    assertThat(ipam.podSubnetOtherNode(other)).contains(Cidr.parse("1.2.128.40/29"));
    assertThat(ipam.podGatewayIp()).hasToString("1.2.128.9");
    assertThat(ipam.natLoopbackIp()).hasToString("1.2.128.14");
    assertThat(ipam.hostInterconnectSubnetAllNodes()).hasToString("2.3.192.0/18");
    assertThat(ipam.hostInterconnectSubnetThisNode()).hasToString("2.3.192.4/30");
    assertThat(ipam.hostInterconnectSubnetOtherNode(other)).hasToString("2.3.192.20/30");
    assertThat(ipam.hostInterconnectIpInVpp()).hasToString("2.3.192.5");
    assertThat(ipam.hostInterconnectIpInLinux()).hasToString("2.3.192.6");
    assertThat(ipam.nodeIpAddress(other)).contains(InterfaceAddress.parse("3.4.5.197/26"));
    assertThat(ipam.vxlanIpAddress(other)).hasToString("4.5.6.197/26");
    assertThat(ipam.serviceNetwork()).hasToString("10.96.0.0/12");
  }

  @Test
  @DisplayName("Before the first resync operations say that it is not initialised")
  void notInitialised() {
    NodeLocalIpam ipam = ipam(TestRanges.OF_CONTIV, AT_ONCE);
    List<Consumer<NodeLocalIpam>> operations =
        List.of(
            NodeLocalIpam::podSubnetAllNodes,
            NodeLocalIpam::podSubnetThisNode,
            it -> it.podSubnetOtherNode(NodeId.of(1)),
            NodeLocalIpam::podGatewayIp,
            NodeLocalIpam::natLoopbackIp,
            NodeLocalIpam::hostInterconnectSubnetAllNodes,
            NodeLocalIpam::hostInterconnectSubnetThisNode,
            it -> it.hostInterconnectSubnetOtherNode(NodeId.of(1)),
            NodeLocalIpam::hostInterconnectIpInVpp,
            NodeLocalIpam::hostInterconnectIpInLinux,
            it -> it.nodeIpAddress(NodeId.of(1)),
            it -> it.vxlanIpAddress(NodeId.of(1)),
            NodeLocalIpam::serviceNetwork,
            it -> it.allocatePodIp(id("a"), "", ""),
            it -> it.podIp(id("a")),
            it -> it.releasePodIp(id("a")),
            NodeLocalIpam::stats);
    assertThat(operations)
        .allSatisfy(
            operation ->
                assertThatThrownBy(() -> operation.accept(ipam))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("not initialised: there was no resync yet"));
  }

  @DisplayName("NI-4/NI-5/NI-6 A pod gets an address of the subnet and gives it back")
  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "1.2.128.0/17 29, 1.2.128.10, 32",
    "fe10:f00d::/90 120, fe10:f00d::102, 128",
    "2001::/48 60, 2001:0:0:10::2, 128"
  })
  void onePod(String pods, String address, int length) {
    NodeLocalIpam ipam =
        started(
            pods.contains(":")
                ? TestRanges.of(pods, "fe30:f00d::/90 126", "fe11:f00d::/90", "fe20:f00d::/120")
                : ranges(pods),
            1);
    assertThat(allocate(ipam, "a")).isEqualTo(address);
    assertThat(ipam.podIp(id("a"))).contains(InterfaceAddress.parse(address + "/" + length));
    assertThat(ipam.releasePodIp(id("a"))).isTrue();
    assertThat(ipam.podIp(id("a"))).isEmpty();
    assertThat(ipam.releasePodIp(id("a"))).as("a pod that has none").isFalse();
  }

  @Test
  @DisplayName("NI-7/NI-9 A pod keeps its address; the fifth pod of four gets none")
  void exhausted() {
    NodeLocalIpam ipam = started(TestRanges.OF_CONTIV, 1);
    Set<String> addresses = new HashSet<>();
    for (String pod : List.of("a", "b", "c", "d")) {
      addresses.add(allocate(ipam, pod));
      assertThat(addresses).contains(allocate(ipam, pod));
    }
    assertThat(addresses).hasSize(4).doesNotContain("1.2.128.8", "1.2.128.9");
    assertThat(ipam.allocatePodIp(id("e"), "", ""))
        .isEqualTo(
            new Refused(
                NodeIdError.POD_SUBNET_EXHAUSTED,
                "no address is free in the pod subnet 1.2.128.8/29 for pod default/e: of 4, pods"
                    + " have 4, and 0 were released less than 0 s ago"));
    assertThat(ipam.stats()).contains(new PodAddressPool.Stats(4, 4, 0));
  }

  @DisplayName("NI-12/NI-13 Subnets of 252 and of 1,020 pods")
  @ParameterizedTest(name = "{0}")
  @CsvSource({"1.2.0.0/16 24, 1.2.1.0/24, 252", "1.4.0.0/14 22, 1.4.4.0/22, 1020"})
  void whole(String pods, String subnet, int count) {
    NodeLocalIpam ipam = started(ranges(pods), 1);
    assertThat(ipam.podSubnetThisNode()).hasToString(subnet);
    Set<String> addresses = new HashSet<>();
    for (int pod = 0; pod < count; pod++) {
      addresses.add(allocate(ipam, "p" + pod));
    }
    assertThat(addresses)
        .hasSize(count)
        .allMatch(each -> Cidr.parse(subnet).contains(IpAddress.parse(each)));
    assertThat(allocate(ipam, "more")).isEqualTo("POD_SUBNET_EXHAUSTED");
  }

  @Test
  @DisplayName("NI-D1 A resync finds running pods of both kinds, allocation goes on behind them")
  void resyncWithPods() {
    NodeLocalIpam ipam = ipam(TestRanges.DEFAULTS, AT_ONCE);
    KubeState listed =
        state(
            pod("a", "10.1.5.2"),
            pod("b", "10.1.5.3"),
            pod("c", "::ffff:10.1.5.7"),
            pod("elsewhere", "10.1.6.9"),
            pod("pending", ""),
            pod("strange", "none"));
    ResyncReport report = ipam.resync(new StartupResync(), NodeId.of(5), listed, 1);
    assertThat(report).isEqualTo(new ResyncReport(true, 3, List.of()));
    assertThat(allocate(ipam, "d")).isEqualTo("10.1.5.8");
    assertThat(allocate(ipam, "a")).isEqualTo("10.1.5.2");
    assertThat(allocate(ipam, "c")).isEqualTo("10.1.5.7");
    assertThat(ipam.podIp(id("elsewhere"))).isEmpty();
  }

  @Test
  @DisplayName("NI-D13 Ended pods have no address; of two pods with one the first has it")
  void conflicts() {
    NodeLocalIpam ipam = ipam(TestRanges.DEFAULTS, AT_ONCE);
    KubeState listed =
        state(
            new KubeState.Pod(id("ended"), "10.1.5.9", true),
            pod("a", "10.1.5.2"),
            pod("b", "10.1.5.2"),
            pod("c", "10.1.5.1"),
            pod("d", "10.1.5.254"));
    ResyncReport report = ipam.resync(new StartupResync(), NodeId.of(5), listed, 1);
    assertThat(report.recorded()).isEqualTo(1);
    assertThat(report.conflicts())
        .extracting(Object::toString)
        .containsExactly(
            "pod default/b is listed with 10.1.5.2, which pod default/a has",
            "pod default/c is listed with 10.1.5.1, which is reserved",
            "pod default/d is listed with 10.1.5.254, which is reserved");
    assertThat(ipam.podIp(id("ended"))).isEmpty();
  }

  @Test
  @DisplayName("NI-D15 A later resync counts after a failure only; pods here keep what they have")
  void laterResync() {
    NodeLocalIpam ipam = started(TestRanges.DEFAULTS, 5);
    assertThat(allocate(ipam, "a")).isEqualTo("10.1.5.2");
    assertThat(allocate(ipam, "b")).isEqualTo("10.1.5.3");
    assertThat(allocate(ipam, "gone")).isEqualTo("10.1.5.4");
    assertThat(allocate(ipam, "moved")).isEqualTo("10.1.5.5");
    KubeState listed =
        state(pod("a", ""), pod("b", "10.1.5.3"), pod("moved", "10.1.5.9"), pod("new", "10.1.5.8"));
    assertThat(ipam.resync(new StartupResync(), NodeId.of(5), listed, 2).done()).isFalse();
    assertThat(ipam.podIp(id("gone"))).isPresent();

    ResyncReport report = ipam.resync(new HealingResync(), NodeId.of(5), listed, 3);
    assertThat(report.recorded()).isEqualTo(4);
    assertThat(report.conflicts())
        .extracting(Object::toString)
        .containsExactly("pod default/moved is listed with 10.1.5.9, but has 10.1.5.5");
    assertThat(ipam.podIp(id("a"))).contains(InterfaceAddress.parse("10.1.5.2/32"));
    assertThat(ipam.podIp(id("gone"))).isEmpty();
    assertThat(ipam.podIp(id("new"))).contains(InterfaceAddress.parse("10.1.5.8/32"));
    assertThat(allocate(ipam, "next")).isEqualTo("10.1.5.9");
  }

  @Test
  @DisplayName("NI-D11 A resync that fails leaves the state before it in force")
  void failedResync() {
    NodeLocalIpam ipam = started(TestRanges.DEFAULTS, 5);
    assertThat(allocate(ipam, "a")).isEqualTo("10.1.5.2");
    assertThatThrownBy(() -> ipam.resync(new HealingResync(), NodeId.of(255), state(), 2))
        .isInstanceOf(IpamException.class)
        .hasMessageContaining("TM-1505");
    assertThat(ipam.podSubnetThisNode()).hasToString("10.1.5.0/24");
    assertThat(ipam.podIp(id("a"))).contains(InterfaceAddress.parse("10.1.5.2/32"));
    assertThatThrownBy(() -> ipam.nodeIpAddress(NodeId.of(255))).isInstanceOf(IpamException.class);
  }

  @Test
  @DisplayName("NI-D14 A released address cools for 30 s")
  void cooldown() {
    NodeLocalIpam ipam = ipam(TestRanges.OF_CONTIV, PodRules.INTERNAL);
    ipam.resync(new StartupResync(), NodeId.of(1), state(), 1);
    for (String pod : List.of("a", "b", "c", "d")) {
      allocate(ipam, pod);
    }
    ipam.releasePodIp(id("b"));
    assertThat(allocate(ipam, "e")).isEqualTo("POD_SUBNET_EXHAUSTED");
    time.runUntil(29_000_000_000L);
    assertThat(allocate(ipam, "e")).isEqualTo("POD_SUBNET_EXHAUSTED");
    time.runUntil(30_000_000_000L);
    assertThat(allocate(ipam, "e")).isEqualTo("1.2.128.11");
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  @DisplayName("NI-J1/NI-D11 Threads that allocate, release and resync never share an address")
  void threads(int resyncs) throws Exception {
    NodeLocalIpam ipam = started(TestRanges.DEFAULTS, 5);
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<Set<String>>> ends = new ArrayList<>();
      for (int thread = 0; thread < 3; thread++) {
        String name = "t" + thread + "-";
        ends.add(
            threads.submit(
                () -> {
                  Set<String> kept = new HashSet<>();
                  for (int i = 0; i < 80; i++) {
                    String address = allocate(ipam, name + i);
                    if (i % 2 == 0) {
                      kept.add(address);
                    } else {
                      assertThat(ipam.releasePodIp(id(name + i))).isTrue();
                    }
                  }
                  return kept;
                }));
      }
      KubeState.Pod[] listed = new KubeState.Pod[240];
      for (int i = 0; i < listed.length; i++) {
        listed[i] = pod("t" + i / 80 + "-" + i % 80, "");
      }
      for (int i = 0; i < resyncs; i++) {
        ipam.resync(new HealingResync(), NodeId.of(5), state(listed), 2 + i);
      }
      Set<String> all = new HashSet<>();
      for (Future<Set<String>> end : ends) {
        all.addAll(end.get());
      }
      assertThat(all).hasSize(120).doesNotContain("POD_SUBNET_EXHAUSTED");
      assertThat(ipam.stats()).contains(new PodAddressPool.Stats(252, 120, 0));
    } finally {
      threads.shutdownNow();
    }
  }
}
