package io.tidemark.node;

import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.spi.Blocked;
import io.tidemark.time.Cancellable;
import io.tidemark.time.ClusterSizeInterval;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps all nodes between their water marks (node-manager 5). Thread-safe; no method blocks, no
 * lock is held across a call (NM-L1, L3); work per event is that of one node.
 *
 * <p>Use: make it, {@link #start} it, feed it by {@link NodeResourceStore#watch watching} with
 * {@link #watcher}, {@link #close} it. It stops nothing that others own.
 */
public final class NodeManager implements AutoCloseable {
  private static final Duration TOTALS_INTERVAL = Duration.ofSeconds(1);

  private final NodeEnvironment environment;
  private final BackgroundScan scan;
  private final ConcurrentMap<String, NodeLifecycle> slots = new ConcurrentHashMap<>();
  private final RefusedObjects refusedObjects;
  private final ClusterMetrics clusterMetrics;
  private volatile Consumer<String> changeListener = name -> {};
  private volatile boolean watchSynced;
  private volatile boolean closed;
  private volatile @Nullable Cancellable nextTotals;

  /** A manager that does nothing until started. */
  public NodeManager(NodeManagerConfig config, NodeManagerPorts ports) {
    this.environment =
        new NodeEnvironment(
            config,
            ports,
            new Lanes(ports.lanes(), config.workers()),
            new InstancesApiReadiness(this::readinessChanged, this::tellAll),
            new ClusterTotals(),
            new DeficitAges(),
            NodeTriggers.of(ports),
            config.backoff(),
            slots::size,
            name -> changeListener.accept(name));
    this.refusedObjects = new RefusedObjects(ports.events());
    this.clusterMetrics = new ClusterMetrics(ports.metrics());
    this.scan = new BackgroundScan(environment, this::scanned);
  }

  /**
   * Scans the account, and again and again from then on (5.1).
   *
   * @return ends with whether the first scan worked; when not, nothing is changed in the cloud
   *     until a later one does
   */
  public CompletionStage<Boolean> start() {
    publishTotals();
    return scan.scan();
  }

  /**
   * A resource is new or changed (5.3); ignored ones are skipped. One with a deletion timestamp
   * lives, as its pods do, until {@link #delete}: it counts as closed ({@link ClosedNodes}).
   */
  public void upsert(NodeResource resource) {
    if (closed || resource.ignored()) {
      return;
    }
    refusedObjects.readable(resource.name());
    NodeLifecycle slot =
        slots.compute(
            resource.name(),
            (name, known) -> {
              NodeLifecycle kept = known == null ? newSlot(name) : known;
              kept.revive(); // in here, so that it cannot be dropped meanwhile
              return kept;
            });
    slot.upsert(resource);
  }

  /** A resource is gone (5.7); unknown names are fine. */
  public void delete(String name) {
    refusedObjects.readable(name);
    NodeLifecycle slot = slots.get(name);
    if (slot != null) {
      slot.delete();
    }
  }

  /** A resource cannot be read; what was known of the node stays in force. */
  public void refused(String name, List<ResourceProblem> problems) {
    Blocked why = refusedObjects.refused(name, problems);
    NodeLifecycle slot = slots.get(name);
    if (slot != null) {
      slot.refused(why);
    }
  }

  /** Feeds this manager from a store's watch. */
  public NodeResourceStore.Watcher watcher() {
    return new NodeResourceStore.Watcher() {
      @Override
      public void upserted(NodeResource resource) {
        upsert(resource);
      }

      @Override
      public void deleted(String name) {
        delete(name);
      }

      @Override
      public void refused(String name, List<ResourceProblem> problems) {
        NodeManager.this.refused(name, problems);
      }

      @Override
      public void synced() {
        watchSynced = true;
      }
    };
  }

  /** One full scan now, then a look at every node it has news for (5.5). */
  public void resync() {
    scan.scan();
  }

  /** Whether the cloud may be changed (5.2). */
  public boolean instancesApiIsReady() {
    return environment.readiness().isReady();
  }

  /** Why the cloud may not be changed, with the last failure; empty while it may. */
  public Optional<Blocked> instancesApiTrouble() {
    return environment.readiness().blocked();
  }

  /** Allows or forbids changes of the cloud; the next full scan decides anew. */
  public void setInstancesApiReadiness(boolean ready) {
    environment.readiness().set(ready);
  }

  /** How a node stands; empty for an unknown name. */
  public Optional<NodeReport> report(String name) {
    return slot(name).map(NodeLifecycle::report);
  }

  /**
   * Tells {@code listener}, instead of who was told before, the name of each node from now on that
   * is new, gone, or whose report may be another one; it asks for the {@link #report} itself, later
   * rather than at once. Called on the lanes of nodes and on the thread of the watch: it must not
   * block or throw.
   */
  public void onChange(Consumer<String> listener) {
    changeListener = listener;
  }

  /** How all nodes stand, by name. */
  public List<NodeReport> reports() {
    List<NodeReport> reports = new ArrayList<>();
    for (NodeLifecycle slot : slots.values()) {
      if (slot.exists()) {
        reports.add(slot.report());
      }
    }
    reports.sort(Comparator.comparing(NodeReport::name));
    return reports;
  }

  /**
   * Whether no node has a turn queued or a write of its resource due or under way. A program that
   * ends waits for this, once no more requests to the cloud begin.
   */
  public boolean isWritten() {
    return slots.values().stream().allMatch(NodeLifecycle::isWritten);
  }

  /** Names of all nodes (5.6). */
  public Set<String> names() {
    Set<String> names = new TreeSet<>();
    slots.forEach(
        (name, slot) -> {
          if (slot.exists()) {
            names.add(name);
          }
        });
    return names;
  }

  /** All nodes, largest deficit first, then by surplus (5.5, 5.6). */
  public List<NodeReport> nodesByWatermark() {
    boolean release = environment.config().release().enabled();
    List<NodeReport> reports = reports();
    reports.sort(
        Comparator.comparing(
            report -> neededAddresses(report, release), NodeOrder.BY_NEEDED_ADDRESSES));
    return reports;
  }

  private static int neededAddresses(NodeReport report, boolean release) {
    if (report.needed() > 0) {
      return report.needed();
    }
    return release && report.excess() > 0 ? -report.excess() : 0;
  }

  /** Sums over all nodes, kept incrementally. */
  public ClusterStatistics statistics() {
    return environment.totals().snapshot();
  }

  /** Why a node stands as it does (D-19); empty for an unknown name. */
  public CompletionStage<Optional<Explanation>> explain(String name) {
    Optional<NodeLifecycle> slot = slot(name);
    return slot.isEmpty()
        ? CompletableFuture.completedStage(Optional.empty())
        : slot.get().explain().thenApply(Optional::of);
  }

  /** Reads a node's instance anew, soon. */
  public void requestInstanceSync(String name) {
    slot(name).ifPresent(slot -> slot.post(Node::requestSync));
  }

  /** Runs a pass of a node, soon. */
  public void requestMaintenance(String name) {
    slot(name).ifPresent(slot -> slot.post(Node::requestMaintenance));
  }

  /** {@code base × ln(1 + nodes)}; {@code base} without nodes (5.8). */
  public Duration clusterSizeDependantInterval(Duration base) {
    return ClusterSizeInterval.scaled(base, slots.size());
  }

  /** Ends all work but compensation; idempotent. */
  @Override
  public void close() {
    closed = true;
    scan.close();
    Cancellable totals = nextTotals;
    if (totals != null) {
      totals.cancel();
    }
    slots.values().forEach(NodeLifecycle::close);
  }

  /** A node that a scan has something to tell, with its need at that moment. */
  private record Concerned(NodeLifecycle slot, int neededAddresses) {
    static final Comparator<Concerned> BY_NEED =
        Comparator.comparing(Concerned::neededAddresses, NodeOrder.BY_NEEDED_ADDRESSES)
            .thenComparing(each -> each.slot().name());
  }

  private Optional<NodeLifecycle> slot(String name) {
    return Optional.ofNullable(slots.get(name)).filter(NodeLifecycle::exists);
  }

  private NodeLifecycle newSlot(String name) {
    return new NodeLifecycle(name, environment, environment.lanes().lane(), () -> slotGone(name));
  }

  private void slotGone(String name) {
    slots.computeIfPresent(name, (same, slot) -> slot.exists() ? slot : null);
  }

  /** Only nodes that a scan can tell something are woken, the largest deficit first. */
  private void scanned(long startedGeneration) {
    environment.ports().metrics().resynced();
    boolean release = environment.config().release().enabled();
    List<Concerned> concerned = new ArrayList<>();
    for (NodeLifecycle slot : slots.values()) {
      Optional<Node> node = slot.node();
      if (node.isPresent() && !node.get().untouchedByScan()) {
        concerned.add(new Concerned(slot, neededAddresses(slot.report(), release)));
      }
    }
    concerned.sort(Concerned.BY_NEED);
    concerned.forEach(each -> each.slot().post(node -> node.scanned(startedGeneration)));
    clusterMetrics.publishPools(environment.ports().provider().poolQuota());
  }

  private void readinessChanged(boolean ready) {
    environment.ports().metrics().instancesApiReady(ready);
    if (ready) {
      slots.values().forEach(slot -> slot.post(Node::ready));
    }
  }

  /** What every waiting node is told has changed. */
  private void tellAll() {
    slots.keySet().forEach(changeListener);
  }

  private void publishTotals() {
    if (closed) {
      return;
    }
    if (watchSynced) {
      clusterMetrics.publish(
          environment.totals(), environment.deficits().oldest(environment.now()), scan.cacheAge());
    }
    nextTotals = environment.ports().scheduler().after(TOTALS_INTERVAL, this::publishTotals);
  }
}
