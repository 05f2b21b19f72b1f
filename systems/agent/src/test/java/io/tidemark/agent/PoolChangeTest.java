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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A pool whose addresses change")
class PoolChangeTest {
  private static final Duration PAUSE = Duration.ofSeconds(130);

  private final TestNode node = TestNode.cooling(PAUSE, Duration.ZERO, "10.0.0.0/29");

  private PoolSnapshot change(String block) {
    return node.ipam
        .change(IpFamily.IPV4, TestNode.DEFAULT, held -> TestNode.range(block))
        .orElseThrow();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          What is in use stays in use, out of the pool and back in it \
            | take 1 a; take 5 b; lease 5 130s; change 0/30 = 1:a 5:b; counts = 1/2/0/0/0; \
              take 5 other = ALREADY_ALLOCATED; take 6 other = NOT_IN_RANGE; \
              next c d = 2 EXHAUSTED; change 0/29 = 1:a 2:c 5:b; counts = 3/3/0/0/0; \
              stopLease 5; why 5 = ALREADY_ALLOCATED: 10.0.0.5 is in use by b
          A snapshot is ascending, and an owner's addresses are released, in the pool and not \
            | take 5 a; take 3 b; take 1 a; take 6 b; take 2 a; lease 1 130s; \
              change 4/30 = 1:a 2:a 3:b 5:a 6:b; releaseAll a = 3; \
              change 0/29 = 3:b 5:cooling/COOLING 6:b; stopLease 1 = LEASE_NOT_FOUND; timers = 0
          An address that is released outside of the pool is gone, and neither free nor cool \
            | take 5 b; change 0/30 = 5:b; release 5; counts = 2/0/0/0/0; change 0/29 = none
          What cools in the pool goes on cooling, what cools outside of it is forgotten \
            | take 1 a; take 5 b; release 1 5; change 0/30 = 1:cooling/COOLING; 130s; \
              counts = 2/0/0/0/0
          A reserved block has no free address, also one that comes later \
            | exclude 0/30 router; change 2/31 = 2:router/EXCLUDED 3:router/EXCLUDED; \
              change 0/29 = 1:router/EXCLUDED 2:router/EXCLUDED 3:router/EXCLUDED; \
              counts = 3/0/0/3/0; include 0/30; counts = 6/0/0/0/0
          """)
  void story(String name, String story) {
    IpamStory.run("cools 130s 0s 0/29; " + story);
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
