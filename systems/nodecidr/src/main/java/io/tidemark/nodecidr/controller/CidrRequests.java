package io.tidemark.nodecidr.controller;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.ClusterNodeStore;
import io.tidemark.cluster.ClusterNodeStore.Reading;
import io.tidemark.cluster.NodeChange;
import io.tidemark.cluster.NodeProblem;
import io.tidemark.cluster.run.ControllerParts;
import io.tidemark.cluster.run.KeyedReconciler.End;
import io.tidemark.cluster.run.KeyedReconciler.Request;
import io.tidemark.ip.Cidr;
import io.tidemark.metrics.Metric;
import io.tidemark.nodecidr.ledger.CidrLedger;
import io.tidemark.nodecidr.ledger.NodeCidrError;
import io.tidemark.nodecidr.ledger.PodCidrsOutcome;
import io.tidemark.nodecidr.ledger.Reservation;
import io.tidemark.nodecidr.ledger.Settlement;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.Failure;
import io.tidemark.resilience.Fence;
import io.tidemark.resilience.Priority;
import io.tidemark.spi.AliasRangeOutcome;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.SyncOutcome;
import io.tidemark.time.Effect;
import io.tidemark.time.EffectSite;
import io.tidemark.time.RequestSlots;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Sends the requests of steps, and enters their answers in the ledger and the incarnation. A slow
 * cloud holds up the requests to the cloud alone. Thread-safe; all calls for one name come in
 * order.
 */
final class CidrRequests {
  /** Requests to a cloud at once; its provider has limits of its own. */
  private static final int CLOUD_PARALLEL = 200;

  /** Bound of one request to the cloud, waiting for permits included. */
  private static final Duration CLOUD_REQUEST_MAX = Duration.ofMinutes(1);

  /** The pause after a failure that needs human action, unless the node changes. */
  private static final Duration REFUSED_PAUSE = Duration.ofMinutes(5);

  private final ControllerParts parts;
  private final Duration timeout;
  private final CidrLedger ledger;
  private final ControllerState state;
  private final RequestSlots slots;
  private final RequestSlots cloudSlots = new RequestSlots(CLOUD_PARALLEL);

  CidrRequests(ControllerState state, ControllerSettings settings) {
    this.state = state;
    this.parts = state.parts;
    this.ledger = state.ledger;
    this.timeout = settings.requestTimeout();
    this.slots = new RequestSlots(settings.parallelRequests());
  }

  /** Room for requests to the store, and to the cloud. */
  List<RequestSlots> slots() {
    return List.of(slots, cloudSlots);
  }

  /** {@code send} never ends exceptionally. */
  private static <A> Request request(
      Incarnation it,
      RequestSlots slots,
      Supplier<CompletionStage<A>> send,
      Function<A, End> told) {
    return new Request(
        slots,
        () -> {
          it.inFlight = true;
          return send.get()
              .thenApply(
                  answer ->
                      () -> {
                        it.inFlight = false;
                        return told.apply(answer);
                      });
        });
  }

  private <A> Effect<A> effect(String operation, Incarnation it, Callable<A> leaf) {
    return parts.effects().run(new EffectSite(operation, it.owner.name()), timeout, leaf);
  }

  // ---- writes

  /** Writes the blocks of a reservation. */
  Request write(Incarnation it, Reservation open) {
    return change(
        it,
        "assign pod CIDRs",
        nodes -> nodes.assignPodCidrs(it.owner.name(), it.serverUid(), open.blocks()),
        change -> written(it, open, change));
  }

  /** A change of the node, by the leader alone. */
  private Request change(
      Incarnation it,
      String operation,
      Function<ClusterNodeStore, NodeChange> change,
      Function<NodeChange, End> told) {
    return request(
        it,
        slots,
        () -> {
          Effect<NodeChange> sent =
              effect(
                  operation,
                  it,
                  () ->
                      parts.fence().isOpen()
                          ? change.apply(parts.nodes())
                          : new NodeChange.AskedToWait(Fence.NO_LEASE));
          return sent.stage().exceptionally(thrown -> unanswered(sent, thrown));
        },
        told);
  }

  private static NodeChange unanswered(Effect<NodeChange> sent, Throwable thrown) {
    String detail = String.valueOf(thrown);
    return sent.started() ? new NodeChange.Unknown(detail) : new NodeChange.AskedToWait(detail);
  }

