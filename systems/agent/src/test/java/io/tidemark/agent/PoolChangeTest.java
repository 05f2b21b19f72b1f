package io.tidemark.agent;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.agent.PoolSnapshot.Held;
import io.tidemark.agent.PoolSnapshot.HeldAddress;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A pool whose addresses change")
class PoolChangeTest {
  private static final Duration PAUSE = Duration.ofSeconds(130);

  private final TestNode node = TestNode.cooling(PAUSE, Duration.ZERO, "10.0.0.0/29");

  private PoolSnapshot change(String block) {
    return node.ipam
        .change(IpFamily.IPV4, TestNode.DEFAULT, held -> TestNode.range(block))
        .orElseThrow();
  }

  private static List<String> held(PoolSnapshot pool) {
    return pool.held().stream().map(it -> it.ip() + " " + it.state() + " " + it.owner()).toList();
  }

  @Test
  @DisplayName("What is in use stays in use, out of the pool and back in it")
  void inUse() {
    node.take("10.0.0.1", "a");
    node.take("10.0.0.5", "b");
    Lease lease = node.lease("10.0.0.5", PAUSE);
    PoolSnapshot smaller = change("10.0.0.0/30");
    assertThat(held(smaller)).containsExactly("10.0.0.1 IN_USE a", "10.0.0.5 IN_USE b");
    assertThat(smaller.counts()).isEqualTo(new AddressCounts(1, 2, 0, 0));
    assertThat(node.refused("10.0.0.5").code()).isEqualTo(AgentError.ALREADY_ALLOCATED);
    assertThat(node.refused("10.0.0.6").code()).isEqualTo(AgentError.NOT_IN_RANGE);
    assertThat(node.next("c")).isEqualTo("10.0.0.2");
    assertThat(node.refusedNext().code()).isEqualTo(AgentError.EXHAUSTED);
    PoolSnapshot larger = change("10.0.0.0/29");
    assertThat(larger.counts()).isEqualTo(new AddressCounts(3, 3, 0, 0));
    assertThat(node.ipam.stopLease(lease)).isEmpty();
    assertThat(node.refused("10.0.0.5").detail()).isEqualTo("10.0.0.5 is in use by b");
  }

  @Test
  @DisplayName(
      "A snapshot is ascending, and an owner's addresses are released, in the pool and not")
  void ascendingAndByOwner() {
    for (String ip : List.of("10.0.0.5", "10.0.0.3", "10.0.0.1", "10.0.0.6", "10.0.0.2")) {
      node.take(ip, List.of("10.0.0.3", "10.0.0.6").contains(ip) ? "b" : "a");
    }
    Lease lease = node.lease("10.0.0.1", PAUSE);
    PoolSnapshot other = change("10.0.0.4/30");
    assertThat(held(other))
        .containsExactly(
            "10.0.0.1 IN_USE a",
            "10.0.0.2 IN_USE a",
            "10.0.0.3 IN_USE b",
            "10.0.0.5 IN_USE a",
            "10.0.0.6 IN_USE b");
    assertThat(node.ipam.releaseAll("a")).isEqualTo(3);
    assertThat(held(change("10.0.0.0/29")))
        .containsExactly("10.0.0.3 IN_USE b", "10.0.0.5 COOLING cooling", "10.0.0.6 IN_USE b");
    assertThat(node.ipam.stopLease(lease).map(Denial::code)).contains(AgentError.LEASE_NOT_FOUND);
    assertThat(node.time.pending()).isZero();
  }

  @Test
  @DisplayName("An address that is released outside of the pool is gone, and neither free nor cool")
  void releasedOutside() {
    node.take("10.0.0.5", "b");
    change("10.0.0.0/30");
    node.release("10.0.0.5");
    assertThat(node.counts("ipv4")).isEqualTo(new AddressCounts(2, 0, 0, 0));
    assertThat(change("10.0.0.0/29").held()).isEmpty();
  }

  @Test
  @DisplayName("What cools in the pool goes on cooling, what cools outside of it is forgotten")
  void cooling() {
    node.take("10.0.0.1", "a");
    node.take("10.0.0.5", "b");
    node.release("10.0.0.1");
    node.release("10.0.0.5");
    assertThat(held(change("10.0.0.0/30"))).containsExactly("10.0.0.1 COOLING cooling");
    node.pass(PAUSE);
    assertThat(node.counts("ipv4")).isEqualTo(new AddressCounts(2, 0, 0, 0));
  }

