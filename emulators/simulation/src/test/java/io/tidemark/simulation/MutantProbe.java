package io.tidemark.simulation;

import io.tidemark.simulation.ClusterSimulation.CloudFactory;
import io.tidemark.simulation.PatternStory.Length;
import io.tidemark.simulation.cloud.MockSimulatedCloud;
import io.tidemark.simulation.scenario.Scenario;
import io.tidemark.time.VirtualTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongFunction;

/**
 * Runs one seed against the classes of the loader that it was loaded by; speaks in texts, because
 * inside and outside do not share classes.
 */
public final class MutantProbe implements LongFunction<String> {
  private final LongFunction<String> first;
  private final FaultyPart part;
  private final CloudFactory clouds;

  /**
   * Made by name from outside.
   *
   * @param clouds name of a {@link CloudFactory} that can be made without arguments; empty for the
   *     mock
   */
  public MutantProbe(String kind, String part, String clouds) {
    this.part = FaultyPart.valueOf(part);
    this.clouds = clouds.isEmpty() ? MockSimulatedCloud::new : named(clouds);
    this.first = isPattern(kind) ? ofPattern(kind) : ofScenario(MutantScenario.valueOf(kind));
  }

  private static CloudFactory named(String clouds) {
    try {
      return Class.forName(clouds).asSubclass(CloudFactory.class).getConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(clouds + " makes no clouds", e);
    }
  }

  private static boolean isPattern(String kind) {
    return Arrays.stream(Patterns.Kind.values()).anyMatch(each -> each.name().equals(kind));
  }

  private LongFunction<String> ofScenario(MutantScenario scenario) {
    return seed -> {
      SimulationReport report =
          simulation(scenario.draw(seed)).untilViolation().run(new VirtualTime(0));
      return report.violations().isEmpty() ? "" : report.violations().get(0).toString();
    };
  }

  /** The seed is the number of the case. */
  private LongFunction<String> ofPattern(String kind) {
    List<Patterns.Case> cases = new ArrayList<>();
    for (boolean multiPool : new boolean[] {false, true}) {
      cases.addAll(
          new Patterns(kind, () -> simulation(PatternStory.scenario(Length.SHORT, multiPool)))
              .cases(Patterns.Kind.valueOf(kind)));
    }
    return number ->
        number < cases.size()
            ? Patterns.result(cases.get((int) number)).broken().stream().findFirst().orElse("")
            : "";
  }

  private ClusterSimulation simulation(Scenario scenario) {
    return new ClusterSimulation(scenario).on(clouds).with(part.parts());
  }

  /** The first violation; empty when there is none. */
  @Override
  public String apply(long seed) {
    return first.apply(seed);
  }
}
