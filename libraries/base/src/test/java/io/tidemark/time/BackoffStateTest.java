package io.tidemark.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class BackoffStateTest {
  private static final BackoffPolicy OURS = BackoffPolicy.DEFAULT;
  private static final BackoffPolicy REFERENCE = OURS.referenceCompatible();
  private static final long TEN_MINUTES = Duration.ofMinutes(10).toNanos();

  @Test
  @DisplayName("D-14 a success starts the count anew")
  void success() {
    BackoffState twice = BackoffState.NONE.failed(OURS, 1).failed(OURS, 2);
    assertThat(twice.failures()).isEqualTo(2);
    assertThat(twice.succeeded(OURS)).isEqualTo(BackoffState.NONE);
    assertThat(twice.succeeded(OURS).failed(OURS, 3).failures()).isEqualTo(1);
  }

  @Test
  @DisplayName("In the reference-compatible profile a success changes nothing")
  void referenceSuccess() {
    BackoffState twice = BackoffState.NONE.failed(REFERENCE, 1).failed(REFERENCE, 2);
    assertThat(twice.succeeded(REFERENCE)).isEqualTo(twice);
    assertThat(twice.succeeded(REFERENCE).failed(REFERENCE, 3).failures()).isEqualTo(3);
  }

  @Test
  @DisplayName(
      "node-manager 3.1: more than ten minutes after the previous pause the count restarts")
  void forgotten() {
    BackoffState twice = BackoffState.NONE.failed(REFERENCE, 1).failed(REFERENCE, 2);
    assertThat(twice.failed(REFERENCE, 2 + TEN_MINUTES).failures()).isEqualTo(3);
    assertThat(twice.failed(REFERENCE, 3 + TEN_MINUTES).failures()).isEqualTo(1);
  }

  @Test
  @DisplayName("The count does not overflow")
  void saturates() {
    BackoffState most = new BackoffState(Integer.MAX_VALUE, 0);
    assertThat(most.failed(OURS, 1).failures()).isEqualTo(Integer.MAX_VALUE);
  }
}
