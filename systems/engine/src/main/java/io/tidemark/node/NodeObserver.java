package io.tidemark.node;

import io.tidemark.ip.AddressSet;
import io.tidemark.node.ResourceFacts.AgentKind;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.Inventory;
import io.tidemark.time.Trigger;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * Takes in what cloud, object and cluster show of one node, and asks for the read of the instance
 * or the write of the object that this makes necessary. Knows what must not be believed yet: what
 * another operator does, what reads soon after the start show, what a single read does not show.
 * Confined to the node's lane.
 */
final class NodeObserver {
  private final NodeParts node;
  private final NodeView view;
  private final InstanceReader reader;
  private final Trigger writes;
  private final ForeignWriterGuard foreignWriter;
  private final StartupQuarantine quarantine;
  private final MissingAddresses missing;
  private final Consumer<NodeResource> inherited;

  /**
   * Of one node.
   *
   * @param writes asks for a write of the object
   * @param resource what the node begins with
   * @param departed used addresses of another instance that had the name before
   * @param inherited receives a version with which the node is to begin again, on the lane
   */
  NodeObserver(
      NodeParts node,
      NodeView view,
      InstanceReader reader,
      Trigger writes,
      NodeResource resource,
      AddressSet departed,
      Consumer<NodeResource> inherited) {
    this.node = node;
    this.view = view;
    this.reader = reader;
    this.writes = writes;
    this.foreignWriter = new ForeignWriterGuard(node.name(), node.environment(), resource);
    this.quarantine = new StartupQuarantine(node.environment(), resource);
    this.missing = new MissingAddresses(node.name(), node.environment(), departed);
    this.inherited = inherited;
  }

  void observe() {
    Inventory inventory = node.operations().inventory();
    if (inventory instanceof Inventory.InstanceMissing absent) {
      reader.missing(absent.authoritative());
    } else if (inventory instanceof Inventory.Known) {
      reader.found();
    }
    boolean changed = view.refresh(inventory, missing.departed());
    if (othersMayHaveChangedIt()) {
      reader.readAnew();
    }
    if (changed) {
      writes.trigger("cloud or handshake changed");
    }
    lookForUsedAddresses();
  }

  private boolean othersMayHaveChangedIt() {
    NodeSnapshot now = view.snapshot();
    boolean doubtful = false;
    if (now != null) {
      quarantine.pictured(now.inventory());
      doubtful = quarantine.wantsRead(now.inventory(), node.environment().now());
    }
    return foreignWriter.isOver() || doubtful;
  }

  private void lookForUsedAddresses() {
    NodeSnapshot now = view.snapshot();
    if (now == null) {
      missing.instanceUnknown();
      return;
    }
    if (missing.observe(now.inventory(), view.facts().used(), reader.moment(), reader.lastRead())) {
      writes.trigger("used addresses are gone");
    }
    if (missing.wantsRead()) {
      reader.request("used addresses are missing");
    }
  }

  /**
   * The watch delivered a version; what counts is the newest one, which may be another already.
   *
   * @return false for an own write that comes back, which changes nothing
   */
  boolean updated(NodeResource resource) {
    String version = resource.resourceVersion();
    boolean seen = !version.isEmpty() && version.equals(view.facts().version());
    if (!seen) {
      look();
    }
    if (!view.take(resource) && seen) {
      return false;
    }
    node.operations().updatedNode(resource);
    return true;
  }

  /**
   * The object as a write left it or a read found it. It may be older than what the watch delivered
   * while the answer travelled: then it only proves that our mark was published (D-5), and the
   * newest version counts.
   */
  void saw(NodeResource resource) {
    if (node.cancellation().isCancelled()) {
      return;
    }
    view.takeAnswer(resource);
    observe();
    NodeResource newest = node.latest().orElse(resource);
    if (!newest.resourceVersion().equals(resource.resourceVersion())) {
      look();
      view.take(newest);
      observe();
    }
    node.operations().updatedNode(newest);
  }

  void look() {
    node.latest().ifPresent(this::look);
  }

