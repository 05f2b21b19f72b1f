package io.tidemark.node;

import io.tidemark.ip.AddressSet;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.InstanceId;
import io.tidemark.time.Lane;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A node's name through its lives: no instance yet, one instance, another instance under the same
 * name (F-12), deleted, come back. One lane for all of them, so mutations of two lives never
 * overlap. Methods that are not marked otherwise run on the lane.
 */
final class NodeLifecycle {
  private static final Blocked NO_INSTANCE_ID =
      new Blocked(BlockedReason.NO_INSTANCE_ID, "spec.instance-id is empty");

  private final String name;
  private final NodeEnvironment environment;
  private final Lane lane;
  private final Runnable gone;
  private final ReportedConditions conditions;
  private final ClusterTotals.Share share;
  private @Nullable Node node;
  private @Nullable NodeResource pending;
  private AddressSet ownAdditions = AddressSet.of();
  private boolean leaving;
  private volatile boolean deleted;
  private volatile boolean closed;
  private volatile boolean told;
  private volatile @Nullable Blocked invalid;
  private volatile @Nullable Node current;

  /** The facts of a node without an instance; null when there is one, or nothing was read. */
  private volatile @Nullable ResourceFacts incomplete;

  private @Nullable Node past;

  /** {@code gone} is called on the lane when the node is gone and may be dropped. */
  NodeLifecycle(String name, NodeEnvironment environment, ClusterTotals totals, Runnable gone) {
    this.name = name;
    this.environment = environment;
    this.lane = environment.ports().lanes().lane();
    this.share = totals.new Share(name);
    this.gone = gone;
    this.conditions =
        new ReportedConditions(name, environment.ports().events(), environment.meters());
  }

  boolean exists() {
    return !deleted;
  }

  /** Whether decisions are made about it, since it has an instance; any thread. */
  boolean hasInstance() {
    return current != null;
  }

  /** Whether a full scan concerns the node; any thread. */
  boolean isConcernedByScan() {
    Node now = current;
    return now != null && !now.untouchedByScan();
  }

  /** The resource exists, perhaps again; a version of it follows; any thread. */
  void revive() {
    deleted = false;
  }

  /** A new version of the resource; any thread. */
  void upsert(NodeResource resource) {
    if (invalid != null) {
      invalid = null;
      changed();
    }
    lane.execute(() -> updated(resource));
  }

  /** The resource cannot be read; the last readable one counts; any thread. */
  void refused(Blocked why) {
    invalid = why;
    changed();
  }

  /** The resource is gone; any thread. */
  void delete() {
    deleted = true;
    changed();
    closeNode();
    lane.execute(this::removed);
  }

  /** Ends without forgetting anything in the cloud; any thread. */
  void close() {
    closed = true;
    closeNode();
  }

  private void closeNode() {
    Node now = current;
    if (now != null) {
      now.close();
    }
  }

  private void updated(NodeResource resource) {
    if (leaving) {
      pending = resource;
      return;
    }
    if (share.join()) {
      changed();
    }
    Optional<InstanceId> instance = environment.ports().provider().instanceId(resource);
    Node now = node;
    if (now == null) {
      if (instance.isPresent()) {
        begin(instance.get(), resource);
      } else {
        incomplete = ResourceFacts.of(resource);
        changed();
      }
    } else if (instance.isPresent() && instance.get().equals(now.instanceId())) {
      now.resourceUpdated(resource);
    } else {
      pending = resource;
      leave(now);
    }
  }

  private void begin(InstanceId instance, NodeResource resource) {
    Node before = past;
    boolean replaced = before != null && !instance.equals(before.instanceId());
    AddressSet departed = replaced ? resource.used() : AddressSet.of();
    past = null;
    incomplete = null;
    Node born =
        new Node(
            name,
            instance,
            resource,
            environment,
            lane,
            departed,
            this::statusChanged,
            this::beginAgain);
    if (before != null && replaced) {
      born.follows(before);
    }
    node = born;
    current = born;
    if (deleted || closed) {
      born.close(); // who said so saw no node to close
    } else {
      born.begin(ownAdditions);
    }
    ownAdditions = AddressSet.of();
  }

  /** The predecessor wrote this after what the node began with: nothing of before counts. */
  private void beginAgain(NodeResource resource) {
    Node now = node;
    if (now != null && !leaving) {
      pending = resource;
      ownAdditions = now.ownAdditions();
      leave(now);
    }
  }

