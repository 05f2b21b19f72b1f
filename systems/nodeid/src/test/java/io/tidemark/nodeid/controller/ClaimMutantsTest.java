package io.tidemark.nodeid.controller;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testing.PlantedBug;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("Bugs planted in the decisions about node ids")
class ClaimMutantsTest {
  private static final int SEEDS = 200;

  /** A violation that was found by judging, not by something that broke. */
  private static final Pattern JUDGED =
      Pattern.compile("\\[(Q[0-9]|NI-[0-9]+)\\] .*", Pattern.DOTALL);

  private static final List<PlantedBug> BUGS =
      PlantedBug.all(
          Objects.requireNonNull(ClaimMutantsTest.class.getResourceAsStream("mutants.txt")));

  /** The code without them passes the same seeds in {@link ClaimScenarioTest}. */
  @Test
  @Tag("any-jdk")
  @Tag("long")
  @DisplayName("NI-34 are all found by random clusters within 200 seeds")
  void found() {
    assertThat(BUGS).hasSizeGreaterThanOrEqualTo(12);
    List<String> survivors = PlantedBug.survivors(BUGS, ClaimScenario.Probe.class, JUDGED, SEEDS);
    assertThat(survivors).as("bugs that were not found in %s seeds", SEEDS).isEmpty();
  }
}
