package io.tidemark.provider.azure.ipam;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Which configurations are ghosts (Z18)")
class GhostsTest {
  private final Ghosts ghosts = new Ghosts(Duration.ofSeconds(60));

  private Set<String> among(Set<String> unshown, int seconds) {
    return ghosts.among(unshown, Duration.ofSeconds(seconds).toNanos());
  }

  @Test
  @DisplayName("AZ-N21 what our failed write has left is a ghost at once, all else after a horizon")
  void failed() {
    ghosts.failed(Set.of("a"));
    assertThat(among(Set.of("a", "b"), 0)).containsExactly("a");
    assertThat(among(Set.of("a", "b"), 59)).containsExactly("a");
    assertThat(among(Set.of("a", "b"), 60)).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  @DisplayName("AZ-N21 what was shown after its write had failed has a horizon like all else")
  void failedAndShown() {
    ghosts.failed(Set.of("a"));
    ghosts.shown(Set.of("a"));
    assertThat(among(Set.of("a"), 0)).isEmpty();
    assertThat(among(Set.of("a"), 60)).containsExactly("a");
  }

  @Test
  @DisplayName("AZ-N21 a failed write does not count for a name that was shown before another one")
  void failedAndShownByAnotherWrite() {
    ghosts.failed(Set.of("a"));
    assertThat(among(Set.of(), 0)).isEmpty();
    assertThat(among(Set.of("a"), 1)).isEmpty();
  }

  @Test
  @DisplayName("AZ-N21 the horizon begins anew with each time that a name is shown")
  void shownBetween() {
    assertThat(among(Set.of("a", "b"), 0)).isEmpty();
    ghosts.shown(Set.of("a"));
    assertThat(among(Set.of("a"), 30)).as("b is shown").isEmpty();
    assertThat(among(Set.of("a", "b"), 60)).isEmpty();
    assertThat(among(Set.of("a", "b"), 90)).containsExactly("a");
  }
}