  private void removed() {
    pending = null;
    ownAdditions = AddressSet.of();
    Node now = node;
    if (now == null) {
      uncount();
    } else if (!leaving) {
      leave(now);
    }
  }

  /** Waits until no request of {@code now} is on the wire, so that two lives never overlap. */
  private void leave(Node now) {
    leaving = true;
    now.close();
    now.quiet().thenRunAsync(() -> left(now), lane);
  }

  private void left(Node last) {
    environment.ports().provider().deleteInstance(last.instanceId());
    leaving = false;
    incomplete = null;
    past = last;
    node = null;
    current = null;
    count(NodeStatus.UNKNOWN);
    conditions.clear();
    environment.meters().gone(name);
    NodeResource next = pending;
    pending = null;
    if (next == null) {
      uncount();
    } else {
      updated(next);
    }
  }

  private void uncount() {
    share.leave();
    environment.exhausted().gone(name);
    gone.run();
  }

  private void statusChanged(NodeStatus now) {
    NodeStatistics statistics = now.statistics();
    boolean numbersChanged = !statistics.equals(share.statistics());
    count(now);
    conditions.observe(now);
    if (numbersChanged) {
      environment.meters().numbers(name, statistics);
    }
  }

  private void count(NodeStatus now) {
    share.update(now, environment.now());
    changed();
  }

  /** Tells the listener, but for a node of which nothing was told or read yet. */
  private void changed() {
    if (told || deleted || report().state() != NodeState.WAITING) {
      told = true;
      environment.changed().accept(name);
    }
  }

  /** Whether no turn is queued and no write is due or under way; any thread. */
  boolean isWritten() {
    Node now = current;
    return lane.isIdle() && (now == null || now.isWritten());
  }

  /** The report of this moment; any thread. */
  NodeReport report() {
    Blocked why = invalid;
    NodeReport readable = readable();
    return why == null ? readable : readable.with(NodeState.INVALID, Optional.of(why));
  }

  private NodeReport readable() {
    Node now = current;
    ResourceFacts read = incomplete;
    NodeStatus status = now == null ? NodeStatus.UNKNOWN : now.status();
    if (now == null || status.equals(NodeStatus.UNKNOWN)) {
      NodeStatus unread =
          now == null && read != null ? NodeStatus.incomplete(read, NO_INSTANCE_ID) : status;
      return NodeReport.of(name, "", false, unread, unread.reason(), lane.isIdle());
    }
    Optional<Blocked> reason = status.reason().map(this::newest);
    NodeReport report =
        NodeReport.of(name, now.group(), now.usesPrefixes(), status, reason, now.settled());
    return waitsForCloud(reason) ? report.with(NodeState.WAITING, Optional.empty()) : report;
  }

  /** Whether a node that cannot go on for this reason waits for the first scan, and no failure. */
  private boolean waitsForCloud(Optional<Blocked> why) {
    return environment.readiness().isUnread()
        && why.map(Blocked::reason).equals(Optional.of(BlockedReason.INSTANCES_API_UNSTABLE));
  }

  /** A node that waits for the cloud's API is not woken when that fails for another reason. */
  private Blocked newest(Blocked why) {
    return why.reason() == BlockedReason.INSTANCES_API_UNSTABLE
        ? environment.readiness().blocked().orElse(why)
        : why;
  }

  /** The explanation of this moment; any thread. */
  CompletionStage<Explanation> explain() {
    CompletableFuture<Explanation> explained = new CompletableFuture<>();
    lane.execute(() -> explained.complete(explanation()));
    return explained;
  }

  private Explanation explanation() {
    Node now = node;
    ResourceFacts read = incomplete;
    if (now != null) {
      Explanation explained = now.explain();
      return waitsForCloud(explained.blocked()) ? explained.waiting() : explained;
    }
    return read == null
        ? Explanation.unread(name)
        : Explanation.incomplete(name, NO_INSTANCE_ID, read);
  }

  /** Ends when everything that was queued for the node is done; any thread. */
  CompletableFuture<Void> caughtUp() {
    CompletableFuture<Void> done = new CompletableFuture<>();
    lane.execute(() -> done.complete(null));
    return done;
  }

  /** Posts to the node, if there is one; any thread. */
  void post(Consumer<Node> message) {
    lane.execute(
        () -> {
          if (node != null) {
            message.accept(node);
          }
        });
  }
}
