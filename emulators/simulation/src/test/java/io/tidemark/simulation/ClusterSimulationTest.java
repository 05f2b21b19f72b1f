package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.simulation.scenario.Scenario;
import io.tidemark.simulation.scenario.ScenarioGenerator;
import io.tidemark.simulation.scenario.ScenarioYaml;
import io.tidemark.time.VirtualTime;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ClusterSimulationTest {
  private static SimulationReport run(Scenario scenario) {
    return new ClusterSimulation(scenario).run(new VirtualTime(0));
  }

  @Test
  @DisplayName("random clusters in trouble break no invariant")
  void seeds() {
    unbroken(0, 2);
  }

  @Test
  @Tag("long")
  @DisplayName("twelve random clusters in trouble break no invariant")
  void moreSeeds() {
    unbroken(2, 12);
  }

  private static void unbroken(long first, long end) {
    for (long seed = first; seed < end; seed++) {
      SimulationReport report = run(ScenarioGenerator.scenario(seed, 20));
      assertThat(report.violations()).as(SeedRun.replay(seed, 20)).isEmpty();
      assertThat(report.addresses()).isPositive();
    }
  }

  @Test
  @DisplayName("the same seed gives the same report, byte for byte")
  void deterministic() {
    Scenario scenario = ScenarioGenerator.scenario(7, 10);
    assertThat(SimulationReportJson.print(run(scenario)))
        .isEqualTo(SimulationReportJson.print(run(scenario)))
        .contains("\"timeToWatermarkSeconds\"");
  }

  @Test
  @DisplayName("the default scenario brings every node to its watermark")
  void defaultScenario() {
    SimulationReport report = run(ScenarioYaml.defaultScenario().withNodes(10));
    assertThat(report.violations()).isEmpty();
    assertThat(report.nodes()).isEqualTo(10);
    assertThat(report.timeToWatermark().last()).isPositive();
  }
}
