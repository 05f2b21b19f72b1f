package io.tidemark.datastore.cloud;

import static io.tidemark.datastore.cloud.TestLoop.MINUTE;
import static io.tidemark.datastore.cloud.TestLoop.SECOND;
import static io.tidemark.datastore.cloud.TestLoop.targets;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.PoolView.EniView;
import io.tidemark.datastore.cloud.CloudAnswer.Reason;
import io.tidemark.ip.IpFamily;
import io.tidemark.time.EffectFate;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

@DisplayName("A node that asks the cloud for more")
class PoolGrowthTest {
  private static TestLoop ofIpv6() {
    TestLoop node = new TestLoop(CidrKind.PREFIX, targets(1, 1), 3, 2);
    node.family = IpFamily.IPV6;
    return node.restarted();
  }

  @Test
  @DisplayName("A node of an unknown type of instance gets its IPv6 prefix all the same")
  void unknownType() {
    TestLoop node = ofIpv6();
    node.limitsKnown = false;
    node.started().pass(SECOND);
    assertThat(node.add("a")).isEqualTo("2001:db8::");
    assertThat(node.calls("assign")).containsExactly("assign eni-0 1");
  }

  @Test
  @DisplayName(
      "D122 An IPv6 prefix whose answer was lost is found by a read, also by one that lags")
  void lostIpv6() {
    TestLoop node = ofIpv6();
    node.fate("assign", EffectFate.answerLost(Duration.ofMillis(5)));
    node.started().pass(SECOND);
    node.shown = enis -> node.cloud.before(Duration.ofSeconds(29));
    node.pass(MINUTE.multipliedBy(3));
    assertThat(node.calls("assign")).containsExactly("assign eni-0 1");
    assertThat(node.cloud.cidrs()).hasSize(1).isEqualTo(node.inStore());
    assertThat(node.add("a")).isEqualTo("2001:db8::");
  }

  @Test
  @DisplayName("D122 An IPv6 prefix whose request was lost is asked for again after a late read")
  void notArrivedIpv6() {
    TestLoop node = ofIpv6();
    node.fate("assign", EffectFate.requestLost());
    node.started().pass(Duration.ofSeconds(45));
    assertThat(node.calls("assign")).hasSize(1);
    node.pass(MINUTE);
    assertThat(node.calls("assign")).hasSize(2);
    assertThat(node.inStore()).hasSize(1);
  }

  @Test
  @DisplayName(
      "D45 Of several IPv6 prefixes the first is used, all are kept, and a pod keeps its own")
  void severalIpv6() {
    TestLoop node = ofIpv6();
    for (int i = 0; i < 2; i++) {
      node.cloud.assign("eni-0", IpFamily.IPV6, CidrKind.PREFIX, 1);
    }
    node.started().pass(MINUTE);
    assertThat(node.add("a")).isEqualTo("2001:db8::");
    assertThat(node.add("b")).isEqualTo("2001:db8::1");
    TestLoop next = node.restarted().started();
    next.pass(MINUTE.multipliedBy(10));
    assertThat(next.add("b")).isEqualTo("2001:db8::1");
    assertThat(next.add("c")).isEqualTo("2001:db8::2");
    assertThat(next.calls("unassign")).isEmpty();
    assertThat(next.calls("assign")).isEmpty();
    assertThat(next.cloud.cidrs()).hasSize(2);
  }

  @Test
  @DisplayName("D97 When the subnet is full nothing more is asked for in the next 120 s")
  void subnetFull() {
    TestLoop node = TestLoop.addresses(2, 0);
    node.refusals.add(Reason.SUBNET_FULL);
    node.started().pass(Duration.ofSeconds(119));
    assertThat(node.calls("assign")).hasSize(1);
    node.add("a");
    node.pass(Duration.ofSeconds(7));
    assertThat(node.calls("assign"))
        .as("it may have fewer than are short")
        .containsExactly("assign eni-0 2", "assign eni-0 1", "assign eni-0 1");
    assertThat(node.inStore()).hasSize(2);
  }

