package io.tidemark.operator.wiring;

import io.tidemark.node.NodeEvents;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.TaskScheduler;
import java.util.List;
import java.util.concurrent.CompletionStage;

/** Where the node resources live while the program runs. */
public interface NodeHome extends AutoCloseable {
  /** The store; one watcher. */
  NodeResourceStore store();

  /** What there cannot be used now; never blocks. */
  List<ResourceProblem> refused();

  /** Where a person is told of a node that waits for a person; nowhere by default. */
  default NodeEvents events() {
    return NodeEvents.NONE;
  }

  /** Whether the cloud may be changed from here, where several may want to; never blocks. */
  default Leading leading() {
    return Leading.ALONE;
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
