package io.tidemark.node;

import io.tidemark.resource.NodeResource;
import io.tidemark.resource.StoreResult;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the object from the store immediately before what an agent dropped is given back
 * (node-manager 4.9): no agent promises not to use it again, and a watch may lag longer than the
 * delay. Without an answer nothing is given back for a while. Confined to the node's lane.
 */
final class PreReleaseRead {
  private static final Logger LOG = LoggerFactory.getLogger(PreReleaseRead.class);

  private final NodeParts node;
  private int failures;
  private long notBeforeNanos;

  PreReleaseRead(NodeParts node) {
    this.node = node;
  }

  /** Ends on the lane: the object, where it was read and is still this node's. */
  CompletionStage<Optional<NodeResource>> read() {
    return node.read().thenApplyAsync(this::ended, node.lane());
  }

  private Optional<NodeResource> ended(StoreResult result) {
    if (result instanceof StoreResult.Stored stored && node.owns(stored.resource())) {
      failures = 0;
      return Optional.of(stored.resource());
    }
    failures++;
    notBeforeNanos = node.environment().now() + node.environment().backoffNanos(failures);
    LOG.warn(
        "Reading the resource failed; addresses that its agent dropped are kept for now. node={}"
            + " cause={}",
        node.name(),
        result instanceof StoreResult.Failed failed ? failed.detail() : "it is gone or another's");
    return Optional.empty();
  }

  /** Whether the last look failed a moment ago, so that what was dropped stays. */
  boolean pauses() {
    return failures > 0 && node.environment().now() - notBeforeNanos < 0;
  }

  /** When the next look may be made; empty when it may be now. */
  OptionalLong nextWakeUp() {
    return pauses() ? OptionalLong.of(notBeforeNanos) : OptionalLong.empty();
  }
}
