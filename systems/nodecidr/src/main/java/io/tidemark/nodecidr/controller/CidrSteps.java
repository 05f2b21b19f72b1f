package io.tidemark.nodecidr.controller;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.NodeProblem;
import io.tidemark.cluster.run.KeyedReconciler.Rest;
import io.tidemark.cluster.run.KeyedReconciler.Step;
import io.tidemark.ip.Cidr;
import io.tidemark.nodecidr.cloud.CloudStep;
import io.tidemark.nodecidr.cloud.CloudStep.Plain;
import io.tidemark.nodecidr.controller.CidrNodeReport.State;
import io.tidemark.nodecidr.controller.CidrStep.Shown;
import io.tidemark.nodecidr.ledger.CidrLedger;
import io.tidemark.nodecidr.ledger.ClusterCidrs.Target;
import io.tidemark.nodecidr.ledger.NodeCidrError;
import io.tidemark.nodecidr.ledger.NodeOwner;
import io.tidemark.nodecidr.ledger.NodePodCidrs;
import io.tidemark.nodecidr.ledger.Reservation;
import io.tidemark.nodecidr.ledger.ReserveOutcome;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The next step for one incarnation of a node, by its newest version, the ledger and the cloud.
 * Tells the ledger what the node has and what it is to get, and sends nothing; asked again, it
 * decides the same. Thread-safe; all calls for one name come in order.
 */
final class CidrSteps {
  /** The text of the Cilium operator about a node that gets no block. */
  private static final String REFERENCE = "allocator full: ";

  private final ControllerState state;
  private final CidrLedger ledger;
  private final AllocationPause pause;
  private final CidrRequests requests;

  CidrSteps(ControllerState state, CidrRequests requests) {
    this.state = state;
    this.ledger = state.ledger;
    this.pause = state.pause;
    this.requests = requests;
  }

  /** The step for an incarnation that is there: claims what it has, or gives it what it lacks. */
  CidrStep present(Incarnation it, ClusterNode node, long now) {
    NodeOwner owner = it.owner;
    NodePodCidrs read =
        NodePodCidrs.read(ledger.cidrs(), node.podCidrs().first(), node.podCidrs().all());
    boolean has = !node.podCidrs().isEmpty();
    boolean ours =
        !has
            || it.inherited
            || !ledger.claims(owner).isEmpty()
            || ledger.reservation(owner).filter(r -> r.blocks().equals(read.cidrs())).isPresent();
    it.inherited |= has;
    if (has && read.cidrs().isEmpty()) {
      giveBack(it);
    }
    ledger.claim(owner, read.cidrs());
    List<NodeProblem> matters =
        Stream.concat(read.findings().stream(), ledger.findings(owner).stream()).toList();
    if (!ours) {
      node.podCidrs().writer().ifPresent(writer -> pause.wrote(owner.name(), writer, now));
    }
    boolean readable =
        matters.stream().noneMatch(each -> each.code() == NodeCidrError.CIDR_UNREADABLE);
    boolean none = !has && ledger.claims(owner).isEmpty();
    boolean lacks = none || (ledger.isIncomplete(owner) && readable);
    Reservation occupied = it.occupied;
    CidrStep step = lacks ? assign(it, node, matters, now) : has(it, node, matters, now);
    if (occupied != null) {
      return new CidrStep(requests.readOccupied(it, occupied), step.shown());
    }
    boolean lost = !lacks && !has && it.cloud.isEmpty();
    return lost && !node.version().equals(it.confirmed)
        ? new CidrStep(requests.readLost(it, node.version()), step.shown())
        : step;
  }

  /**
   * The step for an incarnation that is not there: a write that may have had an effect goes on
   * until its result is known, then a read confirms the absence.
   */
  CidrStep absent(Incarnation it) {
    if (it.occupied != null) {
      return new CidrStep(requests.readOccupied(it, it.occupied), Optional.empty());
    }
    Optional<Reservation> open = ledger.reservation(it.owner);
    if (open.isPresent() && !it.inFlight) {
      if (open.get().state() != Reservation.State.HELD) {
        return write(it, open.get(), List.of(), List.of(), OptionalLong.empty());
      }
      giveBack(it);
    }
    return it.absenceDue ? new CidrStep(requests.readAbsent(it), Optional.empty()) : CidrStep.QUIET;
  }

