package io.tidemark.nodecidr.pool;

import io.tidemark.cluster.ClusterNodeStore;
import io.tidemark.cluster.NodeBackend;
import io.tidemark.cluster.run.RunThreads;
import io.tidemark.config.ConfigProblems;
import io.tidemark.config.ConfigReader;
import io.tidemark.config.ConfigSource;
import io.tidemark.nodecidr.config.NodeCidrKey;
import io.tidemark.time.Effect;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.EffectSite;
import io.tidemark.time.TimeSource;
import io.tidemark.time.TriggerObserver;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.random.RandomGenerator;

/**
 * The CiliumNodes of a backend as nodes that get CIDRs.
 *
 * @param errors writes problems of a node to its status as well, in the words of the Cilium
 *     operator, which sends no Events
 * @param requests runs requests about the nodes
 */
public record ClusterPool(ClusterNodeStore nodes, OperatorErrors errors, EffectRunner requests) {
  /** The CiliumNodes of an open backend, whose writes {@code metrics} counts. */
  public static ClusterPool of(
      NodeBackend backend,
      ConfigSource settings,
      RunThreads threads,
      RandomGenerator random,
      TriggerObserver metrics) {
    int attempts = NodeCidrKey.SYNC_ATTEMPTS.read(new ConfigReader(settings, new ConfigProblems()));
    TimeSource time = threads.timer().time();
    EffectRunner requests = new MeasuredWrites(backend.paced(threads.store()), metrics, time);
    EffectRunner ofErrors = new MeasuredWrites(backend.paced(threads.store()), metrics, time);
    OperatorErrors errors =
        new OperatorErrors(
            backend.events(),
            backend.store(),
            attempts,
            ofErrors, // errors of thousands of nodes hold no assignment back
            threads.timer(),
            backend.fence(),
            random);
    return new ClusterPool(
        new CiliumNodeCidrs(backend.store(), attempts, errors), errors, requests);
  }

  /**
   * Measures the writes among requests as the runs of a trigger: each is one run, for one request
   * to run. Thread-safe.
   */
  private record MeasuredWrites(EffectRunner effects, TriggerObserver metrics, TimeSource time)
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
}
