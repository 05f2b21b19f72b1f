package io.tidemark.cluster;

import io.tidemark.ip.Cidr;
import io.tidemark.resource.CatchUp;
import io.tidemark.resource.NodeResourceStore.Watch;
import io.tidemark.resource.ObjectWatcher;
import io.tidemark.time.EffectRunner;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * The Kubernetes Nodes of a cluster, in memory, in a directory or in the Kubernetes API.
 * Thread-safe.
 *
 * <p><b>Monotone reads.</b> A store instance never returns, from a read, a change or {@link
 * #latest}, or delivers to its watcher a version older than one it has returned or delivered
 * before, unless the backend itself was restored to an older state.
 *
 * <p>{@link #get}, {@link #assignPodCidrs}, {@link #annotate} and {@link #networkAvailable} make
 * one blocking request each and run as leaves of an effect runner. A change names the uid that was
 * seen, so that it never reaches another incarnation of the name.
 */
public interface ClusterNodeStore {
  /** The newest version that this instance knows; makes no request and never blocks. */
  Optional<ClusterNode> latest(String name);

  /** Names of all nodes that this instance knows; never blocks. */
  List<String> names();

  /**
   * Delivers every node, then {@code synced}, then changes in order; a new version that means the
   * same is not delivered. A new incarnation of a name is delivered as a deletion and an addition.
   * One watcher per instance.
   */
  Watch watch(ObjectWatcher<ClusterNode> watcher);

  /** Reads the node from the backend, as it is when the request arrives there. */
  Reading get(String name);

  /**
   * Sets {@code spec.podCIDRs} and {@code spec.podCIDR} of a node that has none. The same again is
   * accepted and changes nothing; others than it has are {@link NodeChange.Occupied}.
   *
   * @param uid of the incarnation, as {@link ClusterNode#uid} has it
   * @param cidrs one block per family, one or two
   * @throws IllegalArgumentException when there is none, or two of a family
   */
  NodeChange assignPodCidrs(String name, String uid, List<Cidr> cidrs);

  /**
   * Sets the condition {@code NetworkUnavailable} of a node to {@code False}, because its network
   * has a route.
   *
   * @param uid of the incarnation, as {@link ClusterNode#uid} has it
   */
  NodeChange networkAvailable(String name, String uid);

  /** Whether conditions of nodes are kept here, so that {@link #networkAvailable} can be used. */
  default boolean keepsConditions() {
    return true;
  }

  /**
   * Adds annotations to a node that still has the version that was seen, or replaces those of these
   * names; never {@link NodeChange.Occupied}. A node of another version is not changed, and the
   * caller is asked to wait: it reads the node and decides again.
   *
   * @param seen the incarnation and its version
   * @param annotations by name, which begins with {@link ClusterNode#ANNOTATIONS}
   * @throws IllegalArgumentException when another name is among them
   */
  NodeChange annotate(ClusterNode seen, Map<String, String> annotations);

  /**
   * Catches up with the backend: afterwards {@link #latest}, {@link #names} and the watch include
   * every change and deletion before this call. The default completes at once, for stores with
   * direct reads.
   *
   * @param effects runs the requests, one leaf each
   * @return never ends exceptionally; after {@link CatchUp.Failed} the caller retries with back-off
   */
  default CompletionStage<CatchUp> catchUp(EffectRunner effects) {
    return CompletableFuture.completedStage(new CatchUp.Done());
  }

  /**
   * How often the watch was interrupted: what the backend did in between may never be told, such as
   * its restore from a backup. What must be given to one node alone is given out only after a
   * {@link #catchUp} that began after the last interruption. Grows; never blocks. Always 0 for
   * stores with direct reads.
   */
  default long interruptions() {
    return 0;
  }

  /**
   * Checks what {@link #assignPodCidrs} is given.
   *
   * @throws IllegalArgumentException as there
   */
  static void requireOnePerFamily(List<Cidr> cidrs) {
    if (cidrs.isEmpty() || cidrs.stream().map(Cidr::family).distinct().count() != cidrs.size()) {
      throw new IllegalArgumentException(cidrs + " is not one block per family");
    }
  }

  /**
   * Checks what {@link #annotate} is given.
   *
   * @throws IllegalArgumentException as there
   */
  static void requireOwnNames(Map<String, String> annotations) {
    for (String name : annotations.keySet()) {
      if (!name.startsWith(ClusterNode.ANNOTATIONS)) {
        throw new IllegalArgumentException(
            "annotation " + name + " does not begin with " + ClusterNode.ANNOTATIONS);
      }
    }
  }

  /** How {@link #get} ended. */
  sealed interface Reading {
    /** The newest version known, which may be newer than the answer. */
    record Found(ClusterNode node) implements Reading {}

    /** There is no such node. */
    record Absent() implements Reading {}

    /** The backend did not answer, or what it has cannot be read. */
    record Failed(String detail) implements Reading {}
  }
}
