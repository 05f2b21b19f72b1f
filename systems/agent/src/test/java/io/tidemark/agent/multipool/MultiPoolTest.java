package io.tidemark.agent.multipool;

import static io.tidemark.agent.TestNode.denied;
import static io.tidemark.agent.TestNode.granted;
import static io.tidemark.agent.multipool.TestPools.BOTH;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.agent.AgentError;
import io.tidemark.agent.Allocation;
import io.tidemark.agent.CoolingRule;
import io.tidemark.agent.Denial;
import io.tidemark.agent.PoolName;
import io.tidemark.agent.UpstreamSync;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.resource.NodeResource;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A node whose pools are blocks of the operator")
class MultiPoolTest {
  private static final Set<IpFamily> IPV4 = Set.of(IpFamily.IPV4);

  @Test
  @DisplayName(
      "A51 Pools follow use: asked for in steps, kept before restoration, given back after it")
  void scenario() {
    TestPools node = TestPools.of(BOTH, Map.of("default", 16, "mars", 8)).writes();
    assertThat(node.requested()).as("before restoration").isEmpty();

    node.offers("default", "10.10.128.0/24", "fd00:11::/123")
        .offers("mars", "10.20.0.0/27", "fd00:22::/123")
        .offers("unused", "10.30.0.0/27")
        .writes();
    assertThat(node.allocated("unused")).as("before restoration").isNotEmpty();
    node.restored().writes();
    assertThat(node.requested()).isEqualTo(Map.of("default", "16/16", "mars", "8/8"));
    assertThat(node.object.pools().allocated().keySet()).containsExactly("default", "mars");

    node.take("default", "10.10.128.5", "pod");
    node.writes();
    assertThat(node.requested()).isEqualTo(Map.of("default", "32/16", "mars", "8/8"));

    List<String> mars = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      mars.add(node.take("mars", "mars-" + i));
    }
    node.writes();
    assertThat(node.requested().get("mars")).isEqualTo("40/8");
    assertThat(denied(node.next(IpFamily.IPV4, "mars", "mars-30")).code())
        .isEqualTo(AgentError.EXHAUSTED);
    node.offers("mars", "10.20.0.0/27", "10.20.1.0/27", "fd00:22::/123");
    String last = node.take("mars", "mars-30");
    assertThat(last).startsWith("10.20.1.");

    assertThat(denied(node.next(IpFamily.IPV4, "jupiter", "pod")))
        .isEqualTo(Denial.poolNotReady(new PoolName("jupiter"), IpFamily.IPV4));
    assertThat(denied(node.next(IpFamily.IPV6, "jupiter", "pod")))
        .isEqualTo(Denial.poolNotReady(new PoolName("jupiter"), IpFamily.IPV6));
    node.writes();
    assertThat(node.requested())
        .isEqualTo(Map.of("default", "32/16", "jupiter", "1/1", "mars", "40/8"));
    node.offers("jupiter", "192.168.1.0/28", "fc00:33::/125");
    String jupiter4 = node.take("jupiter", "pod");
    String jupiter6 = granted(node.next(IpFamily.IPV6, "jupiter", "pod")).ip().toString();
    node.writes();
    assertThat(node.requested().get("jupiter")).isEqualTo("1/1");
    assertThat(node.pools.status()).isEqualTo("3 IPAM pool(s) available");

    node.release("jupiter", jupiter4);
    node.release("jupiter", jupiter6);
    mars.forEach(ip -> node.release("mars", ip));
    node.writes();
    assertThat(node.object.pools().requested().keySet()).containsExactly("default", "mars");
    assertThat(node.object.pools().allocated().keySet()).containsExactly("default", "mars");
    assertThat(node.requested().get("mars")).isEqualTo("16/8");
    assertThat(node.allocated("mars")).containsExactly("10.20.1.0/27", "fd00:22::/123");

