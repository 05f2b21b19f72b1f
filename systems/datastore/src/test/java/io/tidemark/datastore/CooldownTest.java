package io.tidemark.datastore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.file.CrashingFiles.Fault;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The cooldown of a released address")
class CooldownTest {
  private static final Duration MILLI = Duration.ofMillis(1);

  private static TestStore one(CooldownRule rule) {
    return TestStore.of(CidrKind.SECONDARY, rule).with("eni-1", 1, "10.0.0.7");
  }

  /** Assigned and released just now. */
  private static TestStore released(CooldownRule rule) {
    TestStore node = one(rule);
    node.assign("a");
    node.release("a");
    return node;
  }

  @ParameterizedTest(name = "D33 D107 An address cools up to and including second {0}")
  @ValueSource(ints = {1, 30, 130})
  void boundary(int seconds) {
    Duration period = Duration.ofSeconds(seconds);
    StorePool pool = new StorePool(CidrKind.SECONDARY, new CooldownRule(period, Duration.ZERO));
    assertThat(new CooldownRule(period, period).cools(period.toNanos())).isTrue();
    assertThat(new CooldownRule(period, period).cools(period.toNanos() + 1)).isFalse();
    EniState eni = pool.blocks.addEni(TestStore.eni("eni-1", 1), 0);
    CidrState block = pool.addCidr(eni, TestStore.cidr("10.0.0.7"), CidrKind.SECONDARY, 0);
    pool.cool(block.cidr.first(), 0, 0);
    assertThat(pool.next(block.cidr.family(), period.toNanos())).isEmpty();
    assertThat(pool.next(block.cidr.family(), period.toNanos() + 1)).isPresent();
  }

  @Test
  @DisplayName("D33 D36 DI11 While all that is not assigned cools there is no address")
  void allCooling() {
    TestStore node = released(CooldownRule.UPSTREAM);
    node.pass(Duration.ofSeconds(30).minus(MILLI));
    assertThat(node.none("b")).isEqualTo(AssignOutcome.Reason.ALL_COOLING);
    assertThat(node.stats().available()).isEqualTo(1);
    assertThat(node.stats().usable()).isZero();
    assertThat(node.store.counters().noAddress()).isEqualTo(1);
    node.pass(MILLI.plus(MILLI));
    assertThat(node.ip("b")).isEqualTo("10.0.0.7");
  }

  @Test
  @DisplayName(
      "D33 D110 The file notes a release up to and including the last instant of its cooldown")
  void noted() {
    TestStore node = TestStore.addresses().with("eni-1", 1, "10.0.0.7", "10.0.0.8");
    node.assign("a");
    long released = node.time.nanos();
    node.release("a");
    node.time.runUntil(released + node.cooldown.period().minusMillis(5).toNanos());
    node.assign("b");
    assertThat(node.time.nanos()).isEqualTo(released + node.cooldown.period().toNanos());
    assertThat(node.inFile().extension().orElseThrow().cooldown()).hasSize(1);
    node.release("b");
    assertThat(node.inFile().extension().orElseThrow().cooldown())
        .extracting(each -> each.ip().toString())
        .containsExactly("10.0.0.8");
  }

  @Test
  @DisplayName("D34 Without a cooldown an address is free once its release is durable")
  void off() {
    TestStore node = released(new CooldownRule(Duration.ZERO, Duration.ZERO));
    assertThat(node.ip("b")).isEqualTo("10.0.0.7");
  }

  @Test
  @DisplayName("D109 A negative period, one above an hour and a floor above the period are refused")
  void refused() {
    assertThatThrownBy(() -> new CooldownRule(MILLI.negated(), Duration.ZERO))
        .hasMessage("ip-cooldown is PT-0.001S; expected 0 to 1 hour");
    assertThatThrownBy(() -> new CooldownRule(Duration.ofHours(2), Duration.ZERO))
        .hasMessage("ip-cooldown is PT2H; expected 0 to 1 hour");
    assertThatThrownBy(() -> new CooldownRule(MILLI, Duration.ofSeconds(1)))
        .hasMessage("ip-cooldown-floor is PT1S; expected 0 to ip-cooldown, which is PT0.001S");
  }

