package io.tidemark.provider.aws.simulation;

import io.tidemark.simulation.ClusterSimulation;
import io.tidemark.simulation.CrashPoint;
import io.tidemark.simulation.CrashPoint.Moment;
import io.tidemark.simulation.CrashStory;
import io.tidemark.simulation.RunDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** The rows of {@code .ci/digest} on AWS; no test of the build, which judges runs elsewhere. */
class AwsDigest {
  private static final int CLUSTERS = 200;

  @Test
  void clusters() throws InterruptedException {
    if (RunDigest.wants("aws-clusters")) {
      List<Supplier<ClusterSimulation>> runs = new ArrayList<>();
      for (int i = 0; i < RunDigest.seeds(CLUSTERS); i++) {
        long seed = i;
        runs.add(() -> AwsSeedsTest.simulation(seed));
      }
      RunDigest.print("aws-clusters", runs);
    }
  }

  @Test
  void operators() throws InterruptedException {
    if (RunDigest.wants("aws-operators")) {
      List<Supplier<ClusterSimulation>> runs = new ArrayList<>();
      for (int index = 0; index < 2; index++) {
        for (boolean release : new boolean[] {false, true}) {
          for (boolean second : new boolean[] {false, true}) {
            int first = index;
            runs.add(
                () ->
                    TwoOperatorsTest.cluster(TwoOperatorsTest.MANY, first, release)
                        .simulation(second));
          }
        }
      }
      RunDigest.print("aws-operators", runs);
    }
  }

  @Test
  void crashes() throws InterruptedException {
    if (RunDigest.wants("aws-crashes")) {
      List<Supplier<ClusterSimulation>> runs = new ArrayList<>();
      for (AwsCrashPointsTest.Story story : AwsCrashPointsTest.Story.values()) {
        SortedMap<String, Integer> asked = story.simulation().runWatched().crashes().occurrences();
        for (String effect : AwsCrashPointsTest.EFFECTS) {
          for (int occurrence : CrashStory.chosen(asked.getOrDefault(effect, 0))) {
            for (Moment moment : CrashPoint.AROUND_EFFECT) {
              CrashPoint point = new CrashPoint(effect, occurrence, moment);
              runs.add(() -> story.simulation().hitting(point));
            }
          }
        }
      }
      RunDigest.print("aws-crashes", runs.subList(0, RunDigest.seeds(runs.size())));
    }
  }
}
