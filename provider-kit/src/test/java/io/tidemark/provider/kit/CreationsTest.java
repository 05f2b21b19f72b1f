package io.tidemark.provider.kit;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spi.InstanceId;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Creations under way and ended")
class CreationsTest {
  private static final InstanceId ID = new InstanceId("i-1");
  private static final Duration HORIZON = Duration.ofMinutes(1);

  private final VirtualTime time = new VirtualTime(0);
  private final Creations creations = new Creations(time, Duration.ofMinutes(5));

  private boolean gone(String situation) {
    return creations.unseenFor(HORIZON, ID, situation);
  }

  private void pass(long seconds) {
    time.runUntil(time.nanos() + Duration.ofSeconds(seconds).toNanos());
  }

  @Test
  @DisplayName("M6 an interface that a predecessor made is waited for once, whatever its token")
  void onceForAll() {
    assertThat(gone("one interface")).isFalse();
    pass(59);
    assertThat(gone("one interface")).isFalse();
    pass(1);
    assertThat(gone("one interface")).isTrue();
    pass(1);
    assertThat(gone("one interface")).isTrue();
  }

  @Test
  @DisplayName("it is waited for anew in another situation, and when the instance was forgotten")
  void anew() {
    assertThat(gone("one interface")).isFalse();
    pass(100);
    assertThat(gone("two interfaces")).isFalse();
    pass(60);
    assertThat(gone("two interfaces")).isTrue();
    creations.forget(ID);
    assertThat(gone("two interfaces")).isFalse();
  }

  @Test
  @DisplayName("M9 a creation is current until a while after its end")
  void current() {
    creations.begin("token");
    assertThat(creations.isCurrent("token")).as("after its begin").isTrue();
    assertThat(creations.isCurrent("other")).as("another token").isFalse();
    pass(1000);
    assertThat(creations.isCurrent("token")).as("however long it takes").isTrue();
    creations.end("token");
    pass(299);
    assertThat(creations.isCurrent("token")).as("a while after its end").isTrue();
    pass(1);
    assertThat(creations.isCurrent("token")).as("later").isFalse();
  }

  @Test
  @DisplayName("the last end of a token counts")
  void lastEnd() {
    creations.end("token");
    pass(200);
    creations.end("other");
    creations.end("token");
    pass(200);
    creations.end("third");
    assertThat(creations.isCurrent("token")).isTrue();
    pass(100);
    assertThat(creations.isCurrent("token")).isFalse();
  }

  @Test
  @DisplayName("what is abandoned is not current")
  void abandoned() {
    creations.begin("token");
    creations.abandon("token");
    assertThat(creations.isCurrent("token")).isFalse();
  }

  @Test
  @DisplayName("used tokens are counted by instance until it is forgotten")
  void ordinals() {
    creations.used(ID);
    creations.used(ID);
    assertThat(creations.ordinal(ID)).isEqualTo(2);
    assertThat(creations.ordinal(new InstanceId("i-2"))).isZero();
    creations.forget(ID);
    assertThat(creations.ordinal(ID)).isZero();
  }
}
