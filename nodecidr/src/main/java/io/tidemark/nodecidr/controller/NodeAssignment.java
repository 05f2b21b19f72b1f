package io.tidemark.nodecidr.controller;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.ip.Cidr;
import io.tidemark.nodecidr.controller.NodeReport.Matter;
import io.tidemark.nodecidr.controller.NodeReport.State;
import io.tidemark.nodecidr.ledger.CidrFinding;
import io.tidemark.nodecidr.ledger.CidrLedger;
import io.tidemark.nodecidr.ledger.NodeCidrError;
import io.tidemark.nodecidr.ledger.NodeOwner;
import io.tidemark.nodecidr.ledger.NodePodCidrs;
import io.tidemark.nodecidr.ledger.Reservation;
import io.tidemark.nodecidr.ledger.ReserveOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The CIDRs of the node of one name: what it claims, what is reserved for it, and what is being
 * written to it or to former incarnations. Confined to the lane of the node, but for {@link
 * #hasUnknown}.
 */
final class NodeAssignment {
  private final NodeWork work;
  private final NodeReporter reporter;
  private final ControllerState state;
  private final CidrLedger ledger;

  /** What is being written, by the uid of the incarnation; read by the end on another thread. */
  private final Map<String, PodCidrsWrite> writes = new ConcurrentHashMap<>(2);

  /** Whether the node had its CIDRs before this controller led. */
  private boolean inherited;

  NodeAssignment(NodeWork work, NodeReporter reporter, ControllerState state) {
    this.work = work;
    this.reporter = reporter;
    this.state = state;
    this.ledger = state.ledger();
  }

  /** Whether nothing is being written. */
  boolean isEmpty() {
    return writes.isEmpty();
  }

  /** Owners whose writes may still have an effect. */
  boolean hasUnknown() {
    return writes.values().stream().anyMatch(PodCidrsWrite::isUnknown);
  }

  /** The version that the controller's start has claimed. */
  void begin(ClusterNode listed) {
    inherited = !listed.podCidrs().isEmpty();
  }

  /** Repeats writes that were interrupted or refused. */
  void resume() {
    List.copyOf(writes.values()).forEach(PodCidrsWrite::begin);
  }

  /** This incarnation is not there: what it has cools, and what was not sent to it is free. */
  List<NodeOwner> leave(ClusterNode before) {
    NodeOwner owner = StartPass.owner(before);
    List<NodeOwner> rivals = reporter.hasConflict() ? ledger.rivals(owner) : List.of();
    ledger.absent(owner, state.parts().now());
    giveBack(owner);
    PodCidrsWrite write = writes.get(owner.uid());
    if (write != null) {
      write.begin();
    }
    inherited = false;
    return rivals;
  }

  /** The node is there: claims what it has, or gives it what it lacks. */
  void look(ClusterNode now) {
    if (now.podCidrs().isEmpty()) {
      assign(now);
    } else {
      claim(now);
    }
  }

  private void claim(ClusterNode now) {
    NodeOwner owner = StartPass.owner(now);
    NodePodCidrs read = StartPass.read(ledger, now);
    boolean ours = inherited || !ledger.claims(owner).isEmpty() || isReserved(owner, read.cidrs());
    inherited = true;
    if (read.cidrs().isEmpty()) {
      giveBack(owner);
    }
    List<CidrFinding> unusedNews = ledger.claim(owner, read.cidrs());
    List<Matter> matters = new ArrayList<>();
    read.findings().forEach(each -> matters.add(Matter.of(each)));
    ledger.findings(owner).forEach(each -> matters.add(Matter.of(each)));
    if (!ours) {
      now.podCidrs().writer().ifPresent(this::writtenBy);
    }
    boolean conflicted = reporter.hasConflict();
    boolean readable =
        matters.stream().noneMatch(each -> each.code() == NodeCidrError.CIDR_UNREADABLE);
    if (ledger.isIncomplete(owner) && readable) {
      assign(now, owner, matters);
    } else {
      reporter.has(owner, matters, ledger.claims(owner));
    }
    state.keepAhead();
    if (reporter.hasConflict() && !conflicted) {
      state.review(ledger.rivals(owner));
    }
  }

  private boolean isReserved(NodeOwner owner, List<Cidr> cidrs) {
    return ledger.reservation(owner).filter(it -> it.blocks().equals(cidrs)).isPresent();
  }

  /** The server's records name who wrote the CIDRs of a node that we did not assign. */
  void writtenBy(String writer) {
    if (!writer.equals(state.settings().manager())) {
      state.foreignWrite(work.name, writer);
    }
  }

  private void assign(ClusterNode now) {
    NodeOwner owner = StartPass.owner(now);
    List<CidrFinding> unusedNone = ledger.claim(owner, List.of());
    List<Matter> matters = ledger.findings(owner).stream().map(Matter::of).toList();
    if (ledger.claims(owner).isEmpty() || ledger.isIncomplete(owner)) {
      assign(now, owner, matters);
    } else {
      reporter.has(owner, matters, ledger.claims(owner));
    }
  }

  /** Writes to the node what it lacks: everything, or what a CiliumNode lacks beside its claims. */
  private void assign(ClusterNode now, NodeOwner owner, List<Matter> matters) {
    if (getsNothing(now)) {
      giveBack(owner);
    }
    List<Cidr> claims = ledger.claims(owner);
    PodCidrsWrite write = writes.get(owner.uid());
    if (write != null) {
      boolean refused = write.matter().filter(NodeAssignment::isRefusal).isPresent();
      reporter.publish(
          owner,
          refused ? State.PARKED : State.WAITING,
          both(claims, write.reservation().blocks()),
          both(matters, write.matter().stream().toList()));
    } else if (!getsNothing(now)) {
      reserve(owner, claims, matters);
    } else if (claims.isEmpty()) {
      reporter.publish(owner, State.PARKED, claims, matters);
    } else {
      reporter.has(owner, matters, claims);
    }
  }

  static boolean getsNothing(ClusterNode node) {
    return node.beingDeleted() || node.exempt();
  }

  private void reserve(NodeOwner owner, List<Cidr> claims, List<Matter> matters) {
    Optional<Matter> pause = state.pause();
    if (pause.isPresent()) {
      reporter.publish(owner, State.PARKED, claims, both(matters, List.of(pause.get())));
      return;
    }
    ReserveOutcome outcome = ledger.reserve(owner, state.parts().now());
    if (outcome instanceof ReserveOutcome.Reserved reserved) {
      PodCidrsWrite write = new PodCidrsWrite(reserved.reservation(), this, state);
      writes.put(owner.uid(), write);
      reporter.publish(
          owner, State.WAITING, both(claims, reserved.reservation().blocks()), matters);
      write.begin();
      state.keepAhead();
    } else if (outcome instanceof ReserveOutcome.Unpublished) {
      reporter.publish(owner, State.WAITING, claims, matters);
      state.note().ifPresent(note -> note.await(work.name));
    } else {
      List<Matter> shortage =
          Shortage.of(owner, outcome, state.settings().cidrs()).stream().toList();
      reporter.publish(owner, State.PARKED, claims, both(matters, shortage));
    }
  }

  private static <T> List<T> both(List<T> some, List<T> others) {
    return Stream.concat(some.stream(), others.stream()).distinct().toList();
  }

  /** Whether a write may be sent now; one that may not and had no effect ends. */
  boolean wants(PodCidrsWrite write) {
    Reservation reservation = write.reservation();
    NodeOwner owner = reservation.owner();
    boolean open =
        ledger.reservation(owner).filter(it -> it.number() == reservation.number()).isPresent();
    if (!open || !state.isActive()) {
      writes.remove(owner.uid(), write);
      return false;
    }
    if (write.isUnsent() && !ledger.rivals(owner).isEmpty()) {
      // Another node has the block by now, but not by us: this one gets another.
      state.review(ledger.rivals(owner));
      giveBack(owner);
      state.post(work.name, NodeWork::step);
      return false;
    }
    return state.pause().isEmpty();
  }

  /** By which uid the server knows an incarnation. */
  String serverUid(NodeOwner owner) {
    return owner.uid().equals(work.name) ? "" : owner.uid();
  }

  /** A write has no result yet; what it waits for may have changed. */
  void repeated() {
    work.step();
  }

  /** A write found that the incarnation it was for is gone: the store may show it still. */
  void foundGone(NodeOwner owner) {
    work.foundGone(owner);
  }

  /** The result of a write is known. */
  void done(PodCidrsWrite write) {
    writes.remove(write.reservation().owner().uid(), write);
    state.awaitCooldowns();
    work.step();
    state.wake();
  }

  /** A write was refused; what no earlier request can have given to the node is free. */
  void refused(PodCidrsWrite write) {
    NodeOwner owner = write.reservation().owner();
    if (!write.reservation().isOpen()) {
      writes.remove(owner.uid(), write);
    }
    if (work.isPresent(owner)) {
      List<Matter> matters = ledger.findings(owner).stream().map(Matter::of).toList();
      reporter.publish(
          owner,
          State.PARKED,
          ledger.claims(owner),
          both(matters, write.matter().stream().toList()));
    }
    state.wake();
  }

  /** The incarnation gets nothing: what was not sent to it is free. */
  void giveBack(NodeOwner owner) {
    PodCidrsWrite write = writes.get(owner.uid());
    if (write == null || write.isUnsent()) {
      ledger.withdraw(owner);
      if (write != null) {
        writes.remove(owner.uid());
      }
      state.wake();
    }
  }

  private static boolean isRefusal(Matter matter) {
    return matter.code() == NodeCidrError.CIDR_FORBIDDEN;
  }
}
