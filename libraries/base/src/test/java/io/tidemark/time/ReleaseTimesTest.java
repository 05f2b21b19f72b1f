package io.tidemark.time;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ReleaseTimesTest {
  @Test
  @DisplayName("The last release of each item is kept, and its age is never negative")
  void last() {
    ReleaseTimes times = new ReleaseTimes(3);
    assertThat(times.at(2)).isEqualTo(ReleaseTimes.NEVER);
    times.put(1, 7);
    times.put(1, -5);
    assertThat(times.at(1)).isEqualTo(-5);
    assertThat(times.at(2)).isEqualTo(ReleaseTimes.NEVER);
    assertThat(ReleaseTimes.age(times.at(1), 10)).isEqualTo(15);
    assertThat(ReleaseTimes.age(times.at(1), -9)).isZero();
    assertThat(ReleaseTimes.age(times.at(0), 10)).isEqualTo(-1);
  }
}
