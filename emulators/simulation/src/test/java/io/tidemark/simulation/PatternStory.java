package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.Ipv4Address;
import io.tidemark.simulation.scenario.CloudShape;
import io.tidemark.simulation.scenario.Fault;
import io.tidemark.simulation.scenario.NodeGroup;
import io.tidemark.simulation.scenario.NodeGroup.AgentShape;
import io.tidemark.simulation.scenario.NodeGroup.Marks;
import io.tidemark.simulation.scenario.NodeGroup.PodWave;
import io.tidemark.simulation.scenario.NodeGroup.Span;
import io.tidemark.simulation.scenario.Scenario;
import io.tidemark.simulation.scenario.Scenario.InstanceShape;
import io.tidemark.simulation.scenario.Scenario.OperatorShape;
import io.tidemark.simulation.scenario.Scenario.StoreShape;
import io.tidemark.simulation.scenario.Scenario.SubnetShape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.junit.jupiter.api.DynamicTest;

/** A short life of a small cluster, of which each event and each write is tried in turn. */
public final class PatternStory {
  /** Short, so that the agent's last write comes before the watch lists everything again. */
  private static final Duration COOLDOWN = Duration.ofSeconds(5);

  private PatternStory() {}

  /** How much happens. */
  public enum Length {
    /** Two nodes that grow and shrink; a third that comes, and one that goes. */
    SHORT(Duration.ofSeconds(75), List.of(wave(6, 6, 4), wave(24, 4, -3), wave(50, 6, 2)), 30, 58),
    /** The same with more of everything. */
    LONG(
        Duration.ofSeconds(210),
        List.of(wave(15, 10, 6), wave(60, 5, -5), wave(120, 10, 5)),
        80,
        150);

    /** Whether agents hold CIDRs; another cloud's short story has the others alone. */
    public List<Boolean> agents() {
      return this == SHORT ? List.of(false) : List.of(false, true);
    }

    private final Duration duration;

    @SuppressWarnings("ImmutableEnumChecker") // List.of is immutable
    private final List<PodWave> waves;

    private final int comesAtSeconds;
    private final int goesAtSeconds;

    Length(Duration duration, List<PodWave> waves, int comesAtSeconds, int goesAtSeconds) {
      this.duration = duration;
      this.waves = waves;
      this.comesAtSeconds = comesAtSeconds;
      this.goesAtSeconds = goesAtSeconds;
    }
  }

  /** Those to run: the short one, or all with {@code -Dtidemark.patterns=all}. */
  static List<Length> lengths() {
    return System.getProperty("tidemark.patterns", "").equals("all")
        ? List.of(Length.values())
        : List.of(Length.SHORT);
  }

  /** The case to run alone: {@code -Dtidemark.patterns.replay=...}; empty for all. */
  static String replayed() {
    return System.getProperty("tidemark.patterns.replay", "");
  }

  /**
   * A test for each pattern of each story.
   *
   * @param cloud its name
   * @param agents whether agents hold CIDRs, by the length of the story
   * @param on sets the cluster on its cloud, by whether agents hold CIDRs
   */
  public static List<DynamicTest> tests(
      String cloud,
      Function<Length, List<Boolean>> agents,
      BiFunction<ClusterSimulation, Boolean, ClusterSimulation> on) {
    List<DynamicTest> tests = new ArrayList<>();
    for (Length length : lengths()) {
      for (boolean multiPool : agents.apply(length)) {
        Patterns patterns =
            new Patterns(
                cloud + (multiPool ? " multi-pool " : " ") + length,
                () -> on.apply(new ClusterSimulation(scenario(length, multiPool)), multiPool));
        for (Patterns.Kind kind : Patterns.Kind.values()) {
          tests.add(
              dynamicTest(
                  kind + (multiPool ? " of multi-pool agents, " : ", ") + length,
                  () -> {
                    Patterns.Outcome outcome = patterns.run(kind, replayed());
                    System.out.println(outcome);
                    assertThat(outcome.broken()).isEmpty();
                  }));
        }
      }
    }
    return tests;
  }

  /** Of this length, with agents of one kind. */
  static Scenario scenario(Length length, boolean multiPool) {
    return new Scenario(
        "patterns",
        11,
        length.duration,
        Duration.ofMinutes(30),
        new OperatorShape(true, Duration.ofSeconds(10), false, Duration.ofSeconds(20)),
        List.of(
            new SubnetShape(
                "subnet-a",
                "vpc-1",
                "zone-a",
                Cidr.containing(Ipv4Address.of(10, 0, 0, 0), 24),
                List.of())),
        List.of(new InstanceShape("medium", 3, 6, true)),
        List.of(
            new NodeGroup(
                "n",
                2,
                "medium",
                List.of("subnet-a"),
                0,
                new Marks(2, 0, 0, 0),
                new Span(Duration.ZERO, Duration.ofSeconds(3)),
                new AgentShape(multiPool, Duration.ofSeconds(2), COOLDOWN),
                length.waves,
                Optional.empty())),
        CloudShape.DEFAULT,
        StoreShape.DEFAULT,
        List.of(
            Fault.nodes(
                Fault.Kind.ADD_NODE, Duration.ofSeconds(length.comesAtSeconds), Duration.ZERO, 1),
            Fault.nodes(
                Fault.Kind.REMOVE_NODE,
                Duration.ofSeconds(length.goesAtSeconds),
                Duration.ZERO,
                1)));
  }

  private static PodWave wave(int atSeconds, int overSeconds, int pods) {
    return new PodWave(
        new Span(Duration.ofSeconds(atSeconds), Duration.ofSeconds(overSeconds)), pods);
  }
}
