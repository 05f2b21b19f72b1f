package io.tidemark.provider.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spi.InstanceId;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Tokens that a predecessor used")
class CreationsTest {
  private static final InstanceId ID = new InstanceId("i-1");
  private static final Duration HORIZON = Duration.ofSeconds(60);

  private final Creations creations = new Creations();

  private boolean gone(String situation, long seconds) {
    return creations.unseenFor(HORIZON, ID, situation, seconds * 1_000_000_000L);
  }

  @Test
  @DisplayName("are waited for once in a situation, however many they are")
  void onceForAll() {
    assertThat(gone("one interface", 100)).isFalse();
    assertThat(gone("one interface", 159)).isFalse();
    assertThat(gone("one interface", 160)).isTrue();
    assertThat(gone("one interface", 161)).isTrue();
  }

  @Test
  @DisplayName("are waited for anew in another situation, and when the instance was forgotten")
  void anew() {
    assertThat(gone("one interface", 100)).isFalse();
    assertThat(gone("two interfaces", 200)).isFalse();
    assertThat(gone("two interfaces", 260)).isTrue();
    creations.forget(ID);
    assertThat(gone("two interfaces", 261)).isFalse();
  }

  @Test
  @DisplayName("are under way between their begin and their end")
  void underWay() {
    creations.begin("token");
    assertThat(creations.isUnderWay("token")).as("under way after its begin").isTrue();
    assertThat(creations.isUnderWay("other")).as("another token under way").isFalse();
    creations.end("token");
    assertThat(creations.isUnderWay("token")).as("under way after its end").isFalse();
  }

  @Test
  @DisplayName("are counted by instance until it is forgotten")
  void ordinals() {
    creations.used(ID);
    creations.used(ID);
    assertThat(creations.ordinal(ID)).isEqualTo(2);
    assertThat(creations.ordinal(new InstanceId("i-2"))).isZero();
    creations.forget(ID);
    assertThat(creations.ordinal(ID)).isZero();
  }

  @Test
  @DisplayName("whose interface no read shows are gone after the horizon, each by itself")
  void unseenToken() {
    assertThat(unseen("a", 100)).as("first met").isFalse();
    assertThat(unseen("b", 130)).as("another one, first met").isFalse();
    assertThat(unseen("a", 159)).as("within the horizon").isFalse();
    assertThat(unseen("a", 160)).as("after the horizon").isTrue();
    assertThat(unseen("b", 160)).as("the other within its own").isFalse();
    assertThat(unseen("a", 161)).as("met again after it was gone").isFalse();
  }

  private boolean unseen(String token, long seconds) {
    return creations.unseenFor(HORIZON, token, seconds * 1_000_000_000L);
  }
}
