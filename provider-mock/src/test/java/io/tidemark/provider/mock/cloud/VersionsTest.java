package io.tidemark.provider.mock.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

@DisplayName("The recent past of a value")
class VersionsTest {
  @RepeatedTest(50)
  @DisplayName("is what it was, as far back as it must be remembered")
  void recentPast(RepetitionInfo run) {
    SplittableRandom random = new SplittableRandom(run.getCurrentRepetition());
    long keep = 1 + random.nextLong(100);
    long now = random.nextLong(-1000, 1000);
    TreeMap<Long, Integer> truth = new TreeMap<>();
    Versions<Integer> versions = new Versions<>(0, now);
    truth.put(now, 0);
    for (int value = 1; value < 200; value++) {
      now += random.nextLong(20);
      versions.set(value, now, keep);
      truth.put(now, value);
      long back = random.nextLong(keep + 1);
      var expected = truth.floorEntry(now - back);
      assertThat(versions.at(now - back))
          .as("seed %d, %d back of %d", run.getCurrentRepetition(), back, keep)
          .isEqualTo(expected == null ? null : expected.getValue());
    }
  }
}
