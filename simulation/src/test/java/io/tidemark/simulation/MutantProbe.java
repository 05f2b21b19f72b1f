package io.tidemark.simulation;

import io.tidemark.simulation.ClusterSimulation.CloudFactory;
import io.tidemark.simulation.cloud.MockSimulatedCloud;
import io.tidemark.time.VirtualTime;
import java.util.function.LongFunction;

/**
 * Runs one seed against the classes of the loader that it was loaded by; speaks in texts, because
 * inside and outside do not share classes.
 */
public final class MutantProbe implements LongFunction<String> {
  private final MutantScenario kind;
  private final FaultyPart part;
  private final CloudFactory clouds;

  /**
   * Made by name from outside.
   *
   * @param clouds name of a {@link CloudFactory} that can be made without arguments; empty for the
   *     mock
   */
  public MutantProbe(String kind, String part, String clouds) {
    this.kind = MutantScenario.valueOf(kind);
    this.part = FaultyPart.valueOf(part);
    this.clouds = clouds.isEmpty() ? MockSimulatedCloud::new : named(clouds);
  }

  private static CloudFactory named(String clouds) {
    try {
      return Class.forName(clouds).asSubclass(CloudFactory.class).getConstructor().newInstance();
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(clouds + " makes no clouds", e);
    }
  }

  /** The first violation; empty when there is none. */
  @Override
  public String apply(long seed) {
    SimulationReport report =
        new ClusterSimulation(kind.draw(seed))
            .on(clouds)
            .with(part.parts())
            .untilViolation()
            .run(new VirtualTime(0));
    return report.violations().isEmpty() ? "" : report.violations().get(0).toString();
  }
}
