package io.tidemark.resilience;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.error.CloudError;
import java.util.Arrays;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A failure of a request")
class FailureTest {
  @Test
  @DisplayName("has a published code of its own for each kind")
  void codes() {
    assertThat(Arrays.stream(Failure.Kind.values()).map(kind -> Failure.of(kind, "", "").code()))
        .containsExactlyInAnyOrder(CloudError.values());
  }

  @Test
  @DisplayName("is told in one line: code, condition, detail")
  void text() {
    assertThat(Failure.of(Failure.Kind.THROTTLED, "requestLimit", "slow down").toText())
        .isEqualTo("TM-2001 CALL_THROTTLED requestLimit: slow down");
  }
}
