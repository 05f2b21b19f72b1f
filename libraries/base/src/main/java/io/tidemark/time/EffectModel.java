package io.tidemark.time;

import java.time.Duration;

/**
 * The network of a simulation: decides what happens to every request. Implemented by the
 * simulation, with a seeded random generator of its own; called on the simulation's thread in a
 * reproducible order.
 *
 * <p>It is also where crash points lie: a model that crashes the process inside {@link #decide}
 * crashes it before the effect, inside {@link #executed} after it.
 */
@FunctionalInterface
public interface EffectModel {
  /** A request is about to leave; {@code timeout} is how long its sender will wait. */
  EffectFate decide(EffectSite site, Duration timeout);

  /** The leaf has just run, with or without an error; its answer has not left yet. */
  default void executed(EffectSite site) {}

  /** Every request arrives after {@code request} and is answered {@code answer} later. */
  static EffectModel reliable(Duration request, Duration answer) {
    EffectFate fate = EffectFate.answered(request, answer);
    return (site, timeout) -> fate;
  }
}
