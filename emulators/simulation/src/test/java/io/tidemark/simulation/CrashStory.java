package io.tidemark.simulation;

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
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/** The story of a run that a crash hits: everything that a provider does, several times. */
public final class CrashStory {
  /** Occurrences of one effect that are tried. */
  public static final int OCCURRENCES_MOST = 4;

  private CrashStory() {}

  /**
   * Three nodes that grow, shrink and grow again while attaching fails for some time.
   *
   * @param quiescence how long they may take to come to rest
   * @param trouble how long attaching fails
   */
  public static Scenario scenario(
      boolean prefixes, boolean multiPool, Duration quiescence, Duration trouble) {
    int pods = prefixes ? 16 : 1;
    return new Scenario(
        "crash points",
        7,
        Duration.ofMinutes(9),
        quiescence,
        new OperatorShape(true, Duration.ofSeconds(30), prefixes, Duration.ofSeconds(30)),
        List.of(
            new SubnetShape(
                "subnet-a",
                "vpc-1",
                "zone-a",
                Cidr.containing(Ipv4Address.of(10, 0, 0, 0), prefixes ? 20 : 24),
                List.of())),
        List.of(new InstanceShape("medium", 3, 6, true)),
        List.of(
            new NodeGroup(
                "n",
                3,
                "medium",
                List.of("subnet-a"),
                0,
                new Marks(2, 0, 0, 0),
                new Span(Duration.ZERO, Duration.ofSeconds(5)),
                new AgentShape(multiPool, Duration.ofSeconds(2)),
                List.of(
                    wave(20, 20, 6 * pods),
                    wave(100, 20, -5 * pods),
                    wave(220, 20, 8 * pods),
                    wave(320, 20, -6 * pods),
                    wave(400, 10, 4 * pods)),
                Optional.empty())),
        CloudShape.DEFAULT,
        StoreShape.DEFAULT,
        List.of(
            new Fault(
                Fault.Kind.ERRORS,
                Duration.ofSeconds(215),
                trouble,
                1,
                "AttachNetworkInterface",
                0,
                Duration.ZERO)));
  }

  private static PodWave wave(int atSeconds, int overSeconds, int pods) {
    return new PodWave(
        new Span(Duration.ofSeconds(atSeconds), Duration.ofSeconds(overSeconds)), pods);
  }

  /** Of so many occurrences the first ones, the last one, and some between; none of none. */
  public static SortedSet<Integer> chosen(int occurrences) {
    TreeSet<Integer> chosen = new TreeSet<>();
    for (int i = 0; occurrences > 0 && i < OCCURRENCES_MOST; i++) {
      chosen.add(1 + (int) ((long) i * (occurrences - 1) / (OCCURRENCES_MOST - 1)));
    }
    return chosen;
  }
}
