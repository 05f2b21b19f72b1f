package io.tidemark.node;

import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.Inventory;
import java.util.Optional;

/** What forbids any decision about a node now (node-manager 3.6). Used on the node's lane. */
final class NodeGate {
  private final NodeParts node;
  private final NodeWriting writing;
  private final InstanceReader reader;
  private final NodeBackoff trouble;

  NodeGate(NodeParts node, NodeWriting writing, InstanceReader reader, NodeBackoff trouble) {
    this.node = node;
    this.writing = writing;
    this.reader = reader;
    this.trouble = trouble;
  }

  /** The first reason; empty when decisions may be made. */
  Optional<Blocked> blocked() {
    Optional<Blocked> unknown =
        node.operations()
            .inventory()
            .match(
                known -> Optional.<Blocked>empty(),
                missing ->
                    missing.authoritative() || node.environment().readiness().isReady()
                        ? missing.why().or(() -> Optional.of(missing(missing)))
                        : Optional.<Blocked>empty(), // nobody has asked the cloud yet
                limits ->
                    Optional.of(
                        new Blocked(
                            BlockedReason.LIMITS_UNKNOWN,
                            "instance type '" + limits.instanceType() + "'")),
                untouchable -> Optional.of(untouchable.reason()));
    return unknown
        .or(() -> node.environment().readiness().blocked())
        .or(writing::blocked)
        .or(reader::blocked)
        .or(trouble::blocked);
  }

  private Blocked missing(Inventory.InstanceMissing missing) {
    return new Blocked(
        BlockedReason.INSTANCE_MISSING,
        "the cloud "
            + (missing.authoritative() ? "says there is no " : "showed no ")
            + node.instanceId());
  }
}
