package io.tidemark.simulation;

import io.tidemark.time.VirtualTime;
import java.util.function.LongFunction;

/**
 * Runs one seed against the classes of the loader that it was loaded by; speaks in texts, because
 * inside and outside do not share classes.
 */
public final class MutantProbe implements LongFunction<String> {
  private final MutantScenario kind;
  private final FaultyPart part;

  /** Made by name from outside. */
  public MutantProbe(String kind, String part) {
    this.kind = MutantScenario.valueOf(kind);
    this.part = FaultyPart.valueOf(part);
  }

  /** The first violation; empty when there is none. */
  @Override
  public String apply(long seed) {
    SimulationReport report =
        new ClusterSimulation(kind.draw(seed))
            .with(part.parts())
            .untilViolation()
            .run(new VirtualTime(0));
    return report.violations().isEmpty() ? "" : report.violations().get(0).toString();
  }
}
