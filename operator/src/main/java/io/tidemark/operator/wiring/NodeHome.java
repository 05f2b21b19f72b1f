package io.tidemark.operator.wiring;

import io.tidemark.cluster.ClosedNodes;
import io.tidemark.cluster.KubeletCapacity;
import io.tidemark.cluster.ObjectEvents;
import io.tidemark.cluster.PendingPods;
import io.tidemark.resilience.Fence;
import io.tidemark.resilience.LearnedRates;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.spi.OperatorNotices;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.TaskScheduler;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Where the node resources live while the program runs. */
public interface NodeHome extends AutoCloseable {
  /** The store; one watcher. */
  NodeResourceStore store();

  /** What there cannot be used now; never blocks. */
  List<ResourceProblem> refused();

  /** Where a person is told of a node that waits for a person; nowhere by default. */
  default ObjectEvents events() {
    return ObjectEvents.NONE;
  }

  /** Where a person is told what concerns the whole operator; nowhere but in the log by default. */
  default OperatorNotices notices() {
    return OperatorNotices.NONE;
  }

  /** Whether the cloud may be changed from here, where several may want to; never blocks. */
  default Leading leading() {
    return Leading.ALONE;
  }

  /** Ends when the engine may begin, which another operator can hold up; at once by default. */
  default CompletionStage<?> turn() {
    return CompletableFuture.completedStage("ours");
  }

  /** Whether the nodes were all named once, so that more can be asked there; never blocks. */
  default boolean isRead() {
    return true;
  }

  /** What stands in the way of reading or changing the home, a sentence each; never blocks. */
  default List<String> trouble() {
    return List.of();
  }

  /** Requests of the engine to the home, held to the pace that it bears. */
  default EffectRunner paced(EffectRunner requests) {
    return requests;
  }

  /**
   * What sets the cluster apart from others of its name; empty where it is not known. May block for
   * a request; asked when the turn is ours.
   */
  default Optional<String> clusterUid() {
    return Optional.empty();
  }

  /** Asked before each change of the cloud; open where nobody else could be at work. */
  default Fence fence() {
    return Fence.OPEN;
  }

  /** What earlier leaders learned about the cloud's limits. */
  default LearnedRates learnedRates() {
    return LearnedRates.NONE;
  }

  /** Where what is learned is to be taken from, to be kept for the next leader. */
  default void learnFrom(Supplier<LearnedRates> rates) {
    // nobody follows
  }

  /** Pods that wait for an address; not counted by default. */
  default PendingPods pendingPods() {
    return PendingPods.UNKNOWN;
  }

  /** What the kubelets take; not known by default. */
  default KubeletCapacity kubelets() {
    return KubeletCapacity.UNKNOWN;
  }

  /** Nodes that take no new pods; none by default. */
  default ClosedNodes closedNodes() {
    return ClosedNodes.NONE;
  }

  /** Who is told the name of a node whose pods or kubelet changed; any thread. */
  default void demandGoesTo(Consumer<String> changed) {
    // nothing of that is watched
  }

  /** Ends, with the reason, when nothing may be changed from here any more; by default never. */
  default CompletionStage<String> lost() {
    return new CompletableFuture<>();
  }

  /** Writes now what was promised; ends when it is done, or given up after a while. */
  CompletionStage<?> flush();

  /**
   * Writes what is still to be written and lets go of the place; may block. A second call does
   * nothing.
   *
   * @return nodes whose last change was not written, or perhaps not, in words
   */
  List<String> shutDown();

  /** As {@link #shutDown}. */
  @Override
  void close();

  /** Who may work on the nodes of a home. */
  enum Leading {
    /** Nobody else can. */
    ALONE,
    /** This program, of several. */
    LEADER,
    /** Another one; this program watches. */
    STANDBY
  }

  /** Opens a home. */
  @FunctionalInterface
  interface Opener {
    /**
     * Opens it; may block.
     *
     * @param effects runs what blocks
     * @param readOnly nothing there is changed and nobody is kept away
     * @throws io.tidemark.error.IpamException when it cannot be read or somebody else works on it
     */
    NodeHome open(TaskScheduler scheduler, EffectRunner effects, boolean readOnly);
  }
}
