package io.tidemark.kubernetes.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.kubernetes.http.SocketPulse.Step;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Whether a WebSocket is alive")
class SocketPulseTest {
  private final SocketPulse pulse = new SocketPulse(SocketPace.USUAL, 0);
  private long second;

  private static long at(long second) {
    return TimeUnit.SECONDS.toNanos(second);
  }

  private Step look(boolean answers) {
    second++;
    return pulse.look(at(second), answers);
  }

  private void reads() {
    pulse.wants(1, at(second));
  }

  @Test
  @DisplayName("it is asked once it is open, then every ten seconds while nothing is said")
  void calm() {
    reads();
    for (int i = 0; i < 5; i++) {
      assertThat(look(true)).isEqualTo(Step.PING);
      pulse.answered();
      pulse.message(); // what the answer took is asked for again
      reads();
      assertThat(look(true)).isEqualTo(Step.PING);
      pulse.answered();
    }
    SocketPulse silent = new SocketPulse(SocketPace.USUAL, 0);
    silent.wants(1, 0);
    assertThat(silent.look(at(1), true)).isEqualTo(Step.PING);
    silent.answered();
    assertThat(silent.look(at(2), true)).isEqualTo(Step.PING);
  }

  @Test
  @DisplayName(
      "a message is followed by a ping; one without an answer is repeated, then it is the end")
  void dead() {
    reads();
    assertThat(look(true)).isEqualTo(Step.PING);
    pulse.message();
    reads();
    for (int i = 0; i < 6; i++) {
      assertThat(look(true)).isEqualTo(Step.PING);
    }
    assertThat(look(true)).isEqualTo(Step.END);
  }

  @Test
  @DisplayName("nothing is expected of a server that has never answered a ping")
  void neverAnswers() {
    reads();
    for (int i = 0; i < 100; i++) {
      assertThat(look(false)).isEqualTo(Step.PING);
    }
  }

  @Test
  @DisplayName("while the listener is busy the socket is not read, and that time does not count")
  void busy() {
    reads();
    assertThat(look(true)).isEqualTo(Step.PING);
    pulse.message();
    for (int i = 0; i < 100; i++) {
      assertThat(look(true)).isEqualTo(Step.NOTHING);
    }
    reads();
    for (int i = 0; i < 6; i++) {
      assertThat(look(true)).isEqualTo(Step.PING);
    }
    assertThat(look(true)).isEqualTo(Step.END);
  }
}