  @Test
  @DisplayName("D37 In a prefix what has cooled comes before what was never assigned")
  void prefix() {
    TestStore node = TestStore.prefixes().with("eni-1", 1, "10.0.0.0/28");
    node.assign("a");
    node.assign("b");
    node.release("a");
    assertThat(node.ip("c")).isEqualTo("10.0.0.2");
    node.passCooldown();
    assertThat(node.ip("d")).isEqualTo("10.0.0.0");
  }

  @Test
  @DisplayName("D108 When the node can grow no more, the address released longest ago is cut short")
  void cutShort() {
    TestStore node =
        TestStore.of(CidrKind.SECONDARY, CooldownRule.DEFAULT)
            .with("eni-1", 1, "10.0.0.7", "10.0.0.8");
    node.assign("a");
    node.assign("b");
    node.release("b");
    node.pass(Duration.ofSeconds(1));
    node.release("a");
    node.pass(Duration.ofSeconds(40));
    assertThat(node.none("c")).isEqualTo(AssignOutcome.Reason.ALL_COOLING);
    node.store.growable(false);
    AssignOutcome.Granted granted = TestStore.granted(node.assigning("c"));
    assertThat(granted.assignment().address()).hasToString("10.0.0.8");
    assertThat(granted.cutShortAfter().map(Duration::toSeconds)).contains(41L);
    assertThat(node.store.counters().cutShort()).isEqualTo(1);
    node.store.growable(true);
    assertThat(node.none("d")).isEqualTo(AssignOutcome.Reason.ALL_COOLING);
  }

  @Test
  @DisplayName("D108 Only an address of the family that can be assigned at all is cut short")
  void notCutShort() {
    TestStore node = TestStore.prefixes().with("eni-1", 1, "10.0.0.0/31", "2001:db8::/127");
    node.store.growable(false);
    for (String pod : List.of("a", "b")) {
      node.assign6(pod);
    }
    for (String pod : List.of("a", "b")) {
      node.release(pod);
    }
    node.assign("c");
    node.assign("d");
    node.pass(Duration.ofSeconds(60));
    assertThat(node.none("e")).isEqualTo(AssignOutcome.Reason.ALL_ASSIGNED);
    assertThat(node.assign6("e").address()).hasToString("2001:db8::");
    assertThat(node.store.exclude("eni-1", true)).isEmpty();
    assertThat(node.assigning6("f")).isInstanceOf(AssignOutcome.NoAddress.class);
  }

  @Test
  @DisplayName("D108 An address that is free comes before one that cools")
  void freeFirst() {
    TestStore node = released(CooldownRule.DEFAULT);
    node.store.growable(false);
    node.pass(Duration.ofSeconds(60));
    assertThat(node.add("eni-1", "10.0.0.8")).isEmpty();
    AssignOutcome.Granted granted = TestStore.granted(node.assigning("b"));
    assertThat(granted.assignment().address()).hasToString("10.0.0.8");
    assertThat(granted.cutShortAfter()).isEmpty();
  }

  @Test
  @DisplayName("D109 Below the floor an address is never assigned, whatever the node can do")
  void floor() {
    TestStore node = released(CooldownRule.DEFAULT);
    node.store.growable(false);
    node.pass(Duration.ofSeconds(30).minus(MILLI));
    assertThat(node.none("b")).isEqualTo(AssignOutcome.Reason.ALL_COOLING);
    node.pass(MILLI);
    assertThat(node.ip("b")).isEqualTo("10.0.0.7");
  }

  @Test
  @DisplayName("D108 DI4 When the write of a cut cooldown fails, the address cools on as before")
  void cutShortUndone() {
    TestStore node = released(CooldownRule.DEFAULT);
    node.store.growable(false);
    node.pass(Duration.ofSeconds(100));
    node.files.fault(node.files.changes().size(), Fault.FAILS, 0);
    assertThat(node.assigning("b")).isInstanceOf(AssignOutcome.Refused.class);
    assertThat(node.stats()).isEqualTo(new DatastoreStats(1, 0, 0, 1));
    node.store.growable(true);
    node.pass(Duration.ofSeconds(29));
    assertThat(node.none("b")).isEqualTo(AssignOutcome.Reason.ALL_COOLING);
    node.pass(Duration.ofSeconds(2));
    AssignOutcome.Granted granted = TestStore.granted(node.assigning("b"));
    assertThat(granted.cutShortAfter()).isEqualTo(Optional.empty());
  }
}
