package io.tidemark.spi.inventory;

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
}
