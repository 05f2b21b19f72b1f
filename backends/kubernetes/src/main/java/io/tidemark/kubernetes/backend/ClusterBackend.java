package io.tidemark.kubernetes.backend;

import io.tidemark.cluster.Backend;
import io.tidemark.cluster.lease.LeaderNotes;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.ClusterIdentity;
import io.tidemark.kubernetes.KubernetesConfig;
import io.tidemark.kubernetes.events.ClusterEvents;
import io.tidemark.resilience.Fence;
import io.tidemark.resource.CatchUp;
import io.tidemark.spi.OperatorNotices;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.PooledEffectRunner;
import io.tidemark.time.TaskScheduler;
import io.tidemark.time.WorkerPool;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.random.RandomGenerator;

/**
 * The part of a cluster that all systems use, over one connection: lease, Events, paced requests. A
 * backend that only reads has no {@link Leadership} and reports nothing; its turn comes when all
 * objects were listed. Thread-safe.
 */
abstract class ClusterBackend implements Backend {
  private static final Duration LOOK = Duration.ofMillis(20);
  private static final int QUEUE = 64;

  private final Opened opened;
  private final PooledEffectRunner eventRequests;
  private final Optional<Leadership> leadership;
  private final CompletableFuture<String> listed = new CompletableFuture<>();
  private final Optional<ClusterEvents> events;
  private volatile boolean closed;

  /**
   * The start values of a backend.
   *
   * @param delivery delivers changes of objects
   */
  record Opened(
      ClusterConnection cluster,
      KubernetesConfig config,
      Environment environment,
      WorkerPool delivery) {
    Opened(ClusterConnection cluster, KubernetesConfig config, Environment environment) {
      this(cluster, config, environment, new WorkerPool("nodes", 1, QUEUE));
    }

    TaskScheduler scheduler() {
      return environment.scheduler();
    }
  }

  /**
   * Requests nothing before {@link #begin}.
   *
   * @param lease name of the lease
   */
  ClusterBackend(Opened opened, String lease) {
    Environment environment = opened.environment();
    String identity = identity(environment.random());
    this.opened = opened;
    this.eventRequests = new PooledEffectRunner("events", 1, QUEUE, opened.scheduler());
    this.leadership =
        environment.readOnly()
            ? Optional.empty()
            : Optional.of(
                new Leadership(
                    opened.cluster(),
                    opened.config().election(),
                    this,
                    environment,
                    lease,
                    identity));
    this.events =
        leadership.map(
            writes ->
                ClusterEvents.of(opened.cluster(), identity, sideRequests(), opened.scheduler()));
  }

  /**
   * Requests the lease, if there is one; begins to read the objects where nothing is ever changed.
   * For the end of a constructor.
   */
  final void begin() {
    leadership.ifPresentOrElse(
        Leadership::start,
        () -> {
          standBy();
          look();
        });
  }

  /** The lease was won at a time: nothing is changed any more while it is not held. */
  abstract void leads(Fence lease, Optional<Instant> since);

  /**
   * Begins to read the objects while another process holds the lease, or to only read. Who leads
   * reads them from {@link #catchUp} on, or when the work begins. Idempotent.
   */
  abstract void standBy();

  /**
   * Reads all objects as they are after the call, before the work begins. By default nothing is
   * read: who works on the objects lists them at its start.
   */
  CompletionStage<CatchUp> catchUp(EffectRunner effects) {
    return CompletableFuture.completedStage(new CatchUp.Done());
  }

  abstract boolean hasListed();

  /** Why the objects cannot be listed or watched now; empty while they can. */
  abstract Optional<String> objectTrouble();

  /** In the lease and in Events. */
  private static String identity(RandomGenerator random) {
    UUID unique = new UUID(random.nextLong(), random.nextLong());
    return ManagementFactory.getRuntimeMXBean().getName() + '_' + unique;
  }

  private void look() {
    if (hasListed()) {
      listed.complete("reads only");
    } else if (!closed) {
      opened.scheduler().after(LOOK, this::look);
    }
  }

  final Optional<Leadership> leadership() {
    return leadership;
  }

  final Optional<ClusterEvents> clusterEvents() {
    return events;
  }

  @Override
  public final OperatorNotices notices() {
    return leadership
        .flatMap(lease -> events.map(it -> it.onLease(lease.namespace(), lease.name(), lease::uid)))
        .orElse(OperatorNotices.NONE);
  }

  @Override
  public final Leading leading() {
    return leadership.map(Leadership::leading).orElse(Leading.ALONE);
  }

  @Override
  public final Optional<String> holder() {
    return leadership.flatMap(Leadership::holder);
  }

  @Override
  public final Optional<String> lease() {
    return leadership.map(Leadership::name);
  }

  @Override
  public final CompletionStage<?> turn() {
    return leadership.<CompletionStage<?>>map(Leadership::turn).orElse(listed);
  }

  @Override
  public final Former former() {
    return leadership.map(Leadership::former).orElse(Former.NONE);
  }

  @Override
  public final List<String> trouble() {
    List<String> reasons = new ArrayList<>(lateWatches());
    objectTrouble().filter(reason -> !reasons.contains(reason)).ifPresent(reasons::add);
    if (reasons.isEmpty() && !hasListed()) {
      reasons.add("the API server " + opened.cluster().server() + " has not sent the nodes yet");
    }
    leadership.ifPresent(it -> reasons.addAll(it.trouble()));
    return reasons;
  }

  @Override
  public final List<String> lateWatches() {
    return opened.cluster().watches().late();
  }

  @Override
  public final Map<String, Duration> watchAges() {
    return opened.cluster().watches().ages();
  }

  /** For what is reported to others, one request at a time at the pace of the settings. */
  final EffectRunner sideRequests() {
    return slowed(eventRequests);
  }

  /** The same requests at the pace of the settings. */
  final EffectRunner slowed(EffectRunner requests) {
    return opened
        .config()
        .requests()
        .<EffectRunner>map(
            it -> new PacedEffects(requests, it.callsPerSecond(), it.burst(), opened.scheduler()))
        .orElse(requests);
  }

  @Override
  public final Optional<String> clusterUid() {
    return ClusterIdentity.uid(opened.cluster());
  }

  @Override
  public final Fence fence() {
    return leadership.map(Leadership::fence).orElse(Fence.OPEN);
  }

  @Override
  public final Optional<LeaderNotes> leaderNotes() {
    return leadership.flatMap(Leadership::notes);
  }

  @Override
  public final CompletionStage<String> lost() {
    return leadership.map(Leadership::lost).orElseGet(CompletableFuture::new);
  }

  @Override
  public final CompletionStage<?> resign() {
    return leadership
        .<CompletionStage<?>>map(Leadership::resign)
        .orElseGet(() -> CompletableFuture.completedStage("reads only"));
  }

  /** Ends the watches of the objects. */
  abstract void closeObjects();

  @Override
  public final void close() {
    if (closed) {
      return;
    }
    closed = true;
    events.ifPresent(ClusterEvents::close);
    closeObjects();
    leadership.ifPresent(Leadership::close);
    eventRequests.close();
    opened.cluster().close();
    opened.delivery().close();
  }
}
