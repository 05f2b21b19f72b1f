package io.tidemark.nodecidr.pool;

import io.tidemark.time.Effect;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.EffectSite;
import io.tidemark.time.TimeSource;
import io.tidemark.time.TriggerObserver;
import java.time.Duration;
import java.util.concurrent.Callable;

/**
 * Measures the writes among requests as the runs of a trigger: each is one run, for one request to
 * run. Thread-safe.
 */
record MeasuredWrites(EffectRunner effects, TriggerObserver metrics, TimeSource time)
    implements EffectRunner {
  @Override
  public <T> Effect<T> run(EffectSite site, Duration timeout, Callable<T> leaf) {
    if (site.operation().startsWith("get") || site.operation().startsWith("list")) {
      return effects.run(site, timeout, leaf);
    }
    metrics.queued();
    long queued = time.nanos();
    return effects.run(site, timeout, () -> measured(leaf, queued));
  }

  private <T> T measured(Callable<T> leaf, long queued) throws Exception {
    long began = time.nanos();
    try {
      return leaf.call();
    } finally {
      metrics.ran(Duration.ofNanos(time.nanos() - began), Duration.ofNanos(began - queued), 1);
    }
  }
}