  /** The node has CIDRs, which its instance shall have too; those that are unreadable are left. */
  private CidrStep has(Incarnation it, ClusterNode node, List<NodeProblem> matters, long now) {
    List<Cidr> claims = ledger.claims(it.owner);
    List<Cidr> written = asWritten(node, claims);
    if (it.cloud.isEmpty() || getsNothing(node) || claims.isEmpty()) {
      return CidrStep.rest(new Shown(State.of(matters), written, matters));
    }
    CloudSync sync = it.cloud.get();
    CloudStep step = sync.next(node, it.owner, claims, it.inFlight, now);
    List<NodeProblem> all = both(matters, sync.matters);
    Optional<Shown> shown =
        Optional.of(new Shown(State.of(all), written, all)).filter(any -> sync.hasLooked);
    return new CidrStep(step(it, sync, step), shown);
  }

  /** In the order in which the node shows them; those that it does not show are last. */
  private static List<Cidr> asWritten(ClusterNode node, List<Cidr> claims) {
    List<String> texts = node.podCidrs().all();
    return claims.stream()
        .sorted(
            Comparator.comparingInt(
                cidr -> {
                  int place = texts.indexOf(cidr.toString());
                  return place < 0 ? texts.size() : place;
                }))
        .toList();
  }

  private Step step(Incarnation it, CloudSync sync, CloudStep step) {
    if (step == Plain.READ) {
      return requests.readInstance(it, sync);
    }
    if (step instanceof CloudStep.Add add) {
      return requests.add(it, sync, add.range());
    }
    return step == Plain.ANNOUNCE ? requests.announce(it, sync) : new Rest(sync.pausedUntil);
  }

  /** Gives a node what it lacks: everything, or what a CiliumNode lacks beside its claims. */
  private CidrStep assign(Incarnation it, ClusterNode node, List<NodeProblem> matters, long now) {
    NodeOwner owner = it.owner;
    if (getsNothing(node)) {
      giveBack(it);
    }
    List<Cidr> claims = ledger.claims(owner);
    Optional<Reservation> open = ledger.reservation(owner);
    OptionalLong parked = it.parkedUntil(now);
    if (open.filter(each -> each.number() == it.writing).isPresent()) {
      return write(it, open.get(), claims, matters, parked);
    }
    if (getsNothing(node)) {
      State state = claims.isEmpty() ? State.PARKED : State.of(matters);
      return CidrStep.rest(new Shown(state, claims, matters));
    }
    if (parked.isPresent()) {
      List<NodeProblem> all = both(matters, it.matter.stream().toList());
      return new CidrStep(new Rest(parked), Optional.of(new Shown(State.PARKED, claims, all)));
    }
    it.endWrite();
    return it.cloud.isPresent()
        ? follow(it, it.cloud.get(), node, matters, now)
        : reserve(owner, List.of(), claims, matters, now)
            .orElseGet(() -> begin(it, claims, matters));
  }

  static boolean getsNothing(ClusterNode node) {
    return node.beingDeleted() || node.exempt();
  }

  /** The incarnation gets nothing: what was not sent to it is free. */
  private void giveBack(Incarnation it) {
    boolean unsent =
        ledger
            .reservation(it.owner)
            .filter(open -> open.state() != Reservation.State.HELD)
            .isEmpty();
    if (unsent && !it.inFlight) {
      ledger.withdraw(it.owner);
      it.endWrite();
      state.freed();
    }
  }

