package io.tidemark.nodecidr.controller;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.ClusterNodeStore.Reading;
import io.tidemark.cluster.NodeChange;
import io.tidemark.metrics.Metric;
import io.tidemark.nodecidr.controller.NodeReport.Matter;
import io.tidemark.nodecidr.ledger.NodeCidrError;
import io.tidemark.nodecidr.ledger.PodCidrsOutcome;
import io.tidemark.nodecidr.ledger.Reservation;
import io.tidemark.nodecidr.ledger.Settlement;
import io.tidemark.time.Effect;
import io.tidemark.time.EffectSite;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Writes the blocks of one reservation to its node, again and again until the result is known: a
 * repetition of the same request is safe, and nobody else gets the blocks meanwhile. Confined to
 * the lane of the node.
 */
final class PodCidrsWrite {
  /** The pause after a refused write, unless the node changes. */
  private static final Duration REFUSED_PAUSE = Duration.ofMinutes(5);

  /** So many results in a row must be missing before that is reported. */
  private static final int REPORTED_AFTER = 3;

  private final NodeWrites writes;
  private final ControllerState state;
  private final RequestRetry retry;
  private Reservation reservation;
  private Optional<Matter> matter = Optional.empty();

  /** Whether a request is queued or in flight, or comes after a pause. */
  private boolean active;

  private volatile boolean inFlight;

  PodCidrsWrite(Reservation reservation, NodeWrites writes, ControllerState state) {
    this.reservation = reservation;
    this.writes = writes;
    this.state = state;
    this.retry = new RequestRetry(reservation.owner().name(), state);
  }

  Reservation reservation() {
    return reservation;
  }

  /** Why it has no result yet, when that takes long. */
  Optional<Matter> matter() {
    return matter;
  }

  /** Whether its last request had no result, or has none yet: it may have an effect. */
  boolean isUnknown() {
    return inFlight || reservation.state() == Reservation.State.UNCERTAIN;
  }

  /** Whether nothing was sent that may still have an effect. */
  boolean isUnsent() {
    return !inFlight && reservation.state() == Reservation.State.HELD;
  }

  /** Begins, or goes on after a stop by a second allocator. */
  void begin() {
    if (!active) {
      active = true;
      state.begun();
      retry.begin(this::send);
    }
  }

  private void send() {
    if (!writes.wants(this)) {
      rest();
      state.slots().release();
      return;
    }
    inFlight = true;
    NodeCidrParts parts = state.parts();
    String name = reservation.owner().name();
    String uid = writes.serverUid(reservation.owner());
    Effect<NodeChange> write =
        parts
            .effects()
            .run(
                new EffectSite("assign pod CIDRs", name),
                state.settings().requestTimeout(),
                () ->
                    parts.fence().isOpen()
                        ? parts.store().assignPodCidrs(name, uid, reservation.blocks())
                        : new NodeChange.AskedToWait("this process is not the leader"));
    Object unused =
        write
            .stage()
            .exceptionally(thrown -> lost(write, thrown))
            .thenAccept(change -> state.post(name, any -> ended(change)));
  }

  private static NodeChange lost(Effect<NodeChange> write, Throwable thrown) {
    String detail = String.valueOf(thrown);
    return write.started() ? new NodeChange.Unknown(detail) : new NodeChange.AskedToWait(detail);
  }

  private void ended(NodeChange change) {
    state.parts().metrics().count(Metric.NODE_CIDR_WRITES, change.ending());
    if (change instanceof NodeChange.Occupied) {
      read();
      return;
    }
    inFlight = false;
    settle(
        change.match(
            node -> new PodCidrsOutcome.Accepted(),
            PodCidrsOutcome.Gone::new,
            PodCidrsOutcome.Unknown::new,
            PodCidrsOutcome.Refused::new,
            detail -> {
              waits(detail);
              return new PodCidrsOutcome.AskedToWait();
            },
            detail -> {
              waits(detail);
              return new PodCidrsOutcome.Unknown(detail);
            }));
    state.slots().release();
  }

  /** The node has other CIDRs: which, the server knows; what a watch shows may be older. */
  private void read() {
    String name = reservation.owner().name();
    Object unused =
        state
            .parts()
            .effects()
            .run(
                new EffectSite("get node", name),
                state.settings().requestTimeout(),
                () -> state.parts().store().get(name))
            .stage()
            .exceptionally(thrown -> new Reading.Failed(String.valueOf(thrown)))
            .thenAccept(reading -> state.post(name, any -> ended(reading)));
  }

  private void ended(Reading reading) {
    inFlight = false;
    if (reading instanceof Reading.Failed failed) {
      waits(failed.detail());
      retry.again(this::read);
      writes.repeated();
    } else {
      Optional<ClusterNode> node =
          reading instanceof Reading.Found found
                  && found.node().owner().equals(reservation.owner().uid())
              ? Optional.of(found.node())
              : Optional.empty();
      node.flatMap(it -> it.podCidrs().writer())
          .ifPresent(writer -> state.written(reservation.owner().name(), writer));
      settle(new PodCidrsOutcome.Occupied(node.map(it -> it.podCidrs().texts()).orElse(List.of())));
    }
    state.slots().release();
  }

  private void waits(String detail) {
    if (retry.failures() + 1 >= REPORTED_AFTER) {
      matter = Optional.of(new Matter(NodeCidrError.CIDR_WRITE_FAILED, detail));
    }
  }

  private void settle(PodCidrsOutcome outcome) {
    Settlement settled = state.ledger().settle(reservation, outcome, state.parts().now());
    reservation = settled.reservation();
    switch (settled.next()) {
      case DONE -> {
        rest();
        if (outcome instanceof PodCidrsOutcome.Gone) {
          writes.foundGone(reservation.owner());
        }
        writes.done(this);
      }
      case REPEAT -> {
        retry.again(this::send);
        writes.repeated();
      }
      case PARK -> {
        String detail = outcome instanceof PodCidrsOutcome.Refused it ? it.detail() : "";
        matter = Optional.of(new Matter(NodeCidrError.CIDR_FORBIDDEN, detail));
        rest();
        writes.refused(this);
        retry.after(REFUSED_PAUSE, NodeWork::resume);
      }
    }
  }

  private void rest() {
    active = false;
    state.ended();
  }
}