  @ParameterizedTest(name = "D97 {0} is no full subnet")
  @EnumSource(mode = Mode.EXCLUDE, names = "SUBNET_FULL")
  void otherRefusals(Reason reason) {
    TestLoop node = TestLoop.addresses(1, 0);
    node.refusals.add(reason);
    node.started().pass(Duration.ofSeconds(10));
    assertThat(node.inStore()).hasSize(1);
  }

  @Test
  @DisplayName("D97 A cloud that goes on refusing is asked less and less often, up to 120 s")
  void refusing() {
    TestLoop node = TestLoop.addresses(1, 0);
    for (int i = 0; i < 1_000; i++) {
      node.refusals.add(Reason.OTHER);
    }
    node.started().pass(Duration.ofHours(1));
    assertThat(node.calls("assign")).hasSizeBetween(30, 90);
    assertThat(node.loop.status().orElseThrow().problem()).contains("refused: OTHER");
    node.refusals.clear();
    node.pass(Duration.ofSeconds(126));
    assertThat(node.inStore()).hasSize(1);
    assertThat(node.loop.status().orElseThrow().problem()).isEmpty();
  }

  @Test
  @DisplayName("D98 When many at once are refused one is asked for")
  void bulk() {
    TestLoop node = TestLoop.addresses(5, 0);
    node.refusals.add(Reason.OTHER);
    node.started().pass(SECOND);
    assertThat(node.calls("assign")).startsWith("assign eni-0 5", "assign eni-0 1");
    node.pass(MINUTE);
    assertThat(node.inStore()).hasSize(5);
    TestLoop another = new TestLoop(CidrKind.SECONDARY, targets(9, 0), 5, 2);
    another.fate("create", EffectFate.answered(Duration.ZERO, Duration.ZERO));
    another.started().pass(SECOND);
    another.refusals.add(Reason.OTHER);
    another.pass(MINUTE);
    assertThat(another.inStore()).hasSize(9);
  }

  @Test
  @DisplayName("D122 While the cloud limits requests it is asked no more often, and cooldowns hold")
  void unavailable() {
    TestLoop node = TestLoop.addresses(5, 0);
    node.refusals.add(Reason.UNAVAILABLE);
    node.started().pass(Duration.ofMillis(900));
    assertThat(node.calls("assign")).containsExactly("assign eni-0 5");
    assertThat(node.loop.status().orElseThrow().canGrow()).as("no address cools for less").isTrue();
    node.pass(MINUTE);
    assertThat(node.calls("assign")).containsExactly("assign eni-0 5", "assign eni-0 5");
    assertThat(node.inStore()).hasSize(5);
  }

  @Test
  @DisplayName("D98 An interface that is full is no failure: what it has is read and taken up")
  void limit() {
    TestLoop node = TestLoop.addresses(2, 10).started();
    node.cloud.addByOthers(FakeCloud.PRIMARY, CidrKind.SECONDARY, 10);
    node.pass(Duration.ofSeconds(10));
    assertThat(node.calls("assign")).hasSize(1);
    assertThat(node.calls("read")).hasSize(2);
    assertThat(node.inStore()).hasSize(10);
    assertThat(node.calls("create")).isEmpty();
  }

  @Test
  @DisplayName("D122 After a lost answer the cloud is read, and what it gave is taken up")
  void answerLost() {
    TestLoop node = TestLoop.addresses(3, 0);
    node.fate("assign", EffectFate.answerLost(Duration.ofMillis(5)));
    node.started().pass(Duration.ofSeconds(29));
    assertThat(node.calls("assign")).hasSize(1);
    assertThat(node.calls("read")).hasSize(2);
    assertThat(node.inStore()).hasSize(3).isEqualTo(node.cloud.cidrs());
  }

  @Test
  @DisplayName("D122 A request that never arrived is repeated after the read")
  void requestLost() {
    TestLoop node = TestLoop.addresses(3, 0);
    node.fate("assign", EffectFate.requestLost());
    node.started().pass(Duration.ofSeconds(29));
    assertThat(node.client.calls)
        .containsExactly("read", "assign eni-0 3", "read", "assign eni-0 3");
    assertThat(node.inStore()).hasSize(3);
  }