  @Test
  @DisplayName("A reserved block has no free address, also one that comes later")
  void reserved() {
    node.exclude("10.0.0.0/30", "router");
    PoolSnapshot other = change("10.0.0.2/31");
    assertThat(held(other)).containsExactly("10.0.0.2 EXCLUDED router", "10.0.0.3 EXCLUDED router");
    PoolSnapshot back = change("10.0.0.0/29");
    assertThat(back.counts()).isEqualTo(new AddressCounts(3, 0, 0, 3));
    node.include("10.0.0.0/30");
    assertThat(node.counts("ipv4")).isEqualTo(new AddressCounts(6, 0, 0, 0));
  }

  @Test
  @DisplayName("A change that keeps the allocator keeps everything, and learns what is held")
  void same() {
    Allocator range = TestNode.range("10.0.0.0/29");
    change("10.0.0.0/29");
    node.ipam.change(IpFamily.IPV4, TestNode.DEFAULT, held -> range);
    node.take("10.0.0.1", "a");
    node.take("10.0.0.2", "b");
    node.release("10.0.0.2");
    PoolSnapshot after =
        node.ipam
            .change(
                IpFamily.IPV4,
                TestNode.DEFAULT,
                held -> {
                  assertThat(held.apply(IpAddress.parse("10.0.0.1"))).isEqualTo(Held.IN_USE);
                  assertThat(held.apply(IpAddress.parse("10.0.0.2"))).isEqualTo(Held.COOLING);
                  assertThat(held.apply(IpAddress.parse("10.0.0.3"))).isNull();
                  assertThat(held.apply(IpAddress.parse("10.9.0.3"))).isNull();
                  return range;
                })
            .orElseThrow();
    assertThat(after.counts()).isEqualTo(new AddressCounts(4, 1, 1, 0));
    assertThat(node.ipam.change(IpFamily.IPV6, TestNode.DEFAULT, held -> range)).isEmpty();
  }

  @Test
  @DisplayName("Restoring takes an address that cools, is reserved or is not in the pool; once")
  void restore() {
    node.take("10.0.0.1", "a");
    node.release("10.0.0.1");
    node.exclude("10.0.0.2", "router");
    for (String ip : List.of("10.0.0.1", "10.0.0.2", "10.0.0.3", "10.9.0.1")) {
      Allocation first = node.ipam.restore(IpAddress.parse(ip), "pod", TestNode.DEFAULT);
      assertThat(TestNode.granted(first).ip()).hasToString(ip);
      Allocation second = node.ipam.restore(IpAddress.parse(ip), "other", TestNode.DEFAULT);
      assertThat(TestNode.denied(second).detail()).isEqualTo(ip + " is in use by pod");
    }
    assertThat(node.ipam.snapshot().get(0).held())
        .extracting(HeldAddress::owner)
        .containsExactly("pod", "pod", "pod", "pod");
    assertThat(node.counts("ipv4")).isEqualTo(new AddressCounts(3, 4, 0, 0));
    node.release("10.9.0.1");
    node.release("10.0.0.2");
    assertThat(node.counts("ipv4")).isEqualTo(new AddressCounts(3, 2, 0, 1));
    assertThat(
            TestNode.denied(node.ipam.restore(IpAddress.parse("f00d::1"), "pod", TestNode.DEFAULT)))
        .isEqualTo(Denial.familyDisabled(IpFamily.IPV6));
    assertThat(
            TestNode.denied(
                node.ipam.restore(IpAddress.parse("10.0.0.1"), "pod", PoolName.NOT_GIVEN)))
        .isEqualTo(Denial.poolRequired(IpAddress.parse("10.0.0.1")));
  }

  @Test
  @DisplayName("What has paused long enough is free when the addresses change")
  void pauseIsOver() {
    node.take("10.0.0.1", "a");
    node.release("10.0.0.1");
    node.pass(PAUSE);
    List<Held> states = new ArrayList<>();
    node.ipam.change(
        IpFamily.IPV4,
        TestNode.DEFAULT,
        held -> {
          states.add(held.apply(IpAddress.parse("10.0.0.1")));
          return TestNode.range("10.0.0.0/30");
        });
    assertThat(states).containsOnlyNulls().hasSize(1);
  }
}
