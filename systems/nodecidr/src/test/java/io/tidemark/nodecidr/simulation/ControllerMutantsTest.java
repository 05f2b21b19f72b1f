package io.tidemark.nodecidr.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testing.PlantedBug;
import java.util.List;
import java.util.Objects;
import java.util.function.LongFunction;
import java.util.regex.Pattern;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The code without the bugs passes the same seeds in {@link RandomClusterTest}. */
@Tag("any-jdk")
@Tag("long")
@DisplayName("Bugs planted in the controller of node CIDRs")
class ControllerMutantsTest {
  private static final int SEEDS = 300;

  /** A violation that was found by judging, not by something that broke. */
  private static final Pattern JUDGED = Pattern.compile("\\[([A-Z]+[0-9]+) .*", Pattern.DOTALL);

  @Test
  @DisplayName("are all found by random clusters within 300 seeds")
  void found() {
    allFound("mutants.txt", ClusterSequence.Probe.class);
  }

  @Test
  @DisplayName("NC-K9 those of cluster-pool by random clusters of CiliumNodes")
  void foundInPools() {
    allFound("pool-mutants.txt", ClusterSequence.PoolProbe.class);
  }

  @Test
  @DisplayName("NC-K10 those of the modes of a cloud by random clusters beside one")
  void foundBesideCloud() {
    allFound("cloud-mutants.txt", ClusterSequence.CloudProbe.class);
  }

  private static void allFound(String file, Class<? extends LongFunction<String>> probe) {
    List<PlantedBug> bugs =
        PlantedBug.all(
            Objects.requireNonNull(ControllerMutantsTest.class.getResourceAsStream(file)));
    assertThat(bugs).hasSizeGreaterThanOrEqualTo(15);
    List<String> survivors = PlantedBug.survivors(bugs, probe, JUDGED, SEEDS);
    assertThat(survivors).as("bugs that were not found in %s seeds", SEEDS).isEmpty();
  }
}
