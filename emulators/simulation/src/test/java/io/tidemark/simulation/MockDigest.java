package io.tidemark.simulation;

import io.tidemark.simulation.CrashPoint.Moment;
import io.tidemark.simulation.scenario.ScenarioGenerator;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/**
 * The rows of {@code .ci/digest} on the mock; no test of the build, which judges runs elsewhere.
 */
class MockDigest {
  private static final int CLUSTERS = 500;

  @Test
  void clusters() throws InterruptedException {
    if (RunDigest.wants("mock-clusters")) {
      List<Supplier<ClusterSimulation>> runs = new ArrayList<>();
      for (int i = 0; i < RunDigest.seeds(CLUSTERS); i++) {
        long seed = i;
        runs.add(() -> new ClusterSimulation(ScenarioGenerator.scenario(seed)));
      }
      RunDigest.print("mock-clusters", runs);
    }
  }

  @Test
  void operators() throws InterruptedException {
    if (RunDigest.wants("mock-operators")) {
      List<Supplier<ClusterSimulation>> runs = new ArrayList<>();
      SeveralOperatorsTest.seeds().stream()
          .limit(RunDigest.seeds(Integer.MAX_VALUE))
          .forEach(
              seed -> runs.add(() -> new ClusterSimulation(SeveralOperatorsTest.scenario(seed))));
      RunDigest.print("mock-operators", runs);
    }
  }

  @Test
  void crashes() throws InterruptedException {
    if (RunDigest.wants("mock-crashes")) {
      List<Supplier<ClusterSimulation>> runs = new ArrayList<>();
      for (boolean multiPool : new boolean[] {false, true}) {
        SortedMap<String, Integer> asked =
            CrashPointsTest.simulation(multiPool).runWatched().crashes().occurrences();
        for (String effect : CrashPointsTest.EFFECTS) {
          for (Moment moment : CrashPoint.AROUND_EFFECT) {
            for (int occurrence : CrashStory.chosen(asked.getOrDefault(effect, 0))) {
              CrashPoint point = new CrashPoint(effect, occurrence, moment);
              runs.add(() -> CrashPointsTest.simulation(multiPool).hitting(point));
            }
          }
        }
      }
      RunDigest.print("mock-crashes", runs.subList(0, RunDigest.seeds(runs.size())));
    }
  }
}
