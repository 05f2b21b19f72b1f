package io.tidemark.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.kubernetes.WatchAge.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The age of a watch")
class WatchAgeTest {
  private static final long LOOK = WatchPace.USUAL.look().toSeconds();

  private final WatchAge age = new WatchAge(WatchPace.USUAL, 0);
  private final List<String> steps = new ArrayList<>();
  private long second;

  /** Looks until {@code end}; the server says something every so many seconds, or never for 0. */
  private void until(long end, boolean open, long every) {
    for (; second < end; second += LOOK) {
      if (every > 0 && second % every == 0) {
        age.heard(TimeUnit.SECONDS.toNanos(second));
      }
      Step step = age.look(TimeUnit.SECONDS.toNanos(second), open);
      if (step != Step.NOTHING) {
        steps.add(second + " " + step);
      }
    }
  }

  @Test
  @DisplayName(
      "in a quiet cluster, whose server tells its version once a minute, all is listed every ten"
          + " minutes, and nothing else happens")
  void quiet() {
    until(1_900, true, 60);
    assertThat(steps).containsExactly("605 LIST", "1210 LIST", "1815 LIST");
  }

  @Test
  @DisplayName("ten minutes after a list that came for another reason all is listed again")
  void listed() {
    until(500, true, 60);
    age.listed(TimeUnit.SECONDS.toNanos(second));
    until(1_200, true, 60);
    assertThat(steps).containsExactly("1105 LIST");
  }

  @Test
  @DisplayName("a server that tells no versions has its watch opened again, and that is no problem")
  void withoutBookmarks() {
    until(600, true, 0);
    assertThat(steps).containsExactly("135 RENEW", "290 RENEW", "445 RENEW");
    assertThat(age.isLate()).isFalse();
  }

  @Test
  @DisplayName("a watch that was ended and does not come back is late, until it does")
  void closed() {
    until(135, true, 0);
    until(140, true, 0);
    assertThat(steps).containsExactly("135 RENEW");
    until(300, false, 0);
    assertThat(steps).containsExactly("135 RENEW", "175 LATE");
    assertThat(age.isLate()).isTrue();
    until(310, true, 0);
    assertThat(steps).containsExactly("135 RENEW", "175 LATE", "300 IN_TIME");
  }

  @Test
  @DisplayName(
      "a watch that the server ends and takes again at once, as it does now and then, is not late")
  void reopened() {
    for (int i = 0; i < 100; i++) {
      until(second + 60, true, 60);
      until(second + LOOK, false, 0);
      age.listed(TimeUnit.SECONDS.toNanos(second));
    }
    assertThat(steps).isEmpty();
  }

  @Test
  @DisplayName("a watch that is cut again and again, and heard of in between, is not late")
  void heardBetween() {
    until(60, true, 60);
    until(600, false, 20);
    assertThat(steps).isEmpty();
  }

  @Test
  @DisplayName("a watch that was never open has no age")
  void never() {
    until(3_600, false, 0);
    assertThat(steps).isEmpty();
    assertThat(age.isKnown()).isFalse();
  }
}
