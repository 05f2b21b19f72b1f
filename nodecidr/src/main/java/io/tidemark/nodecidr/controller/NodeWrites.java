package io.tidemark.nodecidr.controller;

import io.tidemark.ip.Cidr;
import io.tidemark.nodecidr.controller.NodeReport.Matter;
import io.tidemark.nodecidr.controller.NodeReport.State;
import io.tidemark.nodecidr.ledger.CidrLedger;
import io.tidemark.nodecidr.ledger.NodeOwner;
import io.tidemark.nodecidr.ledger.Reservation;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The writes to the node of one name, one at a time for each of its incarnations. Confined to the
 * lane of the node, but for {@link #hasUnknown}.
 */
final class NodeWrites {
  private final NodeWork work;
  private final NodeReporter reporter;
  private final ControllerState state;
  private final CidrLedger ledger;

  /** The writes under way, by the uid of the incarnation; read by the end on another thread. */
  private final Map<String, PodCidrsWrite> writes = new ConcurrentHashMap<>(2);

  NodeWrites(NodeWork work, NodeReporter reporter, ControllerState state) {
    this.work = work;
    this.reporter = reporter;
    this.state = state;
    this.ledger = state.ledger();
  }

  boolean isEmpty() {
    return writes.isEmpty();
  }

  /** Owners whose writes may still have an effect. */
  boolean hasUnknown() {
    return writes.values().stream().anyMatch(PodCidrsWrite::isUnknown);
  }

  Optional<PodCidrsWrite> find(NodeOwner owner) {
    return Optional.ofNullable(writes.get(owner.uid()));
  }

  /** A write that the caller begins. */
  PodCidrsWrite add(Reservation reservation) {
    PodCidrsWrite write = new PodCidrsWrite(reservation, this, state);
    writes.put(reservation.owner().uid(), write);
    return write;
  }

  /** Repeats writes that were interrupted or refused. */
  void resume() {
    List.copyOf(writes.values()).forEach(PodCidrsWrite::begin);
  }

  /** Whether a write may be sent now; one that may not and had no effect ends. */
  boolean wants(PodCidrsWrite write) {
    Reservation reservation = write.reservation();
    NodeOwner owner = reservation.owner();
    boolean open =
        ledger.reservation(owner).filter(it -> it.number() == reservation.number()).isPresent();
    if (!open || !state.isActive()) {
      writes.remove(owner.uid(), write);
      state.post(work.name, NodeWork::step); // meanwhile the node may lack CIDRs again
      return false;
    }
    if (write.isUnsent() && !ledger.rivals(owner).isEmpty()) {
      // Another node has the block by now, but not by us: this one gets another.
      state.review(ledger.rivals(owner));
      giveBack(owner);
      state.post(work.name, NodeWork::step);
      return false;
    }
    return state.pause().isEmpty() && state.freshList().isThere();
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
      List<Cidr> claims = ledger.claims(owner);
      List<Matter> matters = new ArrayList<>();
      ledger.findings(owner).forEach(each -> matters.add(Matter.of(each)));
      write.matter().ifPresent(matters::add);
      reporter.publish(owner, State.PARKED, claims, matters);
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
}