  @Test
  @DisplayName("D122 While the cloud cannot be read after a lost answer nothing is asked for")
  void unreadable() {
    TestLoop node = TestLoop.addresses(3, 0);
    node.fate("assign", EffectFate.requestLost());
    node.started().readsFail = true;
    node.pass(MINUTE.multipliedBy(10));
    assertThat(node.calls("assign")).hasSize(1);
    node.readsFail = false;
    node.pass(MINUTE.multipliedBy(2));
    assertThat(node.inStore()).hasSize(3);
  }

  @Test
  @DisplayName("D103 With a minimum alone the node grows when a pod waits")
  void minimumAlone() {
    TestLoop node = TestLoop.addresses(0, 2).started();
    node.pass(MINUTE);
    node.add("a");
    node.add("b");
    node.pass(MINUTE);
    assertThat(node.inStore()).hasSize(2);
    assertThat(node.add("c")).isEqualTo("ALL_ASSIGNED");
    node.pass(SECOND);
    assertThat(node.add("c")).startsWith("10.0.0.");
    node.pass(MINUTE);
    assertThat(node.inStore()).hasSize(3);
  }

  @Test
  @DisplayName("D104 A node whose addresses all cool grows at once")
  void cooling() {
    TestLoop node = TestLoop.addresses(0, 2).started();
    node.pass(MINUTE);
    node.add("a");
    node.add("b");
    node.del("a");
    node.del("b");
    assertThat(node.add("c")).isEqualTo("ALL_COOLING");
    node.pass(SECOND);
    assertThat(node.add("c")).startsWith("10.0.0.");
  }

  @Test
  @DisplayName("D108 An address that cools is assigned only while the node can get no others")
  void cutShort() {
    TestLoop node = TestLoop.addresses(0, 1);
    node.cloud.subnetRoom = 1;
    node.started().pass(MINUTE);
    node.add("a");
    node.del("a");
    node.pass(Duration.ofSeconds(40));
    assertThat(node.add("b")).isEqualTo("ALL_COOLING");
    node.pass(SECOND);
    assertThat(node.loop.status().orElseThrow().canGrow()).isFalse();
    String cut = node.add("b");
    assertThat(cut).isEqualTo("10.0.0.4");
    node.del("b");
    node.cloud.subnetRoom = 5;
    node.pass(Duration.ofSeconds(125));
    assertThat(node.add("c")).isEqualTo("ALL_COOLING");
    node.pass(SECOND);
    assertThat(node.add("c")).isEqualTo("10.0.0.5");
  }

  @Test
  @DisplayName("D108 A node that has as many addresses as it can have pods cannot grow")
  void maxPods() {
    TestLoop made = TestLoop.addresses(0, 1);
    made.maxPods = 1;
    TestLoop node = made.restarted().started();
    node.pass(MINUTE);
    node.add("a");
    node.del("a");
    node.pass(Duration.ofSeconds(40));
    assertThat(node.add("b")).isEqualTo("10.0.0.4");
    assertThat(node.calls("assign")).hasSize(1);
  }

  @Test
  @DisplayName("D96 Interfaces of others take a place, and nothing else")
  void unmanaged() {
    TestLoop node = new TestLoop(CidrKind.SECONDARY, targets(9, 0), 3, 3);
    String other = node.cloud.attachByOthers(false);
    node.cloud.addByOthers(other, CidrKind.SECONDARY, 2);
    node.started().pass(MINUTE);
    assertThat(node.view().enis())
        .extracting(EniView::spec)
        .extracting(spec -> spec.id() + " " + spec.deviceNumber())
        .isEqualTo(List.of("eni-0 0", "eni-2 2"));
    assertThat(node.calls("create")).hasSize(1);
    assertThat(node.loop.status().orElseThrow().canGrow()).isFalse();
  }
}
