package io.tidemark.agent.multipool;

import static io.tidemark.agent.TestNode.denied;
import static io.tidemark.agent.TestNode.granted;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.agent.AgentError;
import io.tidemark.agent.CoolingRule;
import io.tidemark.agent.PoolName;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.resource.NodeResource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A block that was given back and is taken up again")
class QuarantineTest {
  private static final Set<IpFamily> IPV4 = Set.of(IpFamily.IPV4);

  private final TestPools node = TestPools.of(IPV4, Map.of());

  /** Two blocks, the second of which was given back in a write that is not seen yet. */
  private NodeResource dropped() {
    node.offers("mars", "10.0.0.1/32", "10.0.0.2/32");
    granted(node.take("mars", "10.0.0.1", "pod"));
    NodeResource before = node.object;
    assertThat(node.restored().writes().allocated("mars")).containsExactly("10.0.0.1/32");
    return before;
  }

  @Test
  @DisplayName("A56 A late event with a block that was given back does not bring it back")
  void lateEvent() {
    NodeResource late = dropped();
    node.sees(late);
    assertThat(node.ipam.snapshot().get(0).origin()).isEqualTo("10.0.0.1/32");
    assertThat(node.pools.applied(late).pools().allocated())
        .isEqualTo(node.object.pools().allocated());
  }

  @Test
  @DisplayName(
      "A56 A82 It is taken up when pods need it and it is still offered, and drawn from when no"
          + " release can be under way")
  void reclaimed() {
    NodeResource late = dropped();
    denied(node.next(IpFamily.IPV4, "mars", "next"));
    node.object = late;
    node.pass(Duration.ZERO).writes();
    assertThat(node.allocated("mars")).containsExactly("10.0.0.1/32", "10.0.0.2/32");
    assertThat(node.requested())
        .as("what waits is not asked for a second time")
        .isEqualTo(Map.of("mars", "2/0"));
    assertThat(denied(node.take("mars", "10.0.0.2", "new")).code())
        .isEqualTo(AgentError.NOT_AVAILABLE_IN_POOL);
    granted(node.ipam.restore(IpAddress.parse("10.0.0.2"), "restored", new PoolName("mars")));
    node.release("mars", "10.0.0.2");

    node.pass(Duration.ofMinutes(4).minusNanos(1));
    assertThat(denied(node.next(IpFamily.IPV4, "mars", "next")).code())
        .isEqualTo(AgentError.EXHAUSTED);
    assertThat(node.pools.nextLookNanos()).hasValue(node.time.nanos() + 1);
    node.pass(Duration.ofNanos(1));
    assertThat(node.take("mars", "next")).isEqualTo("10.0.0.2");
  }

  @Test
  @DisplayName("A56 When the object no longer offers it, it is forgotten; offered anew, it is new")
  void forgotten() {
    dropped();
    denied(node.next(IpFamily.IPV4, "mars", "next"));
    node.pass(Duration.ZERO).offers("mars", "10.0.0.1/32", "10.0.0.2/32");
    assertThat(node.take("mars", "next")).isEqualTo("10.0.0.2");
  }

  @Test
  @DisplayName("A82 The pause goes on in the next process, whatever the clock does")
  void restart() {
    NodeResource late = dropped();
    denied(node.next(IpFamily.IPV4, "mars", "next"));
    node.object = late;
    node.pass(Duration.ZERO).pass(Duration.ofMinutes(1));
    List<RememberedCidr> remembered = node.pools.remembered();
    TestPools next = successor(Optional.of(remembered), late);
    next.pass(Duration.ofMinutes(3).minusNanos(1_000_000));
    assertThat(denied(next.next(IpFamily.IPV4, "mars", "next")).code())
        .isEqualTo(AgentError.EXHAUSTED);
    next.pass(Duration.ofMillis(1));
    assertThat(next.take("mars", "next")).isEqualTo("10.0.0.2");

    List<RememberedCidr> ahead =
        remembered.stream()
            .map(
                each ->
                    new RememberedCidr(
                        each.pool(), each.cidr(), each.state(), each.epochMillis() + 86_400_000))
            .toList();
    TestPools setBack = successor(Optional.of(ahead), late);
    setBack.pass(Duration.ofMinutes(4).minusNanos(1));
    denied(setBack.next(IpFamily.IPV4, "mars", "next"));
    setBack.pass(Duration.ofNanos(1));
    assertThat(setBack.take("mars", "next")).isEqualTo("10.0.0.2");
  }

  @Test
  @DisplayName("A82 What was given back is known in the next process")
  void droppedBefore() {
    NodeResource late = dropped();
    List<RememberedCidr> remembered = node.pools.remembered();
    TestPools next = successor(Optional.of(remembered), late);
    assertThat(denied(next.next(IpFamily.IPV4, "mars", "next")).code())
        .isEqualTo(AgentError.EXHAUSTED);
    next.pass(Duration.ZERO).pass(Duration.ofMinutes(4));
    assertThat(next.take("mars", "next")).isEqualTo("10.0.0.2");
  }

  @Test
  @DisplayName("A82 A55 What is known as given back and yet used was offered again: it is kept")
  void droppedBeforeAndUsed() {
    node.offers("mars", "10.0.0.1/32", "10.0.0.2/32", "10.0.1.0/28");
    NodeResource late = node.object;
    List<RememberedCidr> remembered =
        List.of(
            new RememberedCidr(
                new PoolName("mars"), Cidr.parse("10.0.0.2/32"), RememberedCidr.State.DROPPED, 0));
    TestPools next = successor(Optional.of(remembered), late);
    granted(next.ipam.restore(IpAddress.parse("10.0.0.2"), "next", new PoolName("mars")));
    assertThat(next.restored().writes().allocated("mars"))
        .containsExactly("10.0.0.1/32", "10.0.0.2/32");
    next.release("mars", "10.0.0.2");
    assertThat(denied(next.next(IpFamily.IPV4, "mars", "new")).code())
        .as("a release may be under way")
        .isEqualTo(AgentError.EXHAUSTED);
  }

  private TestPools successor(Optional<List<RememberedCidr>> remembered, NodeResource seen) {
    MultiPool pools = TestPools.pools(node.time, IPV4, Map.of(), CoolingRule.OFF, remembered);
    TestPools next = new TestPools(node.time, seen, pools);
    next.sees(seen);
    granted(next.ipam.restore(IpAddress.parse("10.0.0.1"), "pod", new PoolName("mars")));
    if (next.ipam.snapshot().get(0).counts().available() == 0) {
      denied(next.next(IpFamily.IPV4, "mars", "next"));
    }
    return next.restored();
  }
}
