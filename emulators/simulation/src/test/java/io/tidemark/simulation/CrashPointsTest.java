package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.simulation.CrashPoint.Moment;
import io.tidemark.simulation.cloud.CloudTemper;
import io.tidemark.simulation.cloud.MockSimulatedCloud;
import io.tidemark.simulation.cloud.SimulatedCloud;
import io.tidemark.simulation.cloud.SimulatedCloud.CloudOperationInfo;
import io.tidemark.simulation.scenario.Scenario;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeSet;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Crash points")
@Tag("long")
class CrashPointsTest {
  /** Every effect that the mock provider has on the world, by the name of its request. */
  static final List<String> EFFECTS =
      List.of(
          "CreateNetworkInterface",
          "AttachNetworkInterface",
          "AssignPrivateIpAddresses",
          "UnassignPrivateIpAddresses",
          "DeleteNetworkInterface",
          "updateStatus",
          "update");

  /** Operations of the cloud that no part of the provider asks for. */
  private static final List<String> UNUSED = List.of("AddAliasRange");

  @ParameterizedTest(name = "multi-pool agents: {0}")
  @ValueSource(booleans = {false, true})
  @DisplayName("of all 7 effects, before, after, answer lost, leave nothing broken at rest")
  void everyPoint(boolean multiPool) {
    SortedMap<String, Integer> asked = simulation(multiPool).runWatched().crashes().occurrences();
    assertThat(asked.keySet()).containsAll(EFFECTS);
    int kinds = 0;
    int points = 0;
    List<String> broken = new ArrayList<>();
    for (String effect : EFFECTS) {
      for (Moment moment : CrashPoint.AROUND_EFFECT) {
        kinds++;
        for (int occurrence : CrashStory.chosen(asked.getOrDefault(effect, 0))) {
          CrashPoint point = new CrashPoint(effect, occurrence, moment);
          ClusterSimulation.Watched run = simulation(multiPool).hitting(point).runWatched();
          points++;
          assertThat(run.crashes().hasStruck()).as("%s is reached", point).isTrue();
          run.report().violations().forEach(each -> broken.add(point + ": " + each));
        }
      }
    }
    assertThat(broken).isEmpty();
    assertThat(kinds).isEqualTo(21);
    assertThat(points).isBetween(2 * kinds, CrashStory.OCCURRENCES_MOST * kinds);
  }

  @Test
  @DisplayName("cover every changing operation of the cloud but those that the provider never asks")
  void everyOperation() {
    SimulatedCloud cloud =
        new MockSimulatedCloud(story(false), new VirtualTime(0), CloudTemper.CALM, 1);
    TreeSet<String> changing = new TreeSet<>();
    for (CloudOperationInfo each : cloud.operations()) {
      if (each.mutating()) {
        changing.add(each.name());
      }
    }
    TreeSet<String> listed = new TreeSet<>(EFFECTS);
    listed.removeAll(List.of("updateStatus", "update"));
    listed.addAll(UNUSED);
    assertThat(listed).isEqualTo(changing);
    assertThat(simulation(false).runWatched().crashes().occurrences().keySet())
        .doesNotContainAnyElementsOf(UNUSED);
  }

  private static Scenario story(boolean multiPool) {
    return CrashStory.scenario(false, multiPool, Duration.ofMinutes(30), Duration.ofSeconds(40));
  }

  static ClusterSimulation simulation(boolean multiPool) {
    return new ClusterSimulation(story(multiPool));
  }
}
