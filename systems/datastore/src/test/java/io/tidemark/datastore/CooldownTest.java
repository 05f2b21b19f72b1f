package io.tidemark.datastore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The cooldown of a released address")
class CooldownTest {
  private static final Duration MILLI = Duration.ofMillis(1);

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          D33 D36 DI11 While all that is not assigned cools there is no address \
            | addresses 30s; eni 1 7; get a; del a; 29999ms; get b = ALL_COOLING; \
              stats = 1/0/0/1; counters = 1/0/0/0; 2ms; get b = 7
          D34 Without a cooldown an address is free once its release is durable \
            | addresses 0s; eni 1 7; get a; del a; get b = 7
          D37 In a prefix what has cooled comes before what was never assigned \
            | prefixes; eni 1 0/28; get a b; del a; get c = 2; cooled; get d = 0
          D108 When the node can grow no more, the address released longest ago is cut short \
            | addresses; eni 1 7 8; get a b; del b; 1s; del a; 40s; get c = ALL_COOLING; full; \
              get c = 8 cut short at 41; counters = 1/0/0/1; growable; get d = ALL_COOLING
          D108 Only an address of the family that can be assigned at all is cut short \
            | prefixes; eni 1 0/31 2001:db8::/127; full; get6 a b; del a b; get c d; 60s; \
              get e = ALL_ASSIGNED; get6 e = 2001:db8:: cut short at 60; exclude 1; \
              get6 f = EXCLUDED
          D108 An address that is free comes before one that cools \
            | addresses; eni 1 7; get a; del a; full; 60s; add 1 8; get b = 8
          D109 Below the floor an address is never assigned, whatever the node can do \
            | addresses; eni 1 7; get a; del a; full; 29999ms; get b = ALL_COOLING; 1ms; \
              get b = 7 cut short at 30
          D108 DI4 When the write of a cut cooldown fails, the address cools on as before \
            | addresses; eni 1 7; get a; del a; full; 100s; fails; get b = CHECKPOINT_FAILED; \
              stats = 1/0/0/1; growable; 29s; get b = ALL_COOLING; 2s; get b = 7
          """)
  void story(String name, String story) {
    StoreStory.run(story);
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
  @DisplayName("D109 A negative period, one above an hour and a floor above the period are refused")
  void refused() {
    assertThatThrownBy(() -> new CooldownRule(MILLI.negated(), Duration.ZERO))
        .hasMessage("ip-cooldown is PT-0.001S; expected 0 to 1 hour");
    assertThatThrownBy(() -> new CooldownRule(Duration.ofHours(2), Duration.ZERO))
        .hasMessage("ip-cooldown is PT2H; expected 0 to 1 hour");
    assertThatThrownBy(() -> new CooldownRule(MILLI, Duration.ofSeconds(1)))
        .hasMessage("ip-cooldown-floor is PT1S; expected 0 to ip-cooldown, which is PT0.001S");
  }
}
