package io.tidemark.kubernetes.backend;

import io.tidemark.cluster.Backend;
import io.tidemark.cluster.Backend.Former;
import io.tidemark.cluster.lease.LeaderLease;
import io.tidemark.cluster.lease.LeaderNotes;
import io.tidemark.cluster.lease.LeaseTiming;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.LeaderElectionConfig;
import io.tidemark.kubernetes.lease.LeaseSettings;
import io.tidemark.resilience.Fence;
import io.tidemark.time.PooledEffectRunner;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * When an engine that changes nodes may begin: after the lease was won, where there is one, and all
 * nodes were listed after that. Thread-safe.
 */
final class Leadership implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Leadership.class);
  private static final int REQUESTS = 2;

  /** The note in which a leader leaves what it learned about the cloud's limits. */
  private static final int QUEUE = 64;

  private final ClusterBackend backend;
  private final String namespace;
  private final String name;
  private final PooledEffectRunner requests;
  private final Optional<LeaderLease> lease;
  private final TakeOver takeOver;
  private final CompletableFuture<Void> turn = new CompletableFuture<>();
  private volatile Map<String, String> inherited = Map.of();
  private volatile Supplier<Map<String, String>> notes = Map::of;

  /**
   * Of one process.
   *
   * @param backend has what it changes
   * @param name of the lease
   * @param identity names it in the lease
   */
  Leadership(
      ClusterConnection cluster,
      LeaderElectionConfig election,
      ClusterBackend backend,
      Backend.Environment environment,
      String name,
      String identity) {
    this.backend = backend;
    this.name = name;
    this.namespace = election.namespace().orElseGet(cluster::namespace);
    this.requests = new PooledEffectRunner("lease", REQUESTS, QUEUE, environment.scheduler());
    this.lease =
        election.enabled()
            ? Optional.of(
                settings(election, identity)
                    .lease(cluster, environment.scheduler(), requests, () -> notes.get()))
            : Optional.empty();
    this.takeOver =
        new TakeOver(backend::catchUp, environment.effects(), environment.scheduler(), fence());
    lease.ifPresent(
        it -> it.won().thenAccept(left -> won(it, left)).whenComplete(this::endIfFailed));
    if (lease.isPresent()) {
      LOG.info(
          "On standby for the lease. server={} namespace={} name={} identity={}",
          cluster.server(),
          namespace,
          name,
          identity);
    }
  }

  private LeaseSettings settings(LeaderElectionConfig election, String identity) {
    return new LeaseSettings(
        namespace,
        name,
        identity,
        new LeaseTiming(
            election.leaseDuration(), election.renewDeadline(), election.retryPeriod()));
  }

  private void won(LeaderLease held, Map<String, String> left) {
    inherited = left;
    backend.leads(held, held.wonAt());
    held.lost().thenRun(takeOver::end);
    begin();
  }

  private void begin() {
    takeOver.begin().thenRun(() -> turn.complete(null)).whenComplete(this::endIfFailed);
  }

  private void endIfFailed(@Nullable Void done, @Nullable Throwable thrown) {
    if (thrown != null) {
      turn.completeExceptionally(thrown);
    }
  }

  void start() {
    lease.ifPresentOrElse(
        it -> {
          it.notWonAtOnce().thenRun(backend::standBy);
          it.start();
        },
        this::begin);
  }

  CompletionStage<?> turn() {
    return turn;
  }

  Fence fence() {
    return lease.isPresent() ? lease.get() : Fence.OPEN;
  }

  Backend.Leading leading() {
    return lease
        .map(it -> it.isOpen() ? Backend.Leading.LEADER : Backend.Leading.STANDBY)
        .orElse(Backend.Leading.ALONE);
  }

  List<String> trouble() {
    List<String> reasons = new ArrayList<>();
    lease.flatMap(LeaderLease::trouble).ifPresent(reasons::add);
    takeOver.waitsFor().ifPresent(reasons::add);
    return reasons;
  }

  /** How the leader before ended; without a lease nobody knows. */
  Former former() {
    if (lease.isEmpty()) {
      return Former.LOST;
    }
    return lease
        .get()
        .taken()
        .map(before -> before.holder().isEmpty() ? Former.ENDED : Former.LOST)
        .orElse(Former.UNKNOWN);
  }

  /** Who holds the lease, as it was read last; empty when nobody does or it is not known. */
  Optional<String> holder() {
    return lease.flatMap(LeaderLease::holder);
  }

  /** Of the lease, whether there is one or not. */
  String name() {
    return name;
  }

  String namespace() {
    return namespace;
  }

  /** Of the lease, once the server said it. */
  Optional<String> uid() {
    return lease.flatMap(LeaderLease::uid);
  }

  /** Notes that leaders leave to each other; empty where there is no lease. */
  Optional<LeaderNotes> notes() {
    return lease.map(Notes::new);
  }

  /** In the lease. */
  private final class Notes implements LeaderNotes {
    private final LeaderLease held;

    Notes(LeaderLease held) {
      this.held = held;
    }

    @Override
    public Map<String, String> inherited() {
      return inherited;
    }

    @Override
    public void writeFrom(Supplier<Map<String, String>> source) {
      notes = source;
    }

    @Override
    public CompletionStage<Boolean> publish() {
      return held.publish();
    }
  }

  CompletionStage<String> lost() {
    return lease.map(LeaderLease::lost).orElseGet(CompletableFuture::new);
  }

  CompletionStage<?> resign() {
    return lease
        .<CompletionStage<?>>map(LeaderLease::release)
        .orElseGet(() -> CompletableFuture.completedStage("no lease"));
  }

  @Override
  public void close() {
    takeOver.end();
    requests.close();
  }
}
