package io.tidemark.nodecidr.controller;

import io.tidemark.cluster.NodeChange;
import io.tidemark.ip.Cidr;
import io.tidemark.nodecidr.cloud.CloudSource;
import io.tidemark.nodecidr.controller.NodeReport.Matter;
import io.tidemark.nodecidr.ledger.NodeCidrError;
import io.tidemark.nodecidr.ledger.NodeOwner;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.Failure;
import io.tidemark.resilience.Priority;
import io.tidemark.spi.AliasRangeOutcome;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.SyncOutcome;
import io.tidemark.time.EffectSite;
import io.tidemark.time.RequestSlots;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The requests of {@link CloudSync}, one at a time, and what their results mean. A slow cloud holds
 * up the requests to the cloud alone. Confined to the lane of the node, but for {@link
 * #hasUnknown}.
 */
final class CloudRequests {
  /** Bound of one request to the cloud, waiting for permits included. */
  private static final Duration REQUEST_MAX = Duration.ofMinutes(1);

  /** The pause after a failure that needs human action, unless the node changes. */
  private static final Duration REFUSED_PAUSE = Duration.ofMinutes(5);

  private final NodeWork work;
  private final CloudSync sync;
  private final ControllerState state;
  private final CloudSource cloud;
  private boolean isBusy;

  /** Whether the result of the request under way concerns nobody any more. */
  private boolean isIgnored;

  private volatile boolean isAddUnknown;

  CloudRequests(NodeWork work, CloudSync sync, ControllerState state, CloudSource cloud) {
    this.work = work;
    this.sync = sync;
    this.state = state;
    this.cloud = cloud;
  }

  boolean isBusy() {
    return isBusy;
  }

  boolean hasUnknown() {
    return isAddUnknown;
  }

  /** The incarnation, or its instance, is another one. */
  void ignoreResults() {
    isIgnored = isBusy;
    isAddUnknown = false;
  }

  /** Reads the instance. */
  void read(InstanceId id) {
    begin(
        state.cloudSlots(),
        () -> cloud.read().apply(id, context(Priority.Rank.VERIFY)),
        thrown -> new SyncOutcome.Failed(lost(thrown)),
        outcome -> read(id, outcome));
  }

  private void read(InstanceId id, SyncOutcome outcome) {
    if (outcome instanceof SyncOutcome.InstanceNotFound) {
      fail(missing("the cloud has no instance " + id), true, true);
    } else if (outcome instanceof SyncOutcome.Failed failed) {
      Failure failure = failed.failure();
      fail(missing("instance " + id + " cannot be read: " + failure.detail()), failure);
    } else if (cloud.ranges().ranges(id).isEmpty()) {
      fail(missing("the ranges of instance " + id + " were not read"), false, false);
    } else {
      sync.markRead();
    }
  }

  /** Assigns a range to the instance. */
  void add(InstanceId id, NodeOwner owner, Cidr range) {
    begin(
        state.cloudSlots(),
        () -> {
          if (!state.parts().fence().isOpen()) {
            return CompletableFuture.completedStage(notLeading());
          }
          isAddUnknown = true;
          return cloud.ranges().add(id, range, context(Priority.Rank.BELOW_WATERMARK));
        },
        thrown -> new AliasRangeOutcome.Unknown(lost(thrown)),
        outcome -> added(id, owner, range, outcome));
  }

  private void added(InstanceId id, NodeOwner owner, Cidr range, AliasRangeOutcome outcome) {
    if (outcome instanceof AliasRangeOutcome.Unknown unknown) {
      String detail =
          "whether instance " + id + " got " + range + ": " + unknown.failure().detail();
      fail(new Matter(NodeCidrError.CIDR_WRITE_FAILED, detail), false, false);
      return;
    }
    isAddUnknown = false;
    if (outcome instanceof AliasRangeOutcome.Taken taken) {
      // Of a node without CIDRs; the next pass reserves another block.
      state.ledger().withdraw(owner);
      String detail = range + " is taken in the cloud: " + taken.detail();
      fail(new Matter(NodeCidrError.CIDR_CONFLICT, detail), true, true);
    } else if (outcome instanceof AliasRangeOutcome.Refused refused) {
      String detail = "instance " + id + " does not get " + range + ": ";
      fail(missing(detail + refused.failure().detail()), refused.failure());
    } else {
      sync.solved();
    }
  }

  /** Says on the node that its network is available. */
  void announce(NodeOwner owner) {
    NodeCidrParts parts = state.parts();
    String uid = owner.uid().equals(owner.name()) ? "" : owner.uid();
    begin(
        state.slots(),
        () ->
            parts
                .effects()
                .run(
                    new EffectSite("set condition", owner.name()),
                    state.settings().requestTimeout(),
                    () ->
                        parts.fence().isOpen()
                            ? parts.store().networkAvailable(owner.name(), uid)
                            : new NodeChange.AskedToWait("this process is not the leader"))
                .stage(),
        thrown -> new NodeChange.Unknown(String.valueOf(thrown)),
        change -> announced(owner, change));
  }

  private void announced(NodeOwner owner, NodeChange change) {
    if (change instanceof NodeChange.Gone) {
      work.foundGone(owner);
    } else if (change instanceof NodeChange.Refused refused) {
      Matter why = new Matter(NodeCidrError.CIDR_FORBIDDEN, "its condition: " + refused.detail());
      sync.failed(why, true, true, REFUSED_PAUSE);
    } else if (!(change instanceof NodeChange.Accepted)) {
      String detail = "its condition: " + change;
      fail(new Matter(NodeCidrError.CIDR_WRITE_FAILED, detail), false, false);
    }
  }

  private <T> void begin(
      RequestSlots slots,
      Supplier<CompletionStage<T>> request,
      Function<Throwable, T> otherwise,
      Consumer<T> ended) {
    isBusy = true;
    isIgnored = false;
    state.begun();
    slots.request(
        () ->
            state.post(
                work.name,
                any -> {
                  Object unused =
                      request
                          .get()
                          .exceptionally(otherwise)
                          .thenAccept(
                              result -> state.post(work.name, now -> end(slots, ended, result)));
                }));
  }

  private <T> void end(RequestSlots slots, Consumer<T> ended, T result) {
    isBusy = false;
    state.ended();
    slots.release();
    if (!isIgnored) {
      ended.accept(result);
    }
    work.step();
  }

  private void fail(Matter why, boolean atOnce, boolean stuck) {
    sync.failed(why, atOnce, stuck, Duration.ZERO);
  }

  /** The cloud's answer stays as it is until somebody acts, or passes by itself. */
  private void fail(Matter why, Failure failure) {
    boolean stuck =
        failure.kind() == Failure.Kind.CONFIGURATION
            || failure.kind() == Failure.Kind.NOT_FOUND
            || failure.kind() == Failure.Kind.CAPACITY;
    sync.failed(why, stuck, stuck, failure.retryAfter().orElse(Duration.ZERO));
  }

  private static Matter missing(String detail) {
    return new Matter(NodeCidrError.CLOUD_RANGE_MISSING, detail);
  }

  private static AliasRangeOutcome notLeading() {
    return new AliasRangeOutcome.Refused(
        Failure.of(Failure.Kind.CANCELLED, "notLeading", "this process is not the leader"));
  }

  private static Failure lost(Throwable thrown) {
    return Failure.of(Failure.Kind.LOST, "thrown", String.valueOf(thrown));
  }

  private CallContext context(Priority.Rank rank) {
    return CallContext.within(
        REQUEST_MAX, state.parts().scheduler().time(), work.name, rank, new Cancellation());
  }
}
