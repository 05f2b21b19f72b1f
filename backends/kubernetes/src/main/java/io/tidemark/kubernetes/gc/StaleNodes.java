package io.tidemark.kubernetes.gc;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.tidemark.cluster.ClusterNodeStore.Reading;
import io.tidemark.error.CoreError;
import io.tidemark.kubernetes.ApiFailure;
import io.tidemark.kubernetes.ApiFailure.Kind;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.Rounds;
import io.tidemark.kubernetes.store.ClusterNodes;
import io.tidemark.kubernetes.store.KubernetesNodeResourceStore;
import io.tidemark.resilience.Fence;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.OperatorNotices;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.EffectSite;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes CiliumNodes without an owner whose Kubernetes Node is missing, in the second round that
 * finds them (node-manager 5.9, {@code nodes-gc-interval}). Nothing is deleted on the word of a
 * watch alone: while a watch is interrupted no round is made, the server is asked for the Node
 * right before the deletion, and one round deletes a share of the objects at most. A deletion names
 * the uid and the version that were checked, so the object of a node that came back is kept.
 * Thread-safe; never blocks.
 */
public final class StaleNodes implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StaleNodes.class);
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final ClusterConnection cluster;
  private final KubernetesNodeResourceStore store;
  private final ClusterNodes nodes;
  private final Duration interval;
  private final Rounds rounds;
  private final EffectRunner effects;
  private final Fence fence;
  private final OperatorNotices notices;
  private Set<String> marked = Set.of();
  private boolean paused;

  private StaleNodes(
      ClusterConnection cluster,
      KubernetesNodeResourceStore store,
      ClusterNodes nodes,
      Duration interval,
      TaskScheduler scheduler,
      EffectRunner effects,
      Fence fence,
      OperatorNotices notices) {
    this.cluster = cluster;
    this.store = store;
    this.nodes = nodes;
    this.interval = interval;
    this.rounds = new Rounds(scheduler);
    this.effects = effects;
    this.fence = fence;
    this.notices = notices;
  }

  /**
   * Checks every {@code interval}.
   *
   * @param fence deletes only while it is open
   * @param notices receives {@code NODES_MISSING} when more objects are stale than one round
   *     deletes
   */
  public static StaleNodes start(
      ClusterConnection cluster,
      KubernetesNodeResourceStore store,
      ClusterNodes nodes,
      Duration interval,
      TaskScheduler scheduler,
      EffectRunner effects,
      Fence fence,
      OperatorNotices notices) {
    StaleNodes started =
        new StaleNodes(cluster, store, nodes, interval, scheduler, effects, fence, notices);
    started.rounds.after(interval, started::round);
    return started;
  }

  private void round() {
    Optional<String> trouble = trouble();
    Set<String> stale = trouble.isEmpty() ? stale() : Set.of();
    StaleRound round = StaleRound.of(marked, stale, store.names().size());
    boolean pauses = trouble.isPresent() && !paused;
    paused = trouble.isPresent();
    marked = stale;
    if (pauses) {
      LOG.warn(
          "CiliumNodes without a Kubernetes Node are not searched for while a watch is interrupted."
              + " cause={}",
          trouble.orElseThrow());
    }
    round.tooMany().ifPresent(this::tooMany);
    round.due().forEach(this::check);
    rounds.after(interval, this::round);
  }

  /** Why what is missing in a watch may exist; empty when both watches work. */
  private Optional<String> trouble() {
    return store.trouble().or(nodes::trouble);
  }

  private void tooMany(String detail) {
    CoreError code = CoreError.NODES_MISSING;
    LOG.warn("{} {}: {}. {}", code.label(), code, detail, code.remedy());
    notices.report(code, detail);
  }

  /** Names of objects without an owner and without a Kubernetes Node. */
  private Set<String> stale() {
    Set<String> stale = new TreeSet<>();
    for (String name : store.names()) {
      if (candidate(name).isPresent() && nodes.exists(name).equals(Optional.of(false))) {
        stale.add(name);
      }
    }
    return stale;
  }

  /** The object, if it may be deleted when its node is gone. */
  private Optional<NodeResource> candidate(String name) {
    return store
        .latest(name)
        .filter(node -> !node.owned() && !node.beingDeleted() && node.uid().isPresent());
  }

  /** Asks the server for the Node, which the watch does not show. */
  private void check(String name) {
    run("get node", name, () -> nodes.get(name), (read, thrown) -> checked(name, read, thrown));
  }

  private void checked(String name, @Nullable Reading read, @Nullable Throwable thrown) {
    if (read instanceof Reading.Absent) {
      candidate(name).ifPresent(this::delete);
    } else if (read instanceof Reading.Found) {
      LOG.warn(
          "A CiliumNode is kept: its Kubernetes Node exists, although the watch does not show it."
              + " node={}",
          name);
    } else {
      String cause =
          read instanceof Reading.Failed failed ? failed.detail() : String.valueOf(thrown);
      LOG.warn(
          "A CiliumNode is kept: its Kubernetes Node cannot be read. node={} cause={}",
          name,
          cause);
    }
  }

  private void delete(NodeResource node) {
    Map<String, Object> options =
        Map.of(
            "apiVersion",
            "v1",
            "kind",
            "DeleteOptions",
            "preconditions",
            Map.of("uid", node.uid().orElseThrow(), "resourceVersion", node.resourceVersion()));
    String path = "/apis/cilium.io/v2/ciliumnodes/" + node.name();
    run(
        "delete",
        node.name(),
        () -> fence.isOpen() && !cluster.client().raw(path, "DELETE", options).isEmpty(),
        (sent, thrown) -> deleted(node.name(), sent, thrown));
  }

  private <T> void run(
      String operation, String name, Callable<T> leaf, BiConsumer<@Nullable T, Throwable> ended) {
    effects.run(new EffectSite(operation, name), TIMEOUT, leaf).stage().whenComplete(ended);
  }

  /** An object that is gone already, or has changed meanwhile, needs no deletion now. */
  private void deleted(String name, @Nullable Boolean sent, @Nullable Throwable thrown) {
    if (thrown == null) {
      if (Boolean.TRUE.equals(sent)) {
        LOG.info("A CiliumNode without a Kubernetes Node was deleted. node={}", name);
      }
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
    rounds.close();
  }
}
