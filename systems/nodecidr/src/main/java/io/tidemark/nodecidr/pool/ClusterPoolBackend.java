package io.tidemark.nodecidr.pool;

import io.tidemark.cluster.ClusterNodeBackend;
import io.tidemark.cluster.ClusterNodeStore;
import io.tidemark.cluster.EventWording;
import io.tidemark.cluster.NodeBackend;
import io.tidemark.cluster.ObjectEvents;
import io.tidemark.cluster.lease.LeaderNotes;
import io.tidemark.config.ConfigProblems;
import io.tidemark.config.ConfigReader;
import io.tidemark.nodecidr.config.NodeCidrKey;
import io.tidemark.resilience.Fence;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.spi.OperatorNotices;
import io.tidemark.time.Effect;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.EffectSite;
import io.tidemark.time.TimeSource;
import io.tidemark.time.TriggerObserver;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;

/**
 * The CiliumNodes of a backend as nodes that get CIDRs. Problems of a node are written to its
 * status as well, in the words of the Cilium operator. Thread-safe.
 */
public final class ClusterPoolBackend implements ClusterNodeBackend {
  private final NodeBackend backend;
  private final CiliumNodeCidrs nodes;
  private final OperatorErrors errors;
  private final TriggerObserver metrics;
  private final TimeSource time;

  private ClusterPoolBackend(
      NodeBackend backend, Environment environment, TriggerObserver metrics) {
    this.backend = backend;
    this.metrics = metrics;
    this.time = environment.scheduler().time();
    int attempts =
        NodeCidrKey.SYNC_ATTEMPTS.read(
            new ConfigReader(environment.settings(), new ConfigProblems()));
    this.errors =
        new OperatorErrors(
            backend.events(),
            backend.store(),
            attempts,
            measured(backend.paced(environment.effects())),
            environment.scheduler(),
            backend.fence(),
            environment.random());
    this.nodes = new CiliumNodeCidrs(backend.store(), attempts, errors);
  }

  /**
   * Opens the CiliumNodes.
   *
   * @param metrics where writes of them count
   */
  public static ClusterNodeBackend.Opener over(
      NodeBackend.Opener ciliumNodes, TriggerObserver metrics) {
    return environment ->
        new ClusterPoolBackend(ciliumNodes.open(environment), environment, metrics);
  }

  private EffectRunner measured(EffectRunner requests) {
    return new MeasuredWrites(requests, metrics, time);
  }

  @Override
  public ClusterNodeStore nodes() {
    return nodes;
  }

  /** In our own words, whatever they are for Nodes: the Cilium operator sends no Events. */
  @Override
  public ObjectEvents events(EventWording wording) {
    return errors;
  }

  @Override
  public Former former() {
    return backend.former();
  }

  @Override
  public List<ResourceProblem> refused() {
    return backend.refused();
  }

  @Override
  public OperatorNotices notices() {
    return backend.notices();
  }

  @Override
  public Leading leading() {
    return backend.leading();
  }

  @Override
  public Optional<String> holder() {
    return backend.holder();
  }

  @Override
  public Optional<String> lease() {
    return backend.lease();
  }

  @Override
  public CompletionStage<?> turn() {
    return backend.turn();
  }

  @Override
  public List<String> trouble() {
    return backend.trouble();
  }

  @Override
  public List<String> lateWatches() {
    return backend.lateWatches();
  }

  @Override
  public Map<String, Duration> watchAges() {
    return backend.watchAges();
  }

  @Override
  public EffectRunner paced(EffectRunner requests) {
    return measured(backend.paced(requests));
  }

  @Override
  public Optional<String> clusterUid() {
    return backend.clusterUid();
  }

  @Override
  public Fence fence() {
    return backend.fence();
  }

  @Override
  public Optional<LeaderNotes> leaderNotes() {
    return backend.leaderNotes();
  }

  @Override
  public CompletionStage<String> lost() {
    return backend.lost();
  }

  @Override
  public CompletionStage<?> flush() {
    return errors.written().thenCompose(any -> backend.flush());
  }

  @Override
  public CompletionStage<?> resign() {
    return backend.resign();
  }

  @Override
  public List<String> shutDown() {
    return backend.shutDown();
  }

  @Override
  public void close() {
    backend.close();
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
