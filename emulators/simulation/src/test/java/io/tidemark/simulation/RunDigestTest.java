package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.simulation.ClusterSimulation.Watched;
import io.tidemark.simulation.scenario.ScenarioGenerator;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The digest of a run")
class RunDigestTest {
  private static Watched run(long seed) {
    return new ClusterSimulation(ScenarioGenerator.scenario(seed, 5)).runWatched();
  }

  @Test
  @DisplayName("is the same for the same run, and another one for another run or order")
  void differs() {
    String one = RunDigest.text(run(1));
    String other = RunDigest.text(run(2));
    assertThat(RunDigest.text(run(1))).isEqualTo(one);
    assertThat(RunDigest.hex(List.of(one, other)))
        .hasSize(16)
        .isNotEqualTo(RunDigest.hex(List.of(other, one)))
        .isNotEqualTo(RunDigest.hex(List.of(one, one)));
  }

  @Test
  @DisplayName("holds each object as it is at the end")
  void resources() {
    Watched run = run(1);
    assertThat(run.resources()).hasSameSizeAs(run.end());
    run.resources().values().forEach(each -> assertThat(RunDigest.text(run)).contains(each));
  }
}
