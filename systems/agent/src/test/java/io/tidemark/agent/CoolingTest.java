package io.tidemark.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The pause of a released address")
class CoolingTest {
  private static final Duration PAUSE = Duration.ofSeconds(130);
  private static final Duration SECOND = Duration.ofSeconds(1);

  @Test
  @DisplayName("A76 A released address is not handed out for 130 seconds while another is free")
  void pause() {
    TestNode node =
        TestNode.with(b -> TestNode.ranges(b, "10.0.0.0/30").cooling(CoolingRule.DEFAULT));
    assertThat(node.next("a")).isEqualTo("10.0.0.1");
    node.release("10.0.0.1");
    assertThat(node.counts("ipv4")).isEqualTo(new AddressCounts(1, 0, 1, 0));
    assertThat(node.ipam.dump().ipv4()).containsEntry("10.0.0.1", "cooling");
    assertThat(node.next("b")).isEqualTo("10.0.0.2");
    node.release("10.0.0.2");
    node.pass(PAUSE.minus(SECOND));
    assertThat(node.counts("ipv4")).isEqualTo(new AddressCounts(0, 0, 2, 0));
    node.pass(SECOND);
    assertThat(node.counts("ipv4")).isEqualTo(new AddressCounts(2, 0, 0, 0));
  }

  @Test
  @DisplayName("A76 A request for the very address is served during the pause, and ends it")
  void specific() {
    TestNode node = TestNode.cooling(PAUSE, Duration.ZERO, "10.0.0.0/30");
    node.take("10.0.0.1", "a");
    node.release("10.0.0.1");
    node.take("10.0.0.1", "b");
    node.pass(PAUSE);
    assertThat(node.counts("ipv4")).isEqualTo(new AddressCounts(1, 1, 0, 0));
    assertThat(node.refused("10.0.0.1").detail()).isEqualTo("10.0.0.1 is in use by b");
  }

  @Test
  @DisplayName("A77 When no other is free, the address released longest ago is handed out early")
  void early() {
    TestNode node = TestNode.cooling(PAUSE, Duration.ZERO, "10.0.0.0/29");
    for (int i = 1; i <= 6; i++) {
      node.next("a");
    }
    node.release("10.0.0.4");
    node.pass(SECOND);
    node.release("10.0.0.2");
    assertThat(node.next("b")).isEqualTo("10.0.0.4");
    assertThat(node.next("c")).isEqualTo("10.0.0.2");
    assertThat(node.refusedNext().code()).isEqualTo(AgentError.EXHAUSTED);
  }

  @Test
  @DisplayName(
      "A77 An address younger than the floor is not handed out, even when no other is free")
  void floor() {
    TestNode node = TestNode.cooling(PAUSE, Duration.ofSeconds(30), "10.0.0.1/32");
    node.take("10.0.0.1", "a");
    node.release("10.0.0.1");
    node.pass(Duration.ofSeconds(29));
    assertThat(node.refusedNext().detail())
        .isEqualTo("no IPv4 address of pool default is free: 0 in use, 1 cooling");
    node.pass(SECOND);
    assertThat(node.next("b")).isEqualTo("10.0.0.1");
  }

  @Test
  @DisplayName("Each allocation says how long ago its address was released")
  void reuse() {
    TestNode node = TestNode.cooling(PAUSE, Duration.ZERO, "10.0.0.1/32");
    node.next("first");
    node.release("10.0.0.1");
    node.pass(SECOND);
    node.next("early");
    node.release("10.0.0.1");
    node.pass(SECOND.multipliedBy(2));
    node.take("10.0.0.1", "specific");
    node.release("10.0.0.1");
    node.pass(PAUSE);
    assertThat(node.counts("ipv4")).as("free").isEqualTo(new AddressCounts(1, 0, 0, 0));
    node.pass(SECOND);
    node.next("late");
    node.release("10.0.0.1");
    node.pass(PAUSE);
    node.exclude("10.0.0.1", "reserved");
    node.include("10.0.0.1");
    node.next("last");
    assertThat(node.reuses()).isEqualTo(4);
    assertThat(node.reuseTime()).hasSeconds(1 + 2 + 131 + 130);
  }

  @Test
  @DisplayName("When an address was released stays known when its pool changes")
  void reuseAfterChange() {
    TestNode node = TestNode.hostScope("10.0.0.0/29");
    node.take("10.0.0.5", "first");
    node.release("10.0.0.5");
    node.pass(SECOND);
    node.ipam.change(IpFamily.IPV4, TestNode.DEFAULT, use -> TestNode.range("10.0.0.4/30"));
    node.take("10.0.0.5", "second");
    node.take("10.0.0.6", "third");
    assertThat(node.reuses()).isEqualTo(1);
    assertThat(node.reuseTime()).hasSeconds(1);
  }

