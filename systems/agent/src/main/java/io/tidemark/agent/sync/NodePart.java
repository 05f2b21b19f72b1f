package io.tidemark.agent.sync;

import io.tidemark.resource.NodeResource;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** The part of the node's object that a mode of the agent reads and owns. One lane calls it. */
public interface NodePart {
  /** Where the agent writes. */
  enum Half {
    SPEC,
    STATUS
  }

  Half half();

  /** Whether an object is of this instance, and not of an earlier one of the same name. */
  boolean isOurs(NodeResource resource);

  /**
   * Everything that survived a restart is allocated again: from now on something may be answered
   * and given back.
   */
  void restored();

  /** There is no object of this instance. */
  void gone();

  /**
   * Takes in a version, which is not older than the one before.
   *
   * @return the version with everything that the agent has to say in it
   */
  NodeResource applied(NodeResource base);

  /**
   * A version without what an agent of another kind left in the half that this one does not write,
   * as far as it can go now. It is written when the own half says all that it has to say.
   *
   * @param base the version that was taken in last
   */
  default NodeResource cleared(NodeResource base) {
    return base;
  }

  /**
   * Makes durable what the next process must know before what {@link #applied} returned last is
   * written. By default there is nothing.
   *
   * @return ends, never exceptionally, with why that failed, so that nothing is written now; empty
   *     when it is durable
   */
  default CompletionStage<Optional<String>> persist() {
    return CompletableFuture.completedStage(Optional.empty());
  }

  /** When the version that was taken in last is to be taken in again, if ever. */
  OptionalLong nextLookNanos();
}