  private End written(Incarnation it, Reservation open, NodeChange change) {
    parts.metrics().count(Metric.NODE_CIDR_WRITES, change.ending());
    if (change instanceof NodeChange.Occupied) {
      it.occupied = open;
      return End.DONE;
    }
    PodCidrsOutcome outcome =
        change.match(
            node -> PodCidrsOutcome.ACCEPTED,
            () -> PodCidrsOutcome.GONE,
            detail -> PodCidrsOutcome.UNKNOWN,
            detail -> PodCidrsOutcome.REFUSED,
            detail -> {
              it.waits(detail);
              return PodCidrsOutcome.ASKED_TO_WAIT;
            },
            detail -> {
              it.waits(detail);
              return PodCidrsOutcome.UNKNOWN;
            });
    Settlement settled = ledger.settle(open, outcome, parts.now());
    if (settled.next() == Settlement.Next.REPEAT) {
      return End.AGAIN;
    }
    state.freed();
    if (change instanceof NodeChange.Refused refused && settled.next() == Settlement.Next.PARK) {
      it.park(refused.detail(), parts.now() + REFUSED_PAUSE.toNanos());
    } else {
      it.endWrite();
      it.gone |= outcome == PodCidrsOutcome.GONE;
    }
    return End.DONE;
  }

  // ---- reads of nodes

  private Request read(Incarnation it, Function<Reading, End> told) {
    return request(
        it,
        slots,
        () ->
            effect("get node", it, () -> parts.nodes().get(it.owner.name()))
                .stage()
                .exceptionally(thrown -> new Reading.Failed(String.valueOf(thrown))),
        told);
  }

  private static Optional<ClusterNode> found(Incarnation it, Reading reading) {
    return reading instanceof Reading.Found found && isOf(it, found.node())
        ? Optional.of(found.node())
        : Optional.empty();
  }

  private static boolean isOf(Incarnation it, ClusterNode node) {
    return node.owner().equals(it.owner.uid());
  }

  /** Reads which other CIDRs a node has, since a watch may show older ones. */
  Request readOccupied(Incarnation it, Reservation open) {
    return read(it, reading -> occupied(it, open, reading));
  }

  private End occupied(Incarnation it, Reservation open, Reading reading) {
    if (reading instanceof Reading.Failed failed) {
      it.waits(failed.detail());
      return End.AGAIN;
    }
    Optional<ClusterNode> node = found(it, reading);
    node.flatMap(each -> each.podCidrs().writer())
        .ifPresent(writer -> state.pause.wrote(it.owner.name(), writer, parts.now()));
    it.occupied = null;
    List<String> texts = node.map(each -> each.podCidrs().texts()).orElse(List.of());
    ledger.occupied(open, texts, parts.now());
    state.freed();
    it.endWrite();
    return End.DONE;
  }

  /** Reads a node that was absent for the cooldown: when it is gone, its blocks are free. */
  Request readAbsent(Incarnation it) {
    return read(it, reading -> absent(it, reading));
  }

  private End absent(Incarnation it, Reading reading) {
    boolean found = found(it, reading).isPresent();
    boolean shown =
        parts.nodes().latest(it.owner.name()).filter(node -> isOf(it, node)).isPresent();
    if (reading instanceof Reading.Failed || (found && !shown)) {
      return End.AGAIN; // found, but deleted since: the next read says so
    }
    it.absenceDue = false;
    if (found) {
      ledger.confirmPresent(it.owner);
    } else {
      ledger.confirmAbsent(it.owner);
      state.freed();
    }
    return End.DONE;
  }

  /**
   * Reads a node of which a version is shown without its CIDRs. If the backend has none either, it
   * was restored: the node gets its own again.
   */
  Request readLost(Incarnation it, String version) {
    return read(it, reading -> lost(it, version, reading));
  }

  private End lost(Incarnation it, String version, Reading reading) {
    if (reading instanceof Reading.Failed) {
      return End.AGAIN;
    }
    it.confirmed = version;
    if (found(it, reading).filter(node -> node.podCidrs().isEmpty()).isPresent()
        && ledger.reservation(it.owner).isEmpty()) {
      ledger.lost(it.owner);
    }
    return End.DONE;
  }

  // ---- the cloud

  /** A result about another instance, or incarnation, concerns nobody. */
  private static <A> Function<A, End> current(CloudSync sync, Function<A, End> told) {
    int epoch = sync.epoch;
    return answer -> sync.epoch == epoch ? told.apply(answer) : End.DONE;
  }

  Request readInstance(Incarnation it, CloudSync sync) {
    InstanceId id = sync.instance.orElseThrow();
    return request(
        it,
        cloudSlots,
        () ->
            sync.cloud
                .read()
                .apply(id, context(it, Priority.Rank.VERIFY))
                .exceptionally(thrown -> new SyncOutcome.Failed(lost(thrown))),
        current(sync, outcome -> readInstance(sync, id, outcome)));
  }

