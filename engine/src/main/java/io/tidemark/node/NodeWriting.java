package io.tidemark.node;

import io.tidemark.ip.AddressSet;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.Blocked;
import io.tidemark.time.Trigger;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * When and with what a node's resource is written (node-manager 6): never while another operator
 * writes it, and never with addresses that an old read may have shown. Confined to the node's lane,
 * but for {@link #isIdle} and {@link #close}.
 */
final class NodeWriting {
  private static final CompletionStage<Void> DONE = CompletableFuture.completedStage(null);

  private final NodeParts node;
  private final NodeView view;
  private final NodeEnvironment environment;
  private final ForeignWriterGuard foreignWriter;
  private final StartupQuarantine quarantine;
  private final FirstWrite first;
  private final MissingAddressWatch missing;
  private final NodeStatusWriter writer;
  private final Runnable recalculate;
  private final Consumer<NodeStatusWriter.Result> ended;
  private final Trigger trigger;
  private CompletionStage<?> writing = DONE;
  private boolean failed;
  private volatile boolean closed;

  /**
   * Of one node.
   *
   * @param resource what the node begins with
   * @param missing which used addresses may leave the pool
   * @param saw receives the object as a write left it or a read found it, on the lane
   * @param recalculate takes the inventory of this moment into the view, on the lane
   * @param ended receives how a write ended, on the lane
   * @param inherited receives a version with which the node is to begin again, on the lane
   */
  NodeWriting(
      NodeParts node,
      NodeView view,
      NodeResource resource,
      MissingAddressWatch missing,
      Consumer<NodeResource> saw,
      Runnable recalculate,
      Consumer<NodeStatusWriter.Result> ended,
      Consumer<NodeResource> inherited) {
    this.node = node;
    this.view = view;
    this.environment = node.environment();
    this.recalculate = recalculate;
    this.ended = ended;
    this.foreignWriter =
        new ForeignWriterGuard(
            node.name(), environment, resource, view::forgetHandshake, inherited);
    this.quarantine = new StartupQuarantine(environment, resource);
    this.missing = missing;
    this.first = new FirstWrite(node, resource, this::passEnded);
    this.writer =
        new NodeStatusWriter(
            node.name(),
            environment,
            node.operations(),
            node.lane(),
            foreignWriter,
            this::isMine,
            saw);
    this.trigger =
        Trigger.ofStages(environment.triggers().k8sSync(), node.lane(), reasons -> write());
  }

  /** Asks for a write; equal content sends nothing. */
  void request(String reason) {
    trigger.trigger(reason);
  }

  /** Asks for a write when the last one failed. */
  void again() {
    if (failed) {
      trigger.trigger("write again");
    }
  }

  /** A pass has ended, or could do nothing: what waited for its addresses is written now. */
  void passEnded() {
    if (first.end()) {
      trigger.trigger("first pass ended");
    }
  }

  /** A version came; what counts is the newest one, which may be another already. */
  void look() {
    environment.ports().store().latest(node.name()).ifPresent(foreignWriter::seen);
  }

  /** We have added these to the instance. */
  void added(AddressSet addresses) {
    if (quarantine.added(addresses)) {
      trigger.trigger("addresses added");
    }
  }

  /** What we have added since the start, as long as that makes a difference. */
  AddressSet ownAdditions() {
    return quarantine.own();
  }

  /**
   * To be asked with every new picture: whether the instance is to be read now, before anything is
   * written; true once per reason.
   */
  boolean wantsRead() {
    NodeSnapshot now = view.snapshot();
    boolean doubtful = false;
    if (now != null) {
      quarantine.pictured(now);
      doubtful = quarantine.wantsRead(now, environment.now());
    }
    return foreignWriter.isOver() || doubtful;
  }

  /** The inventory can be trusted. */
  void trusted() {
    boolean resumed = foreignWriter.trusted();
    boolean proven = quarantine.trusted();
    if (resumed || proven) {
      trigger.trigger(resumed ? "the other operator is quiet" : "proven by a later read");
    }
  }

  /** Why the cloud must not be changed. */
  Optional<Blocked> blocked() {
    return foreignWriter.blocked();
  }

  /** When time ends what keeps the pool from being written. */
  OptionalLong nextWakeUp() {
    long now = environment.now();
    return Earliest.of(foreignWriter.nextWakeUp(), quarantine.nextWakeUp(now), now);
  }

  /** Whether something is still to be written that cannot be now. */
  boolean isWaiting() {
    NodeSnapshot now = view.snapshot();
    return foreignWriter.keepsStill() || (now != null && !quarantine.unproven(now).isEmpty());
  }

  /** Whether no write is queued or running; any thread. */
  boolean isIdle() {
    return trigger.isIdle();
  }

  /** Ends when no write is on the wire any more. */
  CompletionStage<?> quiet() {
    return writing;
  }

  /** Ends it; any thread. */
  void close() {
    closed = true;
    trigger.shutdown();
    node.lane().execute(first::end);
  }

  /** What we know is not about another instance of the same name. */
  private boolean isMine(NodeResource resource) {
    return !closed && node.owns(resource);
  }

  private CompletionStage<?> write() {
    NodeSnapshot now = view.snapshot();
    if (closed
        || now == null
        || foreignWriter.keepsStill()
        || statusIsInDoubt(now)
        || first.holds(now)) {
      return DONE;
    }
    failed = false;
    writing = writer.write(() -> publication(now)).thenAcceptAsync(this::wrote, node.lane());
    return writing;
  }

  /** A multi-pool agent takes what the status shows, which cannot be written in part. */
  private boolean statusIsInDoubt(NodeSnapshot now) {
    return now.facts().multiPool() && !quarantine.unproven(now).isEmpty();
  }

  /**
   * What the object shall say now; of the last that is known when the instance has vanished.
   * Nothing while it must not be written.
   */
  private Optional<NodePublication> publication(NodeSnapshot last) {
    NodeSnapshot seen = view.snapshot();
    if (seen != null && !node.operations().inventory().equals(seen.inventory())) {
      recalculate.run();
    }
    NodeSnapshot current = view.snapshot();
    NodeSnapshot now = current == null ? last : current;
    return foreignWriter.keepsStill() || statusIsInDoubt(now)
        ? Optional.empty()
        : Optional.of(
            NodePublication.of(
                now.inventory(),
                quarantine.unproven(now),
                missing.mayLeave(),
                view.handshake(),
                now.inventory().statistics().staticAddress(),
                node.operations().minimumAllocatableIpv4()));
  }

  private void wrote(NodeStatusWriter.Result result) {
    failed = !(result instanceof NodeStatusWriter.Result.Done);
    ended.accept(result);
  }
}
