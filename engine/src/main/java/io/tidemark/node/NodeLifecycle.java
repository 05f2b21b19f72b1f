package io.tidemark.node;

import io.tidemark.ip.AddressSet;
import io.tidemark.metrics.IpamMetrics;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.InstanceId;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
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
  private final ReportedConditions matters;
  private @Nullable Node node;
  private @Nullable NodeResource pending;
  private AddressSet ownAdditions = AddressSet.of();
  private boolean leaving;
  private boolean counted;
  private Standing countedStanding = Standing.UNKNOWN;
  private DeficitAges.@Nullable Since deficit;
  private volatile boolean deleted;
  private volatile boolean closed;
  private volatile @Nullable Blocked invalid;
  private volatile @Nullable Node current;
  private volatile ResourceFacts incomplete;
  private @Nullable InstanceId past;

  /** {@code gone} is called on the lane when the slot is empty and may be dropped. */
  NodeLifecycle(String name, NodeEnvironment environment, Lane lane, Runnable gone) {
    this.name = name;
    this.environment = environment;
    this.lane = lane;
    this.gone = gone;
    this.incomplete = ResourceFacts.of(NodeResource.named(name));
    this.matters = new ReportedConditions(name, environment.ports().events());
  }

  /** The name; any thread. */
  String name() {
    return name;
  }

  /** Whether the resource exists; any thread. */
  boolean exists() {
    return !deleted;
  }

  /** The node of now; empty while the instance is not known by id; any thread. */
  Optional<Node> node() {
    return Optional.ofNullable(current);
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
    if (!counted) {
      counted = true;
      environment.totals().nodeAdded(countedStanding);
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
    boolean replaced = past != null && !instance.equals(past);
    AddressSet departed = replaced ? resource.used() : AddressSet.of();
    past = null;
    Node born =
        new Node(
            name,
            instance,
            resource,
            environment,
            lane,
            departed,
            this::standingChanged,
            this::beginAgain);
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
    Object unused = now.quiet().thenRunAsync(() -> left(now), lane);
  }

  private void left(Node last) {
    environment.ports().provider().deleteInstance(last.instanceId());
    leaving = false;
    past = last.instanceId();
    node = null;
    current = null;
    count(Standing.UNKNOWN);
    matters.clear();
    environment.ports().metrics().nodeGone(name);
    NodeResource next = pending;
    pending = null;
    if (next == null) {
      uncount();
    } else {
      updated(next);
    }
  }

  private void uncount() {
    if (counted) {
      counted = false;
      environment.totals().nodeRemoved(countedStanding);
      deficit(0);
    }
    gone.run();
  }

  private void standingChanged(Standing now) {
    NodeStatistics statistics = now.statistics();
    boolean numbersChanged = !statistics.equals(countedStanding.statistics());
    count(now);
    matters.observe(now);
    if (numbersChanged) {
      IpamMetrics metrics = environment.ports().metrics();
      metrics.node(
          name,
          statistics.capacity(),
          statistics.used(),
          statistics.needed(),
          statistics.available() - statistics.used());
    }
  }

  private void count(Standing now) {
    if (counted) {
      environment.totals().nodeChanged(countedStanding, now);
    }
    countedStanding = now;
    changed();
    deficit(now.statistics().needed());
  }

  private void changed() {
    environment.changed().accept(name);
  }

  private void deficit(int needed) {
    DeficitAges.Since since = deficit;
    if (needed > 0 && since == null) {
      deficit = environment.deficits().began(name, environment.now());
    } else if (needed == 0 && since != null) {
      environment.deficits().ended(since);
      deficit = null;
    }
  }

  /** Whether no turn is queued and no write is due or under way; any thread. */
  boolean isWritten() {
    Node now = current;
    return lane.isIdle() && (now == null || now.isWritten());
  }

  /** How the node stands; any thread. */
  NodeReport report() {
    Node now = current;
    if (now == null) {
      ResourceFacts facts = incomplete;
      return new NodeReport(
          name,
          facts.poolSize(),
          facts.usedCount(),
          0,
          0,
          0,
          0,
          OptionalInt.empty(),
          stateOr(NodeState.INCOMPLETE),
          invalidOr(Optional.of(NO_INSTANCE_ID)),
          lane.isIdle());
    }
    Standing standing = now.standing();
    NodeStatistics statistics = standing.statistics();
    return new NodeReport(
        name,
        statistics.available(),
        statistics.used(),
        statistics.needed(),
        statistics.excess(),
        statistics.interfaces(),
        standing.pods().addresses(),
        standing.pods().maxPods(),
        stateOr(standing.state()),
        invalidOr(standing.reason().map(this::newest)),
        now.settled());
  }

  /** A node that waits for the cloud's API is not woken when that fails for another reason. */
  private Blocked newest(Blocked why) {
    return why.reason() == BlockedReason.INSTANCES_API_UNSTABLE
        ? environment.readiness().blocked().orElse(why)
        : why;
  }

  private NodeState stateOr(NodeState state) {
    return invalid != null ? NodeState.INVALID : state;
  }

  private Optional<Blocked> invalidOr(Optional<Blocked> blocked) {
    Blocked why = invalid;
    return why != null ? Optional.of(why) : blocked;
  }

  /** The explanation of this moment; any thread. */
  CompletionStage<Explanation> explain() {
    CompletableFuture<Explanation> explained = new CompletableFuture<>();
    lane.execute(
        () ->
            explained.complete(
                node == null
                    ? Explanation.incomplete(name, NO_INSTANCE_ID, incomplete)
                    : node.explain()));
    return explained;
  }

  /** Posts to the node, if there is one; any thread. */
  void post(java.util.function.Consumer<Node> message) {
    lane.execute(
        () -> {
          if (node != null) {
            message.accept(node);
          }
        });
  }
}
