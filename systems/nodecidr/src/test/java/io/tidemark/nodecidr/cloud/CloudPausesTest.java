package io.tidemark.nodecidr.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.nodecidr.CidrAllocatorType;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The pauses between passes over a node and its instance")
class CloudPausesTest {
  @Test
  @DisplayName("NC-36 NC-39 grow with failures to 15 s, never to more and never below the first")
  void grow() {
    for (long seed = 0; seed < 100; seed++) {
      CloudPauses pauses = new CloudPauses(CidrAllocatorType.CLOUD_ALLOCATOR, new Random(seed));
      assertThat(pauses.next()).isEmpty();
      long bound = 500;
      for (int failure = 1; failure <= 20; failure++) {
        pauses.update(false);
        assertThat(pauses.next().orElseThrow())
            .isBetween(Duration.ofMillis(250), Duration.ofMillis(Math.min(bound, 15_000)));
        bound *= 2;
      }
    }
  }

  @Test
  @DisplayName("NC-38 NC-B15 after twenty failures are five minutes, as often as it takes")
  void parked() {
    CloudPauses pauses = new CloudPauses(CidrAllocatorType.CLOUD_ALLOCATOR, new Random(1));
    for (int failure = 1; failure <= 20; failure++) {
      pauses.update(false);
      assertThat(pauses.failures()).isEqualTo(failure);
    }
    for (int more = 0; more < 100; more++) {
      pauses.update(false);
      assertThat(pauses.next()).contains(Duration.ofMinutes(5));
    }
    pauses.update(true);
    assertThat(pauses.failures()).isZero();
    assertThat(pauses.next()).isEmpty();
  }

  @Test
  @DisplayName("NC-57 of the modes that synchronize are 30 s, and after failures 0.25 s to 10 s")
  void sync() {
    CloudPauses pauses = new CloudPauses(CidrAllocatorType.IPAM_FROM_CLOUD, new Random(1));
    List<Long> millis = new ArrayList<>();
    for (boolean ok :
        List.of(true, false, false, false, false, false, false, false, true, true, false)) {
      pauses.update(ok);
      millis.add(pauses.next().orElseThrow().toMillis());
    }
    assertThat(millis)
        .containsExactly(
            30_000L, 250L, 500L, 1_000L, 2_000L, 4_000L, 8_000L, 10_000L, 30_000L, 30_000L, 250L);
  }
}
