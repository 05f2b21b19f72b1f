package io.tidemark.node;

import io.tidemark.ip.AddressSet;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.NodeSettings;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * One node with one instance: takes events, lets its parts draw the consequences, publishes how it
 * stands (node-manager 3). Confined to its lane, but for {@link #standing()}, {@link #settled},
 * {@link #untouchedByScan} and {@link #close}. A turn never blocks.
 *
 * <p>What is known is {@link NodeView}'s, what is changed in the cloud {@link NodeMaintenance}'s,
 * what is read back {@link InstanceReader}'s, what is written {@link NodeWriting}'s, what fails
 * {@link NodeBackoff}'s, how it stands {@link PublishedStanding}'s.
 */
final class Node {
  private final String name;
  private final InstanceId instanceId;
  private final NodeEnvironment environment;
  private final Lane lane;
  private final Cancellation cancellation = new Cancellation();
  private final NodeOperations operations;
  private final NodeView view;
  private final NodeWriting writing;
  private final MissingAddressWatch missing;
  private final InstanceReader reader;
  private final NodeBackoffs troubles;
  private final NodeWaits waits;
  private final Alarm alarm;
  private final NodeMaintenance maintenance;
  private final PublishedStanding standing;

  /**
   * On the lane.
   *
   * @param departed used addresses of another instance that had the name before
   * @param published hears every change of the standing, on the lane
   * @param inherited receives a version with which the node is to begin again, on the lane
   */
  Node(
      String name,
      InstanceId instanceId,
      NodeResource resource,
      NodeEnvironment environment,
      Lane lane,
      AddressSet departed,
      Consumer<Standing> published,
      Consumer<NodeResource> inherited) {
    this.name = name;
    this.instanceId = instanceId;
    this.environment = environment;
    this.lane = lane;
    NodeManagerConfig config = environment.config();
    this.standing = new PublishedStanding(config, lane, published);
    AllocationImplementation provider = environment.ports().provider();
    this.operations =
        provider.createNode(
            new NodeSettings(
                name,
                config.engine().prefixDelegation(),
                config.release().enabled(),
                config.referenceCompatible()),
            resource);
    this.view = new NodeView(name, environment, operations, resource);
    NodeParts parts = new NodeParts(name, instanceId, environment, operations, lane, cancellation);
    this.missing = new MissingAddressWatch(name, environment, departed);
    this.writing =
        new NodeWriting(
            parts,
            view,
            resource,
            missing,
            this::sawObject,
            this::recalculate,
            this::wrote,
            inherited);
    this.troubles = NodeBackoffs.of(environment);
    PreReleaseRead preReleaseRead = new PreReleaseRead(parts, this::looked);
    this.alarm = new Alarm(environment.ports().scheduler(), () -> lane.execute(this::alarmed));
    this.reader = new InstanceReader(name, instanceId, environment, cancellation, lane, this::read);
    this.waits =
        new NodeWaits(environment, view, writing, missing, reader, troubles, preReleaseRead);
    this.maintenance =
        new NodeMaintenance(
            parts,
            view,
            writing,
            reader,
            troubles,
            preReleaseRead,
            this::recalculate,
            this::publish);
  }

  /** The instance this node stands for. */
  InstanceId instanceId() {
    return instanceId;
  }

  /** What we have added since it began, for a life that follows with the same instance. */
  AddressSet ownAdditions() {
    return writing.ownAdditions();
  }

  /** How it stood after the last turn; any thread. */
  Standing standing() {
    return standing.standing();
  }

  /** Whether no write of the resource is due or under way; any thread. */
  boolean isWritten() {
    return writing.isIdle();
  }

  /** Whether the next step is somebody else's; any thread. */
  boolean settled() {
    return !standing.standing().waiting()
        && maintenance.isIdle()
        && writing.isIdle()
        && reader.isIdle()
        && lane.isIdle();
  }

  /**
   * First turn: what the constructor's resource and the cache say.
   *
   * @param own what we added to the instance in a life before
   */
  void begin(AddressSet own) {
    if (!own.isEmpty()) {
      writing.added(own);
    }
    recalculate();
    writing.request("discovered");
    afterEvent("discovered");
  }

  /** A new version of the resource; own writes that come back change nothing. */
  void resourceUpdated(NodeResource resource) {
    if (cancellation.isCancelled() || isOwnWrite(resource)) {
      return;
    }
    writing.look();
    view.take(resource);
    operations.updatedNode(resource);
    troubles.pool().signOfLife();
    recalculate();
    writing.request("resource updated");
    afterEvent("resource updated");
  }

  private boolean isOwnWrite(NodeResource resource) {
    return !resource.resourceVersion().isEmpty()
        && resource.resourceVersion().equals(view.facts().version());
  }

  /**
   * The object as a write or read of ours left it. It may be older than what the watch delivered
   * while the answer travelled: then it only proves that our mark was published (D-5), and the
   * newest version counts.
   */
  private void sawObject(NodeResource resource) {
    if (cancellation.isCancelled()) {
      return;
    }
    view.take(resource);
    recalculate();
    NodeResource newest = environment.ports().store().latest(name).orElse(resource);
    if (!newest.resourceVersion().equals(resource.resourceVersion())) {
      writing.look();
      view.take(newest);
      recalculate();
    }
    operations.updatedNode(newest);
    afterEvent("object read");
  }

  /** The object as the store has it, which the watch may not have shown yet. */
  private void looked(NodeResource resource) {
    writing.look();
    sawObject(resource);
  }

  /** A full scan arrived that began at {@code startedGeneration}. */
  void scanned(long startedGeneration) {
    if (!cancellation.isCancelled()) {
      reader.scanned(startedGeneration);
      trusted();
      recalculate();
      maintenance.request("scan");
      writing.request("scan");
      publish();
    }
  }

  /**
   * Whether a full scan has nothing to tell this node; any thread. A turn that is under way makes
   * no difference: it looks at the inventory itself.
   */
  boolean untouchedByScan() {
    return standing.isCalmWith(operations.inventory()) && view.clusterIsCurrent();
  }

  /** The instances API may be changed again. */
  void ready() {
    maintenance.request("instances API is ready");
  }

  /** Reads the instance anew, unless the node must not be touched. */
  void requestSync() {
    if (!(operations.inventory() instanceof Inventory.Untouchable)) {
      reader.request("requested");
    }
  }

  /** Runs a pass. */
  void requestMaintenance() {
    maintenance.request("requested");
  }

  /** The explanation of this moment, on the lane. */
  Explanation explain() {
    recalculate();
    return Explanation.of(
        name,
        standing.standing(),
        Optional.ofNullable(view.snapshot()),
        maintenance.plan(),
        blocked().or(missing::matter),
        view.handshake(),
        view.facts(),
        missing.missed(),
        maintenance.waitedNanos());
  }

  /** Ends everything; only compensation goes on. Any thread; idempotent. */
  void close() {
    cancellation.cancel();
    maintenance.close();
    writing.close();
    reader.close();
    lane.execute(alarm::cancel);
  }

  /**
   * Ends when no request is on the wire any more, neither of a pass nor of a write; on the lane.
   */
  CompletionStage<?> quiet() {
    return maintenance.quiet().thenCombine(writing.quiet(), (pass, write) -> true);
  }

  // ---- deciding

  private void recalculate() {
    Inventory inventory = operations.inventory();
    if (inventory instanceof Inventory.InstanceMissing missing) {
      reader.missing(missing.authoritative());
    } else if (inventory instanceof Inventory.Known) {
      reader.found();
    }
    boolean changed = view.refresh(inventory);
    if (writing.wantsRead()) {
      reader.readAnew();
    }
    if (changed) {
      writing.request("cloud or handshake changed");
    }
    lookForUsedAddresses();
  }

  private void lookForUsedAddresses() {
    NodeSnapshot now = view.snapshot();
    if (now == null) {
      missing.instanceUnknown();
      return;
    }
    if (missing.observe(now, reader.moment(), reader.lastRead())) {
      writing.request("used addresses are gone");
    }
    if (missing.wantsRead()) {
      reader.request("used addresses are missing");
    }
  }

  /** The instance was read, or could not be. */
  private void read() {
    if (!cancellation.isCancelled()) {
      trusted();
      recalculate();
      afterEvent("instance read");
    }
  }

  private void trusted() {
    if (reader.blocked().isEmpty()) {
      writing.trusted();
    }
  }

  private void alarmed() {
    alarm.rang();
    if (!cancellation.isCancelled()) {
      recalculate();
      maintenance.request("timer");
      writing.again();
      publish();
    }
  }

  private void wrote(NodeStatusWriter.Result result) {
    troubles.pool().wrote(name, result);
    publish();
  }

  /** Why it cannot go on, or cannot say so. */
  private Optional<Blocked> blocked() {
    return maintenance
        .blocked()
        .or(troubles.staticAddress()::blocked)
        .or(troubles.pool()::writeRefused);
  }

  /** Decides whether the event asks for a pass, and publishes how the node stands. */
  private void afterEvent(String reason) {
    maintenance.requestIfNeeded(reason);
    publish();
  }

  private void publish() {
    if (cancellation.isCancelled()) {
      return; // what still comes in of a node that is gone counts no more
    }
    waits.nextWakeUp().ifPresent(alarm::noLaterThan);
    standing.publish(view, blocked(), missing.matter(), waits.expected());
  }
}
