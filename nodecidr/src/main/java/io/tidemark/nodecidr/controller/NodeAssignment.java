package io.tidemark.nodecidr.controller;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.ClusterNodeStore.Reading;
import io.tidemark.ip.Cidr;
import io.tidemark.nodecidr.cloud.CloudStep;
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
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The CIDRs of the node of one name: what it claims, and what is reserved for it. Confined to the
 * lane of the node, but for {@link #hasUnknown}.
 */
final class NodeAssignment {
  private final NodeWork work;
  private final NodeReporter reporter;
  private final ControllerState state;
  private final CidrLedger ledger;

  private final NodeWrites writes;

  /** The cloud's side; null where blocks come from ranges of the cluster alone. */
  private final @Nullable CloudSync cloud;

  /** Whether the node had its CIDRs before this controller led. */
  private boolean inherited;

  /** The version without CIDRs for which the backend was asked last. */
  private @Nullable String confirmed;

  NodeAssignment(NodeWork work, NodeReporter reporter, ControllerState state) {
    this.work = work;
    this.reporter = reporter;
    this.state = state;
    this.ledger = state.ledger();
    this.writes = new NodeWrites(work, reporter, state);
    this.cloud =
        state.parts().cloud().map(source -> new CloudSync(work, state, source)).orElse(null);
  }

  /** Whether nothing is being written. */
  boolean isEmpty() {
    return writes.isEmpty() && (cloud == null || !cloud.isBusy());
  }

  /** Owners whose writes may still have an effect. */
  boolean hasUnknown() {
    return writes.hasUnknown() || (cloud != null && cloud.hasUnknown());
  }

  /** The version that the controller's start has claimed. */
  void begin(ClusterNode listed) {
    inherited = !listed.podCidrs().isEmpty();
  }

  /** Goes on at once with what waits: writes that were interrupted or refused, and the cloud. */
  void resume() {
    writes.resume();
    hurry();
  }

  /** Something that the node waited for is there. */
  void hurry() {
    if (cloud != null) {
      cloud.hurry();
    }
  }

  /** The incarnation gets nothing: what was not sent to it is free. */
  void giveBack(NodeOwner owner) {
    writes.giveBack(owner);
  }

  /** This incarnation is not there: what it has cools, and what was not sent to it is free. */
  List<NodeOwner> leave(ClusterNode before) {
    NodeOwner owner = NodeOwner.of(before);
    List<NodeOwner> rivals = ledger.rivals(owner);
    ledger.absent(owner, state.parts().now());
    giveBack(owner);
    writes.find(owner).ifPresent(PodCidrsWrite::begin);
    if (cloud != null) {
      cloud.leave();
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
    NodeOwner owner = NodeOwner.of(now);
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
      now.podCidrs().writer().ifPresent(writer -> state.written(work.name, writer));
    }
    boolean conflicted = reporter.hasConflict();
    boolean readable =
        matters.stream().noneMatch(each -> each.code() == NodeCidrError.CIDR_UNREADABLE);
    if (ledger.isIncomplete(owner) && readable) {
      assign(now, owner, matters);
    } else {
      has(now, owner, matters);
    }
    state.keepAhead();
    if (reporter.hasConflict() && !conflicted) {
      state.review(ledger.rivals(owner));
    }
  }

  private boolean isReserved(NodeOwner owner, List<Cidr> cidrs) {
    return ledger.reservation(owner).filter(it -> it.blocks().equals(cidrs)).isPresent();
  }

  private void assign(ClusterNode now) {
    NodeOwner owner = NodeOwner.of(now);
    List<CidrFinding> unusedNone = ledger.claim(owner, List.of());
    List<Matter> matters = ledger.findings(owner).stream().map(Matter::of).toList();
    if (ledger.claims(owner).isEmpty() || ledger.isIncomplete(owner)) {
      assign(now, owner, matters);
    } else {
      has(now, owner, matters);
      confirmLoss(now, owner);
    }
  }

  /**
   * The store shows the node without the CIDRs that it has: the store may lag. If the backend has
   * none either it was restored from a backup, and the node gets its own again.
   */
  private void confirmLoss(ClusterNode shown, NodeOwner owner) {
    if (cloud == null && !shown.version().equals(confirmed)) {
      confirmed = shown.version();
      new NodeRead(
              work.name,
              state,
              (reading, any) -> {
                if (reading instanceof Reading.Found found && hasNone(found.node(), owner)) {
                  ledger.lost(owner);
                  work.step();
                }
                return !(reading instanceof Reading.Failed);
              })
          .begin();
    }
  }

  private boolean hasNone(ClusterNode read, NodeOwner owner) {
    return read.owner().equals(owner.uid())
        && read.podCidrs().isEmpty()
        && writes.find(owner).isEmpty();
  }

  /** The node has CIDRs, which its instance shall have too; those that are unreadable are left. */
  private void has(ClusterNode now, NodeOwner owner, List<Matter> matters) {
    List<Cidr> claims = ledger.claims(owner);
    List<Cidr> written = asWritten(now, claims);
    if (cloud == null || getsNothing(now) || claims.isEmpty()) {
      reporter.has(owner, matters, written);
      return;
    }
    Optional<CloudStep> unusedStep = cloud.next(now, owner, claims);
    if (cloud.hasLooked()) {
      reporter.has(owner, both(matters, cloud.matters()), written);
    }
  }

  /** In the order in which the node shows them; those that it does not show are last. */
  private static List<Cidr> asWritten(ClusterNode now, List<Cidr> claims) {
    List<String> texts = now.podCidrs().all();
    return claims.stream()
        .sorted(
            Comparator.comparingInt(
                cidr -> {
                  int place = texts.indexOf(cidr.toString());
                  return place < 0 ? texts.size() : place;
                }))
        .toList();
  }

  /** Writes to the node what it lacks: everything, or what a CiliumNode lacks beside its claims. */
  private void assign(ClusterNode now, NodeOwner owner, List<Matter> matters) {
    if (getsNothing(now)) {
      giveBack(owner);
    }
    List<Cidr> claims = ledger.claims(owner);
    PodCidrsWrite write = writes.find(owner).orElse(null);
    if (write != null) {
      boolean refused = write.matter().filter(NodeAssignment::isRefusal).isPresent();
      reporter.publish(
          owner,
          refused ? State.PARKED : State.WAITING,
          write.reservation().joined(claims),
          both(matters, write.matter().stream().toList()));
    } else if (!getsNothing(now) && cloud != null) {
      follow(cloud, now, owner, matters);
    } else if (!getsNothing(now)) {
      reserve(owner, List.of(), claims, matters).ifPresent(it -> write(it, claims, matters));
    } else if (claims.isEmpty()) {
      reporter.publish(owner, State.PARKED, claims, matters);
    } else {
      reporter.has(owner, matters, claims);
    }
  }

  static boolean getsNothing(ClusterNode node) {
    return node.beingDeleted() || node.exempt();
  }

  /** Does for a node without CIDRs what follows from its instance in the cloud. */
  private void follow(CloudSync sync, ClusterNode now, NodeOwner owner, List<Matter> matters) {
    Optional<CloudStep> step = sync.next(now, owner, List.of());
    List<Cidr> reserved = ledger.reservation(owner).map(Reservation::blocks).orElse(List.of());
    List<Matter> all = both(matters, sync.matters());
    if (step.filter(CloudStep.Write.class::isInstance).isPresent()) {
      reserve(owner, List.of(), List.of(), all).ifPresent(it -> write(it, List.of(), matters));
    } else if (step.orElse(null) instanceof CloudStep.Reserve reserve) {
      if (reserve(owner, reserve.given(), List.of(), matters).isPresent()) {
        follow(sync, now, owner, matters);
      } else {
        sync.waitsForBlocks(reporter.report().map(NodeReport::matters).orElse(List.of()));
      }
    } else if (step.filter(CloudStep.Withdraw.class::isInstance).isPresent()) {
      ledger.withdraw(owner);
      follow(sync, now, owner, matters);
    } else if (sync.hasLooked() || !reserved.isEmpty()) {
      boolean parked = sync.isStuck() || step.isPresent();
      reporter.publish(owner, parked ? State.PARKED : State.WAITING, reserved, all);
    }
  }

  /**
   * Keeps blocks for a node, or reports why it gets none now.
   *
   * @param given those that a cloud has assigned
   */
  private Optional<Reservation> reserve(
      NodeOwner owner, List<Cidr> given, List<Cidr> claims, List<Matter> matters) {
    Optional<Matter> pause = state.pause();
    if (pause.isPresent()) {
      reporter.publish(owner, State.PARKED, claims, both(matters, List.of(pause.get())));
      return Optional.empty();
    }
    if (!state.freshList().isThere()) {
      reporter.publish(owner, State.WAITING, claims, matters);
      return Optional.empty();
    }
    long now = state.parts().now();
    ReserveOutcome outcome =
        given.isEmpty() ? ledger.reserve(owner, now) : ledger.reserve(owner, given, now);
    if (outcome instanceof ReserveOutcome.Reserved reserved) {
      state.keepAhead();
      return Optional.of(reserved.reservation());
    }
    if (outcome instanceof ReserveOutcome.Unpublished) {
      reporter.publish(owner, State.WAITING, claims, matters);
      state.note().ifPresent(note -> note.await(work.name));
    } else {
      List<Matter> shortage =
          Shortage.of(owner, outcome, state.settings().cidrs()).stream().toList();
      reporter.publish(owner, State.PARKED, claims, both(matters, shortage));
    }
    return Optional.empty();
  }

  private void write(Reservation reservation, List<Cidr> claims, List<Matter> matters) {
    NodeOwner owner = reservation.owner();
    PodCidrsWrite write = writes.add(reservation);
    reporter.publish(owner, State.WAITING, reservation.joined(claims), matters);
    write.begin();
  }

  private static List<Matter> both(List<Matter> some, List<Matter> others) {
    return Stream.concat(some.stream(), others.stream()).distinct().toList();
  }

  private static boolean isRefusal(Matter matter) {
    return matter.code() == NodeCidrError.CIDR_FORBIDDEN;
  }
}