    assertThat(node.ipam.dump().ipv4())
        .isEqualTo(Map.of("10.10.128.5", "pod", "mars/" + last, "mars-30"));
    assertThat(node.ipam.dump().ipv6()).isEmpty();
    assertThat(node.pools.status()).isEqualTo("2 IPAM pool(s) available");
  }

  @Test
  @DisplayName("A54 A pool that the node does not have is not ready, and is asked for")
  void unknownPool() {
    TestPools node = TestPools.of(IPV4, Map.of()).restored();
    int before = node.wakes;
    assertThat(denied(node.next(IpFamily.IPV4, "mars", "pod")))
        .isEqualTo(Denial.poolNotReady(new PoolName("mars"), IpFamily.IPV4));
    assertThat(denied(node.take("mars", "10.0.0.1", "other")))
        .isEqualTo(Denial.poolNotReady(new PoolName("mars"), IpFamily.IPV4));
    assertThat(node.wakes).as("the failures are published").isEqualTo(before + 2);
    assertThat(node.writes().requested()).isEqualTo(Map.of("mars", "2/0"));

    node.pass(Duration.ofMinutes(6)).writes();
    assertThat(node.requested()).as("nobody asked again").isEmpty();
  }

  @Test
  @DisplayName("A54 An address that is taken already is no demand")
  void takenIsNoDemand() {
    TestPools node = TestPools.of(IPV4, Map.of()).offers("mars", "10.0.0.0/28");
    granted(node.restored().take("mars", "10.0.0.1", "a"));
    assertThat(denied(node.take("mars", "10.0.0.1", "b")).code())
        .isEqualTo(AgentError.ALREADY_ALLOCATED);
    assertThat(node.writes().requested()).isEqualTo(Map.of("mars", "1/0"));
  }

  @Test
  @DisplayName("A55 A block that pods use is kept when it is withdrawn, and not drawn from")
  void withdrawn() {
    TestPools node = TestPools.of(IPV4, Map.of("mars", 8)).restored();
    node.offers("mars", "10.0.0.0/28");
    String held = node.take("mars", "pod");

    node.offers("mars");
    assertThat(denied(node.next(IpFamily.IPV4, "mars", "next")).code())
        .isEqualTo(AgentError.EXHAUSTED);
    assertThat(denied(node.take("mars", "10.0.0.9", "new")).code())
        .isEqualTo(AgentError.NOT_AVAILABLE_IN_POOL);
    granted(node.ipam.restore(IpAddress.parse("10.0.0.9"), "restored", new PoolName("mars")));

    assertThat(node.writes().allocated("mars")).as("still listed").containsExactly("10.0.0.0/28");
    node.sees(node.object);
    assertThat(denied(node.next(IpFamily.IPV4, "mars", "next")).code())
        .as("that it is offered again may be our own word")
        .isEqualTo(AgentError.EXHAUSTED);
    node.pass(Duration.ofMinutes(4));
    assertThat(node.take("mars", "later")).isNotEqualTo(held);
  }

  @Test
  @DisplayName("A55 A block that is withdrawn and unused is gone, and so is a pool without blocks")
  void withdrawnUnused() {
    TestPools node = TestPools.of(IPV4, Map.of("mars", 8)).restored();
    node.offers("mars", "10.0.0.0/28");
    node.release("mars", node.take("mars", "pod"));
    node.offers("mars");
    assertThat(denied(node.next(IpFamily.IPV4, "mars", "next")).code())
        .isEqualTo(AgentError.POOL_NOT_READY);
    assertThat(node.ipam.snapshot()).isEmpty();
    assertThat(node.pools.status()).isEqualTo("0 IPAM pool(s) available");
  }

  @Test
  @DisplayName("A57 Of two single addresses without pre-allocation, the idle one is given back")
  void single() {
    TestPools node = TestPools.of(IPV4, Map.of()).offers("mars", "10.0.0.1/32", "10.0.0.2/32");
    granted(node.take("mars", "10.0.0.2", "pod"));
    assertThat(node.restored().writes().allocated("mars")).containsExactly("10.0.0.2/32");
  }

  @Test
  @DisplayName(
      "A58 Ten writes leave the blocks in the operator's order, and the fullest is drawn from")
  void stableOrder() {
    TestPools node = TestPools.of(IPV4, Map.of("mars", 60)).restored();
    node.offers("mars", "10.0.2.0/28", "10.0.0.0/28", "10.0.1.0/28");
    granted(node.take("mars", "10.0.0.3", "pod"));
    for (int i = 0; i < 10; i++) {
      assertThat(node.writes().allocated("mars"))
          .containsExactly("10.0.2.0/28", "10.0.0.0/28", "10.0.1.0/28");
      assertThat(node.take("mars", "pod-" + i)).startsWith("10.0.0.");
    }
    node.take("mars", "a");
    node.take("mars", "b");
    node.take("mars", "c");
    assertThat(node.take("mars", "d")).as("the first of equally full ones").startsWith("10.0.2.");
  }

  @Test
  @DisplayName("A59 Blocks that the agent has not seen yet are never taken out of the object")
  void unseen() {
    TestPools node = TestPools.of(IPV4, Map.of());
    node.object = TestPools.offering(NodeResource.named("n"), "mars", "10.0.0.0/28");
    assertThat(node.writes().allocated("mars")).containsExactly("10.0.0.0/28");
    granted(node.ipam.restore(IpAddress.parse("10.0.0.1"), "pod", new PoolName("mars")));
    node.restored();
    node.object = TestPools.offering(node.object, "venus", "10.0.1.0/28");
    assertThat(node.ipam.snapshot()).as("venus was not seen").hasSize(1);
    assertThat(node.writes().allocated("mars")).containsExactly("10.0.0.0/28");
    assertThat(node.allocated("venus")).as("seen by the write, and not needed").isEmpty();
  }

  @Test
  @DisplayName("A60 A block that overlaps, is mapped or of a disabled family is not used, and kept")
  void rejected() {
    TestPools node = TestPools.of(IPV4, Map.of("mars", 8)).restored();
    node.offers(
        "mars", "10.0.0.0/28", "10.0.0.8/29", "f00d::/120", "::ffff:10.1.0.0/120", "0.0.0.0/0");
    assertThat(denied(node.take("mars", "10.1.0.1", "pod")).code())
        .isEqualTo(AgentError.NOT_IN_RANGE);
    granted(node.take("mars", "10.0.0.9", "pod"));
    assertThat(node.writes().allocated("mars"))
        .containsExactly(
            "10.0.0.0/28", "10.0.0.8/29", "f00d::/120", "::ffff:10.1.0.0/120", "0.0.0.0/0");
  }

  @Test
  @DisplayName("A60 Single addresses and pairs are used whole")
  void small() {
    TestPools node = TestPools.of(IPV4, Map.of("mars", 8)).restored();
    node.offers("mars", "10.0.0.5/32", "10.0.0.6/31");
    assertThat(List.of(node.take("mars", "a"), node.take("mars", "b"), node.take("mars", "c")))
        .containsExactly("10.0.0.5", "10.0.0.6", "10.0.0.7");
  }

  @Test
  @DisplayName("A61 The router's address is restored from the pool's blocks, and holds its block")
  void router() {
    TestPools node = TestPools.of(IPV4, Map.of("default", 1)).offers("default", "10.0.0.0/28");
    granted(
        node.ipam.allocate(
            IpAddress.parse("10.0.0.1"), "router", new PoolName("default"), UpstreamSync.DEFER));
    node.restored().offers("default", "10.0.0.0/28", "10.0.1.0/28").writes();
    assertThat(node.allocated("default")).containsExactly("10.0.0.0/28");
    assertThat(node.ipam.dump().ipv4()).isEqualTo(Map.of("10.0.0.1", "router"));
  }

  @Test
  @DisplayName("A78 An address that cools counts as in use, in the demand and in its block")
  void cooling() {
    VirtualTime time = new VirtualTime(0);
    TestPools node =
        new TestPools(
            time,
            NodeResource.named("n"),
            TestPools.pools(time, IPV4, Map.of(), CoolingRule.DEFAULT, Optional.empty()));
    node.offers("mars", "10.0.0.1/32");
    node.release("mars", node.take("mars", "pod"));
    assertThat(node.restored().writes().requested()).isEqualTo(Map.of("mars", "1/0"));
    assertThat(node.allocated("mars")).containsExactly("10.0.0.1/32");

    node.pass(Duration.ofSeconds(130)).writes();
    assertThat(node.requested()).isEmpty();
    assertThat(node.allocated("mars")).isEmpty();
  }

  @Test
  @DisplayName("A09 A reservation counts for the blocks that the pool gets later")
  void exclusion() {
    TestPools node = TestPools.of(IPV4, Map.of());
    node.ipam.exclude(Cidr.parse("10.0.0.1/32"), "node-ip", new PoolName("mars"));
    assertThat(node.ipam.snapshot()).isEmpty();
    node.offers("mars", "10.0.0.1/32", "10.0.0.2/32");
    assertThat(node.take("mars", "pod")).isEqualTo("10.0.0.2");
    assertThat(denied(node.take("mars", "10.0.0.1", "pod")).code()).isEqualTo(AgentError.EXCLUDED);
    node.restored().writes();
    assertThat(node.allocated("mars"))
        .as("a block with a reservation alone is not in use")
        .containsExactly("10.0.0.2/32");
    assertThat(node.next(IpFamily.IPV4, "mars", "other")).isInstanceOf(Allocation.Denied.class);
  }

  @Test
  @DisplayName("A61 A block of restored addresses stays, even if it is seen after restoration")
  void restoredBeforeSeen() {
    TestPools node = TestPools.of(IPV4, Map.of());
    assertThat(node.ipam.restore(IpAddress.parse("10.0.1.5"), "pod", new PoolName("mars")))
        .isInstanceOf(Allocation.Granted.class);
    node.restored().offers("mars", "10.0.0.0/28", "10.0.1.0/28").writes();
    assertThat(node.allocated("mars")).containsExactly("10.0.1.0/28");
  }
}