  @Test
  @DisplayName("A77 A request that began before the release is served early as well")
  void overtaken() {
    Shard shard = new Shard(TestNode.DEFAULT, TestNode.range("10.0.0.1/32"), CoolingRule.DEFAULT);
    AllocationResult held = TestNode.granted(shard.allocateNext("a", 10));
    assertThat(shard.release(held.ip(), 20)).isNull();
    assertThat(TestNode.granted(shard.allocateNext("b", 19)).ip()).isEqualTo(held.ip());
  }

  @Test
  @DisplayName("A reservation takes an address out of its pause, and gives back what is left of it")
  void reserved() {
    TestNode node = TestNode.cooling(PAUSE, Duration.ZERO, "10.0.0.0/29");
    node.take("10.0.0.1", "a");
    node.take("10.0.0.2", "b");
    node.release("10.0.0.1");
    node.pass(SECOND);
    node.release("10.0.0.2");
    node.exclude("10.0.0.0/29", "router");
    assertThat(node.counts("ipv4")).isEqualTo(new AddressCounts(0, 0, 0, 6));
    node.pass(PAUSE.minus(SECOND));
    node.include("10.0.0.0/29");
    assertThat(node.counts("ipv4")).isEqualTo(new AddressCounts(5, 0, 1, 0));
    assertThat(node.ipam.dump().ipv4()).containsOnlyKeys("10.0.0.2");
  }

  @Test
  @DisplayName("A floor is neither negative nor above the pause")
  void rule() {
    assertThatThrownBy(() -> new CoolingRule(SECOND, Duration.ofSeconds(-1)))
        .hasMessage("ip-cooldown-floor is PT-1S; expected 0 or more");
    assertThatThrownBy(() -> new CoolingRule(SECOND, PAUSE))
        .hasMessage("ip-cooldown-floor is PT2M10S; expected at most ip-cooldown, which is PT1S");
  }

  @Test
  @DisplayName("A76 The rest of a pause that began before a restart is kept, the oldest first")
  void restOfPause() {
    TestNode node = TestNode.cooling(PAUSE, Duration.ZERO, "10.0.0.0/29");
    node.take("10.0.0.6", "a");
    cool(node, "10.0.0.1", Duration.ofSeconds(10));
    cool(node, "10.0.0.2", Duration.ofSeconds(100));
    cool(node, "10.0.0.3", PAUSE);
    cool(node, "10.0.0.6", Duration.ZERO);
    cool(node, "192.168.0.1", Duration.ZERO);
    assertThat(node.counts("ipv4")).isEqualTo(new AddressCounts(3, 1, 2, 0));
    node.pass(Duration.ofSeconds(30));
    assertThat(node.counts("ipv4")).isEqualTo(new AddressCounts(4, 1, 1, 0));
    for (int i = 0; i < 4; i++) {
      assertThat(node.next("b")).isNotEqualTo("10.0.0.1");
    }
    assertThat(node.next("b")).isEqualTo("10.0.0.1");
  }

  private static void cool(TestNode node, String ip, Duration age) {
    node.ipam.cool(IpAddress.parse(ip), TestNode.DEFAULT, age);
  }

  @Test
  @DisplayName("A77 An address counts as usable once it is older than the floor")
  void usable() {
    TestNode node = TestNode.cooling(PAUSE, Duration.ofSeconds(30), "10.0.0.1/32", "fd00::/120");
    assertThat(node.ipam.unable()).isEmpty();
    node.take("10.0.0.1", "a");
    assertThat(node.ipam.unable().orElseThrow().code()).isEqualTo(AgentError.EXHAUSTED);
    node.release("10.0.0.1");
    node.pass(Duration.ofSeconds(29));
    assertThat(node.ipam.unable().orElseThrow().detail()).contains("IPv4", "1 cooling");
    node.pass(SECOND);
    assertThat(node.ipam.unable()).isEmpty();
  }

  @Test
  @DisplayName("A76 What has paused long enough is free as any other, in the order of addresses")
  void pausesEnd() {
    TestNode full = TestNode.cooling(Duration.ofSeconds(10), Duration.ZERO, "10.0.0.0/29");
    for (int i = 1; i <= 6; i++) {
      full.take("10.0.0." + i, "pod-" + i);
    }
    full.release("10.0.0.3");
    full.release("10.0.0.1");
    full.pass(Duration.ofSeconds(10));
    assertThat(full.next("a")).isEqualTo("10.0.0.1");
    assertThat(full.next("b")).isEqualTo("10.0.0.3");
  }

  @Test
  @DisplayName("A77 The floor counts from the release, whenever that was")
  void floorLater() {
    TestNode one = TestNode.cooling(Duration.ofSeconds(60), Duration.ofSeconds(5), "10.0.0.1/32");
    one.take("10.0.0.1", "a");
    one.pass(Duration.ofSeconds(20));
    one.release("10.0.0.1");
    one.pass(Duration.ofSeconds(4));
    assertThat(one.refusedNext().code()).isEqualTo(AgentError.EXHAUSTED);
    one.pass(Duration.ofSeconds(1));
    assertThat(one.next("b")).isEqualTo("10.0.0.1");
  }
}
