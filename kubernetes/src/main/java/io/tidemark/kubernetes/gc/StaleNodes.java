package io.tidemark.kubernetes.gc;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.tidemark.kubernetes.ApiFailure;
import io.tidemark.kubernetes.ApiFailure.Kind;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.store.ClusterNodes;
import io.tidemark.kubernetes.store.KubernetesNodeResourceStore;
import io.tidemark.resilience.Fence;
import io.tidemark.resource.NodeResource;
import io.tidemark.time.Cancellable;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.EffectSite;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes CiliumNodes without an owner whose Kubernetes Node is missing, in the second round that
 * finds them (node-manager 5.9, {@code nodes-gc-interval}). A deletion names the UID that was
 * checked, so the object of a node that came back is kept. Thread-safe; never blocks.
 */
public final class StaleNodes implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StaleNodes.class);
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  /** Deletions per round: more than that at once is a mistake, or can wait. */
  private static final int DELETIONS_MAX = 100;

  private final ClusterConnection cluster;
  private final KubernetesNodeResourceStore store;
  private final ClusterNodes nodes;
  private final Duration interval;
  private final TaskScheduler scheduler;
  private final EffectRunner effects;
  private final Fence fence;
  private final Object lock = new Object();
  private Set<String> marked = Set.of();
  private @Nullable Cancellable next;
  private boolean closed;

  private StaleNodes(
      ClusterConnection cluster,
      KubernetesNodeResourceStore store,
      ClusterNodes nodes,
      Duration interval,
      TaskScheduler scheduler,
      EffectRunner effects,
      Fence fence) {
    this.cluster = cluster;
    this.store = store;
    this.nodes = nodes;
    this.interval = interval;
    this.scheduler = scheduler;
    this.effects = effects;
    this.fence = fence;
  }

  /**
   * Checks every {@code interval}.
   *
   * @param fence deletes only while it is open
   */
  public static StaleNodes start(
      ClusterConnection cluster,
      KubernetesNodeResourceStore store,
      ClusterNodes nodes,
      Duration interval,
      TaskScheduler scheduler,
      EffectRunner effects,
      Fence fence) {
    StaleNodes started = new StaleNodes(cluster, store, nodes, interval, scheduler, effects, fence);
    started.again();
    return started;
  }

  private void again() {
    synchronized (lock) {
      if (!closed) {
        next = scheduler.after(interval, this::round);
      }
    }
  }

  private void round() {
    Set<String> stale = stale();
    Set<String> before;
    synchronized (lock) {
      before = marked;
      marked = stale;
    }
    stale.stream()
        .filter(before::contains)
        .limit(DELETIONS_MAX)
        .forEach(name -> store.latest(name).ifPresent(this::delete));
    again();
  }

  /** Names of objects without an owner and without a Kubernetes Node. */
  private Set<String> stale() {
    Set<String> stale = new TreeSet<>();
    for (String name : store.names()) {
      Optional<NodeResource> node = store.latest(name);
      boolean candidate = node.isPresent() && !node.get().owned() && !node.get().beingDeleted();
      if (candidate && nodes.exists(name).equals(Optional.of(false))) {
        stale.add(name);
      }
    }
    return stale;
  }

  private void delete(NodeResource node) {
    if (!fence.isOpen() || node.uid().isEmpty()) {
      return;
    }
    Map<String, Object> options =
        Map.of(
            "apiVersion", "v1",
            "kind", "DeleteOptions",
            "preconditions", Map.of("uid", node.uid().get()));
    String path = "/apis/cilium.io/v2/ciliumnodes/" + node.name();
    Object unused =
        effects
            .run(
                new EffectSite("delete", node.name()),
                TIMEOUT,
                () -> cluster.client().raw(path, "DELETE", options))
            .stage()
            .whenComplete((answer, thrown) -> deleted(node.name(), thrown));
  }

  /** An object that is gone already, or was created again meanwhile, counts as deleted. */
  private void deleted(String name, @Nullable Throwable thrown) {
    if (thrown == null) {
      LOG.info("A CiliumNode without a Kubernetes Node was deleted. node={}", name);
      return;
    }
    ApiFailure failure =
        thrown instanceof KubernetesClientException e
            ? cluster.failure(e)
            : new ApiFailure(Kind.UNKNOWN, String.valueOf(thrown.getMessage()));
    if (failure.kind() != Kind.NOT_FOUND && failure.kind() != Kind.CONFLICT) {
      LOG.warn("A stale CiliumNode was not deleted. node={} cause={}", name, failure.text());
    }
  }

  @Override
  public void close() {
    synchronized (lock) {
      closed = true;
      if (next != null) {
        next.cancel();
      }
    }
  }
}