  /** Looks at {@code newest} for the writes of others. */
  void look(NodeResource newest) {
    switch (foreignWriter.seen(newest)) {
      case EXPECTED -> {}
      case FOREIGN -> view.forgetHandshake();
      case INHERITED -> inherited.accept(newest);
    }
  }

  void added(AddressSet addresses) {
    if (quarantine.added(addresses)) {
      writes.trigger("addresses added");
    }
  }

  /** The addresses that we have added since the start, as long as that makes a difference. */
  AddressSet ownAdditions() {
    return quarantine.own();
  }

  /** The instance was read, by itself or with the whole account. */
  void read() {
    if (reader.blocked().isPresent()) {
      return;
    }
    boolean resumed = foreignWriter.trusted();
    boolean proven = quarantine.trusted();
    if (resumed || proven) {
      writes.trigger(resumed ? "the other operator is quiet" : "proven by a later read");
    }
  }

  ForeignWriterGuard foreignWriter() {
    return foreignWriter;
  }

  Optional<Blocked> blocked() {
    return unknown()
        .or(() -> node.environment().readiness().blocked())
        .or(foreignWriter::blocked)
        .or(reader::blocked);
  }

  private Optional<Blocked> unknown() {
    return node.operations()
        .inventory()
        .match(
            known -> Optional.<Blocked>empty(),
            missing ->
                missing.authoritative() || node.environment().readiness().isReady()
                    ? missing.why().or(() -> Optional.of(missing(missing)))
                    : Optional.<Blocked>empty(), // the cloud was not read yet
            limits ->
                Optional.of(
                    new Blocked(
                        BlockedReason.LIMITS_UNKNOWN,
                        "instance type '" + limits.instanceType() + "'")),
            untouchable -> Optional.of(untouchable.reason()));
  }

  private Blocked missing(Inventory.InstanceMissing missing) {
    return new Blocked(
        BlockedReason.INSTANCE_MISSING,
        "the cloud "
            + (missing.authoritative() ? "says there is no " : "showed no ")
            + node.instanceId());
  }

  Optional<Blocked> warning() {
    return missing.warning();
  }

  /** Used addresses that the cloud does not show, and that are not confirmed as gone. */
  AddressSet missed() {
    return missing.missed();
  }

  /** Whether a read or a pause has still to end before the object can be written as it should. */
  boolean isWaiting() {
    NodeSnapshot now = view.snapshot();
    return reader.isWaiting()
        || missing.isWaiting()
        || foreignWriter.keepsStill()
        || (now != null && !quarantine.unproven(now.inventory()).isEmpty());
  }

  /** When time ends what is waited for; only instants to come. */
  OptionalLong nextWakeUp() {
    long now = node.environment().now();
    OptionalLong due =
        NodeEnvironment.earlier(foreignWriter.nextWakeUp(), quarantine.nextWakeUp(now), now);
    return NodeEnvironment.earlier(due, missing.nextWakeUp(), now);
  }

  /** Whether the object may say {@code now}. */
  boolean mayPublish(NodeSnapshot now) {
    // A multi-pool agent takes what the status shows, which cannot be written in part.
    boolean doubtful =
        now.facts().kind() != AgentKind.SINGLE_ADDRESSES
            && !quarantine.unproven(now.inventory()).isEmpty();
    return !foreignWriter.keepsStill() && !doubtful;
  }

  /**
   * The required content of the object now; of {@code last} when the instance has vanished since.
   * Empty while it must not be written.
   */
  Optional<NodePublication> publication(NodeSnapshot last) {
    NodeSnapshot seen = view.snapshot();
    if (seen != null && !node.operations().inventory().equals(seen.inventory())) {
      observe();
    }
    NodeSnapshot current = view.snapshot();
    NodeSnapshot now = current == null ? last : current;
    return mayPublish(now)
        ? Optional.of(
            new NodePublication(
                now.inventory(),
                NodePublication.pool(now.inventory(), quarantine.unproven(now.inventory())),
                missing.mayLeave(),
                view.handshake(),
                node.operations().minimumAllocatableIpv4(),
                view.facts().kind()))
        : Optional.empty();
  }
}
