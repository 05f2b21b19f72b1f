package io.tidemark.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.agent.Allocation;
import io.tidemark.agent.CoolingRule;
import io.tidemark.agent.Ipam;
import io.tidemark.agent.PoolName;
import io.tidemark.agent.UpstreamSync;
import io.tidemark.config.ConfigProblems;
import io.tidemark.config.ConfigSource;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.nodeid.NodeId;
import io.tidemark.nodeid.NodeIdError;
import io.tidemark.nodeid.NodeIdSubnets;
import io.tidemark.nodeid.claim.IdAgreement;
import io.tidemark.nodeid.config.NodeIdConfig;
import io.tidemark.nodeid.local.KubeState;
import io.tidemark.nodeid.local.NodeIpamEvent;
import io.tidemark.nodeid.local.NodeLocalIpam;
import io.tidemark.nodeid.local.PodRules;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The subnet of a node id as the addresses of an agent")
class NodeIdRangeTest {
  private static final PoolName POOL = new PoolName("default");

  private final VirtualTime time = new VirtualTime(0);
  private final NodeIdPodRange range = range();
  private final Ipam ipam =
      Ipam.builder(time, new Random(1))
          .cooling(new CoolingRule(Duration.ZERO, Duration.ZERO))
          .allocator(range)
          .build();

  /** Of id 5: 10.1.0.40/29, with pods from 10.1.0.42 to 10.1.0.45. */
  private NodeIdPodRange range() {
    ConfigProblems problems = new ConfigProblems();
    NodeIdSubnets subnets =
        new NodeIdSubnets(
            NodeIdConfig.read(ConfigSource.of(Map.of("node-id-pod-subnet-prefix", "29")), problems)
                .orElseThrow()
                .ranges());
    NodeLocalIpam local =
        new NodeLocalIpam("n1", subnets, new PodRules(false, true, Duration.ZERO), time);
    local.resync(
        new NodeIpamEvent.StartupResync(),
        NodeId.of(5),
        new KubeState(Optional.empty(), List.of()),
        1);
    return new NodeIdPodRange(local);
  }

  private String next(String owner) {
    return text(ipam.allocateNext(IpFamily.IPV4, owner, POOL, UpstreamSync.DEFER));
  }

  private String take(String ip, String owner) {
    return text(ipam.allocate(IpAddress.parse(ip), owner, POOL, UpstreamSync.DEFER));
  }

  private void release(String ip) {
    assertThat(ipam.release(IpAddress.parse(ip), POOL)).isEmpty();
  }

  private static String text(Allocation end) {
    return end instanceof Allocation.Granted granted
        ? granted.result().ip().toString()
        : ((Allocation.Denied) end).denial().text();
  }

  @Test
  @DisplayName("NI-33 Pods get all but the four reserved addresses, in a circle")
  void circle() {
    assertThat(take("10.1.0.41", "router")).isEqualTo("10.1.0.41");
    assertThat(next("a")).isEqualTo("10.1.0.42");
    assertThat(next("b")).isEqualTo("10.1.0.43");
    release("10.1.0.42");
    assertThat(next("c")).isEqualTo("10.1.0.44");
    assertThat(next("a")).as("two attachments of one pod").isEqualTo("10.1.0.45");
    assertThat(next("a")).isEqualTo("10.1.0.42");
    assertThat(next("d"))
        .startsWith("TM-1607 EXHAUSTED: no IPv4 address of pool default is free: 5 in use");
    for (String reserved : List.of("10.1.0.40", "10.1.0.46", "10.1.0.47", "10.1.0.2", "fd00::1")) {
      assertThat(take(reserved, "d")).as(reserved).contains("TM-16");
    }
    release("10.1.0.41");
    assertThat(next("d")).as("the gateway is no pod's").startsWith("TM-1607");
    assertThat(take("10.1.0.41", "router")).isEqualTo("10.1.0.41");
    assertThat(take("10.1.0.41", "other")).startsWith("TM-1605");
  }

  @Test
  @DisplayName("After a restart pods keep their addresses, and the search goes on behind them")
  void restored() {
    assertThat(text(ipam.restore(IpAddress.parse("10.1.0.43"), "a", POOL))).isEqualTo("10.1.0.43");
    assertThat(take("10.1.0.43", "b")).startsWith("TM-1605");
    assertThat(next("b")).isEqualTo("10.1.0.44");
    release("10.1.0.43");
    assertThat(next("c")).isEqualTo("10.1.0.45");
    assertThat(next("d")).isEqualTo("10.1.0.42");
    assertThat(next("e")).isEqualTo("10.1.0.43");
    assertThat(ipam.snapshot().get(0).counts().available()).isZero();
  }

  @Test
  @DisplayName("NI-34 While its id is in doubt it gives no new address, and takes back others")
  void withheld() {
    assertThat(next("a")).isEqualTo("10.1.0.42");
    range.agreement(
        new IdAgreement.Withheld(NodeIdError.NODE_ID_CONFLICT, "node n1 uses id 5 and shows 6"));
    assertThat(next("b")).startsWith("TM-1502 NODE_ID_CONFLICT: node n1 uses id 5 and shows 6. ");
    assertThat(take("10.1.0.43", "b")).startsWith("TM-1502");
    assertThat(ipam.unable()).isPresent();
    release("10.1.0.42");
    assertThat(next("b")).startsWith("TM-1502");
    range.agreement(new IdAgreement.Agreed(NodeId.of(5)));
    assertThat(ipam.unable()).isEmpty();
    assertThat(next("b")).isEqualTo("10.1.0.43");
  }
}
