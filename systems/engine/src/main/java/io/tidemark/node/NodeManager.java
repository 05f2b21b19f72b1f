package io.tidemark.node;

import static java.util.stream.Collectors.joining;

import io.tidemark.metrics.Metric;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.PoolId;
import io.tidemark.time.Cancellable;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
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
 * Keeps all nodes between their watermarks (node-manager 5). Thread-safe; no method blocks, no lock
 * is held across a call (NM-L1, L3); work per event is that of one node.
 *
 * <p>Use: make it, {@link #start} it, feed it by {@link NodeResourceStore#watch watching} with
 * {@link #watcher}, {@link #close} it. It stops nothing that others own.
 */
public final class NodeManager implements AutoCloseable {
  private static final Duration TOTALS_INTERVAL = Duration.ofSeconds(1);

  private final NodeEnvironment environment;
  private final BackgroundScan scan;
  private final ConcurrentMap<String, NodeLifecycle> nodes = new ConcurrentHashMap<>();

  /** Objects that cannot be read now, those of unknown nodes too; each is reported once. */
  private final Set<String> unreadable = ConcurrentHashMap.newKeySet();

  private final ClusterTotals totals;
  private volatile Consumer<String> changeListener = name -> {};
  private volatile boolean watchSynced;
  private volatile boolean closed;
  private volatile @Nullable Cancellable nextTotals;

  /** A manager that does nothing until started. */
  public NodeManager(EngineConfig config, NodeManagerPorts ports) {
    this.environment =
        NodeEnvironment.of(
            config,
            ports,
            new InstancesApiReadiness(this::readinessChanged, this::tellAll),
            nodes::size,
            name -> changeListener.accept(name));
    this.totals = new ClusterTotals(ports.metrics());
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
   * lives, as its pods do, until {@link #delete}: it counts as closed ({@code ClosedNodes}).
   */
  public void upsert(NodeResource resource) {
    if (closed || resource.ignored()) {
      return;
    }
    readable(resource.name());
    NodeLifecycle node =
        nodes.compute(
            resource.name(),
            (name, known) -> {
              NodeLifecycle kept = known == null ? newNode(name) : known;
              kept.revive(); // in here, so that it cannot be dropped meanwhile
              return kept;
            });
    node.upsert(resource);
  }

  /** A resource is gone (5.7); unknown names are fine. */
  public void delete(String name) {
    readable(name);
    NodeLifecycle node = nodes.get(name);
    if (node != null) {
      node.delete();
    }
  }

  /** A resource cannot be parsed; its last valid version stays in effect. */
  public void refused(String name, List<ResourceProblem> problems) {
    String detail =
        problems.stream()
            .map(each -> (each.where() + " " + each.path()).strip() + ": " + each.problem())
            .collect(joining("; "));
    Blocked why = new Blocked(BlockedReason.INVALID_RESOURCE, detail);
    if (unreadable.add(name)) {
      environment.ports().events().report(name, why.reason(), why.detail());
    }
    NodeLifecycle node = nodes.get(name);
    if (node != null) {
      node.refused(why);
    }
  }

  private void readable(String name) {
    if (unreadable.remove(name)) {
      environment.ports().events().cleared(name, BlockedReason.INVALID_RESOURCE);
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

  /** Starts a full scan, and then a turn of every node with changes (5.5). */
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

  /** The report of a node; empty for an unknown name. */
  public Optional<NodeReport> report(String name) {
    return node(name).map(NodeLifecycle::report);
  }

  /**
   * Sets the listener, which gets the name of each node that is new and read, gone, or whose report
   * may have changed. It should read the {@link #report} later rather than at once. Called on the
   * lanes of nodes and on the thread of the watch; it must not block or throw.
   */
  public void onChange(Consumer<String> listener) {
    changeListener = listener;
  }

  /** The reports of all nodes, by name. */
  public List<NodeReport> reports() {
    return nodes.values().stream()
        .filter(NodeLifecycle::exists)
        .map(NodeLifecycle::report)
        .sorted(Comparator.comparing(NodeReport::name))
        .toList();
  }

  /**
   * Whether no node has a turn queued or a write of its resource due or under way. A program that
   * ends waits for this, once no more requests to the cloud begin.
   */
  public boolean isWritten() {
    return nodes.values().stream().allMatch(NodeLifecycle::isWritten);
  }

  /** Names of all nodes (5.6). */
  public Set<String> names() {
    Set<String> names = new TreeSet<>(nodes.keySet());
    names.removeIf(name -> node(name).isEmpty());
    return names;
  }

  /** All nodes, largest deficit first, then by surplus (5.5, 5.6). */
  public List<NodeReport> nodesByWatermark() {
    return reports().stream().sorted(byNeed()).toList();
  }

  /** For how many days the free addresses of pools last, where that is foreseeable. */
  public Map<PoolId, Double> daysLeft() {
    return totals.daysLeft();
  }

  /** Sums over all nodes, kept incrementally. */
  public ClusterStatistics statistics() {
    return totals.snapshot();
  }

  /** Explains the state of a node (D-19); empty for an unknown name. */
  public CompletionStage<Optional<Explanation>> explain(String name) {
    Optional<NodeLifecycle> node = node(name);
    return node.isEmpty()
        ? CompletableFuture.completedStage(Optional.empty())
        : node.get().explain().thenApply(Optional::of);
  }

  /** Ends when everything that was queued for the nodes is done. */
  public CompletionStage<Void> caughtUp() {
    return CompletableFuture.allOf(
        nodes.values().stream().map(NodeLifecycle::caughtUp).toArray(CompletableFuture[]::new));
  }

  /** Reads a node's instance anew, soon. */
  public void requestInstanceSync(String name) {
    node(name).ifPresent(node -> node.post(Node::requestSync));
  }

  /** Runs a pass of a node, soon. */
  public void requestMaintenance(String name) {
    node(name).ifPresent(node -> node.post(it -> it.requestMaintenance("requested")));
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
    nodes.values().forEach(NodeLifecycle::close);
  }

  private Optional<NodeLifecycle> node(String name) {
    return Optional.ofNullable(nodes.get(name)).filter(NodeLifecycle::exists);
  }

  private Comparator<NodeReport> byNeed() {
    return NodeReport.byNeed(environment.config().release().enabled());
  }

  private NodeLifecycle newNode(String name) {
    return new NodeLifecycle(name, environment, totals, () -> nodeGone(name));
  }

  private void nodeGone(String name) {
    nodes.computeIfPresent(name, (same, node) -> node.exists() ? node : null);
  }

  /** Only nodes that a scan concerns are woken, the largest deficit first. */
  private void scanned(long startedGeneration) {
    environment.ports().metrics().count(Metric.RESYNC_TOTAL);
    environment
        .exhausted()
        .scanned(
            environment.now() + scan.freshness().toNanos(),
            name -> node(name).filter(NodeLifecycle::hasInstance).isPresent());
    nodes.values().stream()
        .filter(NodeLifecycle::isConcernedByScan)
        .map(NodeLifecycle::report)
        .sorted(byNeed().thenComparing(NodeReport::name))
        .flatMap(each -> node(each.name()).stream())
        .forEach(node -> node.post(it -> it.scanned(startedGeneration)));
    totals.publishPools(environment.ports().provider().poolQuota(), environment.now());
  }

  private void readinessChanged(boolean ready) {
    environment.ports().metrics().gauge(Metric.INSTANCES_API_READY).set(ready ? 1 : 0);
    if (ready) {
      nodes
          .values()
          .forEach(node -> node.post(it -> it.requestMaintenance("instances API is ready")));
    }
  }

  /** The reason that every waiting node reports has changed. */
  private void tellAll() {
    nodes.keySet().forEach(changeListener);
  }

  private void publishTotals() {
    if (closed) {
      return;
    }
    if (watchSynced) {
      totals.publish(environment.now(), scan.cacheAge());
    }
    nextTotals = environment.ports().scheduler().after(TOTALS_INTERVAL, this::publishTotals);
  }
}