  /** Gives a node without CIDRs what follows from its instance in the cloud. */
  private CidrStep follow(
      Incarnation it, CloudSync sync, ClusterNode node, List<NodeProblem> matters, long now) {
    CloudStep step = sync.next(node, it.owner, List.of(), it.inFlight, now);
    List<NodeProblem> all = both(matters, sync.matters);
    if (step == Plain.WRITE) {
      return reserve(it.owner, List.of(), List.of(), all, now)
          .orElseGet(() -> begin(it, List.of(), matters));
    }
    if (step instanceof CloudStep.Reserve reserve) {
      Optional<CidrStep> none = reserve(it.owner, reserve.given(), List.of(), matters, now);
      if (none.isEmpty()) {
        return follow(it, sync, node, matters, now);
      }
      sync.waitsForBlocks(none.get().shown().map(Shown::matters).orElse(List.of()), now);
      return new CidrStep(new Rest(sync.pausedUntil), none.get().shown());
    }
    if (step == Plain.WITHDRAW) {
      ledger.withdraw(it.owner);
      return follow(it, sync, node, matters, now);
    }
    List<Cidr> reserved = ledger.reservation(it.owner).map(Reservation::blocks).orElse(List.of());
    boolean ended = step == Plain.SETTLED || step instanceof CloudStep.Stuck;
    State state = ended || sync.isStuck ? State.PARKED : State.WAITING;
    Optional<Shown> shown =
        Optional.of(new Shown(state, reserved, all))
            .filter(any -> sync.hasLooked || !reserved.isEmpty());
    return new CidrStep(step(it, sync, step), shown);
  }

  /** Keeps blocks for a node, {@code given} ones of a cloud too; else why it rests. */
  private Optional<CidrStep> reserve(
      NodeOwner owner, List<Cidr> given, List<Cidr> claims, List<NodeProblem> matters, long now) {
    Optional<NodeProblem> paused = pause.reason();
    if (paused.isPresent()) {
      List<NodeProblem> all = both(matters, List.of(paused.get()));
      return Optional.of(CidrStep.rest(new Shown(State.PARKED, claims, all)));
    }
    Shown waits = new Shown(State.WAITING, claims, matters);
    if (!state.freshList.isThere()) {
      state.freshList.need();
      return Optional.of(CidrStep.rest(waits));
    }
    ReserveOutcome outcome =
        given.isEmpty() ? ledger.reserve(owner, now) : ledger.reserve(owner, given, now);
    if (outcome instanceof ReserveOutcome.Reserved) {
      return Optional.empty();
    }
    if (outcome instanceof ReserveOutcome.Unpublished) {
      state.note.ifPresent(note -> note.await(owner.name()));
      return Optional.of(CidrStep.rest(waits));
    }
    String prefix = ledger.cidrs().target() == Target.CILIUM_NODE ? REFERENCE : "";
    List<NodeProblem> shortage =
        outcome.shortage().stream()
            .map(it -> new NodeProblem(it.code(), prefix + it.detail()))
            .toList();
    return Optional.of(CidrStep.rest(new Shown(State.PARKED, claims, both(matters, shortage))));
  }

  /** The blocks that are kept are written from now on, unless others have them by now. */
  private CidrStep begin(Incarnation it, List<Cidr> claims, List<NodeProblem> matters) {
    Reservation open = ledger.reservation(it.owner).orElseThrow();
    it.writing = open.number();
    return write(it, open, claims, matters, OptionalLong.empty());
  }

  private CidrStep write(
      Incarnation it,
      Reservation open,
      List<Cidr> claims,
      List<NodeProblem> matters,
      OptionalLong parked) {
    Shown shown =
        new Shown(
            it.isRefused() ? State.PARKED : State.WAITING,
            open.joined(claims),
            both(matters, it.matter.stream().toList()));
    if (it.inFlight || parked.isPresent()) {
      return new CidrStep(new Rest(parked), Optional.of(shown));
    }
    List<NodeOwner> rivals = ledger.rivals(it.owner);
    if (open.state() == Reservation.State.HELD && !rivals.isEmpty()) {
      // Another node has the block by now, but not by us: this one gets another.
      state.review(rivals);
      state.review(List.of(it.owner));
      giveBack(it);
      return CidrStep.QUIET;
    }
    if (pause.reason().isPresent()) {
      return CidrStep.rest(shown);
    }
    if (!state.freshList.isThere()) {
      state.freshList.need();
      return CidrStep.rest(shown);
    }
    return new CidrStep(requests.write(it, open), Optional.of(shown));
  }

  private static List<NodeProblem> both(List<NodeProblem> some, List<NodeProblem> others) {
    List<NodeProblem> all = new ArrayList<>(some);
    others.stream().filter(each -> !all.contains(each)).forEach(all::add);
    return all.stream().distinct().toList();
  }
}
