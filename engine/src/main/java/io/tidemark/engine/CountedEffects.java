package io.tidemark.engine;

import io.tidemark.time.Effect;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.EffectSite;
import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Effects that know when none of them is under way. Thread-safe. */
final class CountedEffects implements EffectRunner {
  private final EffectRunner effects;
  private final TimeSource time;
  private final AtomicInteger underWay = new AtomicInteger();
  private final AtomicLong lastEndNanos = new AtomicLong();

  CountedEffects(EffectRunner effects, TimeSource time) {
    this.effects = effects;
    this.time = time;
  }

  @Override
  public <T> Effect<T> run(EffectSite site, Duration timeout, Callable<T> leaf) {
    underWay.incrementAndGet();
    Effect<T> effect = effects.run(site, timeout, leaf);
    Object unused = effect.stage().whenComplete((answer, thrown) -> ended());
    return effect;
  }

  private void ended() {
    lastEndNanos.set(time.nanos());
    underWay.decrementAndGet();
  }

  /** Whether none was under way during the last {@code span}. */
  boolean quietFor(Duration span) {
    return underWay.get() == 0 && time.nanos() - lastEndNanos.get() >= span.toNanos();
  }
}