  private End readInstance(CloudSync sync, InstanceId id, SyncOutcome outcome) {
    if (outcome instanceof SyncOutcome.InstanceNotFound) {
      return fail(sync, missing("the cloud has no instance " + id), true);
    }
    if (outcome instanceof SyncOutcome.Failed failed) {
      Failure failure = failed.failure();
      return fail(
          sync, missing("instance " + id + " cannot be read: " + failure.detail()), failure);
    }
    if (sync.cloud.ranges().ranges(id).isEmpty()) {
      return fail(sync, missing("the ranges of instance " + id + " were not read"), false);
    }
    sync.markRead();
    return End.DONE;
  }

  Request add(Incarnation it, CloudSync sync, Cidr range) {
    InstanceId id = sync.instance.orElseThrow();
    return request(
        it,
        cloudSlots,
        () -> {
          if (!parts.fence().isOpen()) {
            return CompletableFuture.completedStage(notLeading());
          }
          sync.isAddUnknown = true;
          return sync.cloud
              .ranges()
              .add(id, range, context(it, Priority.Rank.BELOW_WATERMARK))
              .exceptionally(thrown -> new AliasRangeOutcome.Unknown(lost(thrown)));
        },
        current(sync, outcome -> added(it, sync, id, range, outcome)));
  }

  private End added(
      Incarnation it, CloudSync sync, InstanceId id, Cidr range, AliasRangeOutcome outcome) {
    if (outcome instanceof AliasRangeOutcome.Unknown unknown) {
      String detail =
          "whether instance " + id + " got " + range + ": " + unknown.failure().detail();
      return fail(sync, new NodeProblem(NodeCidrError.CIDR_WRITE_FAILED, detail), false);
    }
    sync.isAddUnknown = false;
    if (outcome instanceof AliasRangeOutcome.Taken taken) {
      // Of a node without CIDRs; the next pass reserves another block.
      ledger.withdraw(it.owner);
      String detail = range + " is taken in the cloud: " + taken.detail();
      return fail(sync, new NodeProblem(NodeCidrError.CIDR_CONFLICT, detail), true);
    }
    if (outcome instanceof AliasRangeOutcome.Refused refused) {
      String detail = "instance " + id + " does not get " + range + ": ";
      return fail(sync, missing(detail + refused.failure().detail()), refused.failure());
    }
    sync.solved();
    return End.DONE;
  }

  /** Says on the node that its network is available. */
  Request announce(Incarnation it, CloudSync sync) {
    return change(
        it,
        "set condition",
        nodes -> nodes.networkAvailable(it.owner.name(), it.serverUid()),
        current(sync, change -> announced(it, sync, change)));
  }

  private End announced(Incarnation it, CloudSync sync, NodeChange change) {
    if (change instanceof NodeChange.Refused refused) {
      NodeProblem why =
          new NodeProblem(NodeCidrError.CIDR_FORBIDDEN, "its condition: " + refused.detail());
      sync.fail(why, true, REFUSED_PAUSE, parts.now());
    } else if (change instanceof NodeChange.Gone) {
      it.gone = true;
    } else if (!(change instanceof NodeChange.Accepted)) {
      String detail = "its condition: " + change;
      return fail(sync, new NodeProblem(NodeCidrError.CIDR_WRITE_FAILED, detail), false);
    }
    return End.DONE;
  }

  private End fail(CloudSync sync, NodeProblem why, boolean stuck) {
    sync.fail(why, stuck, Duration.ZERO, parts.now());
    return End.DONE;
  }

  /** The cloud's answer stays as it is until somebody acts, or passes by itself. */
  private End fail(CloudSync sync, NodeProblem why, Failure failure) {
    boolean stuck =
        failure.kind() == Failure.Kind.CONFIGURATION
            || failure.kind() == Failure.Kind.NOT_FOUND
            || failure.kind() == Failure.Kind.CAPACITY;
    sync.fail(why, stuck, failure.retryAfter().orElse(Duration.ZERO), parts.now());
    return End.DONE;
  }

  private static NodeProblem missing(String detail) {
    return new NodeProblem(NodeCidrError.CLOUD_RANGE_MISSING, detail);
  }

  private static AliasRangeOutcome notLeading() {
    return new AliasRangeOutcome.Refused(
        Failure.of(Failure.Kind.CANCELLED, "notLeading", "this process is not the leader"));
  }

  private static Failure lost(Throwable thrown) {
    return Failure.of(Failure.Kind.LOST, "thrown", String.valueOf(thrown));
  }

  private CallContext context(Incarnation it, Priority.Rank rank) {
    return CallContext.within(
        CLOUD_REQUEST_MAX, parts.scheduler().time(), it.owner.name(), rank, new Cancellation());
  }
}
