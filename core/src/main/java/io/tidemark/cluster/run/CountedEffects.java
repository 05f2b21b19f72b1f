package io.tidemark.cluster.run;

import io.tidemark.time.Effect;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.EffectSite;
import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Effects that know when none of them is under way, and how many there were. Thread-safe. */
public final class CountedEffects implements EffectRunner {
  private final EffectRunner effects;
  private final TimeSource time;
  private final AtomicInteger underWay = new AtomicInteger();
  private final AtomicLong lastEndNanos = new AtomicLong();
  private final Map<String, Long> counts = new ConcurrentHashMap<>();

  /** In front of {@code effects}. */
  public CountedEffects(EffectRunner effects, TimeSource time) {
    this.effects = effects;
    this.time = time;
  }

  @Override
  public <T> Effect<T> run(EffectSite site, Duration timeout, Callable<T> leaf) {
    underWay.incrementAndGet();
    counts.merge(site.operation(), 1L, Long::sum);
    Effect<T> effect = effects.run(site, timeout, leaf);
    effect.stage().whenComplete((answer, thrown) -> ended());
    return effect;
  }

  private void ended() {
    lastEndNanos.set(time.nanos());
    underWay.decrementAndGet();
  }

  /** How many there were so far, by operation. */
  public SortedMap<String, Long> counts() {
    return new TreeMap<>(counts);
  }

  /** Whether none was under way during the last {@code span}. */
  public boolean quietFor(Duration span) {
    return underWay.get() == 0 && time.nanos() - lastEndNanos.get() >= span.toNanos();
  }
}
