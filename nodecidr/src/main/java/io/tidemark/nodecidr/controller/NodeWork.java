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
import io.tidemark.time.Lane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The work for the node of one name: which incarnation is there, what it has, and what is being
 * written to it or to former incarnations. Confined to its lane, but for the report.
 */
final class NodeWork {
  private static final Set<NodeCidrError> NOT_IN_ORDER =
      Set.of(
          NodeCidrError.CIDR_FOREIGN,
          NodeCidrError.CIDR_UNREADABLE,
          NodeCidrError.CIDR_MISMATCH,
          NodeCidrError.FAMILY_OFF);

  final String name;
  final Lane lane;

  /** Tasks on the lane; guarded by the map of all nodes. */
  int queued;

  private final ControllerState state;
  private final CidrLedger ledger;

  /** What is being written, by the uid of the incarnation; read by the end on another thread. */
  private final Map<String, PodCidrsWrite> writes = new ConcurrentHashMap<>(2);

  /** The present incarnation, as it was looked at last. */
  private volatile @Nullable ClusterNode node;

  /** Present as long as a node is. */
  private volatile @Nullable NodeReport report;

  /** When the present incarnation was seen first. */
  private long seenNanos;

  /** An incarnation that a write found gone, until the store has noticed it. */
  private @Nullable ClusterNode gone;

  /** Whether it had its CIDRs before this controller led. */
  private boolean inherited;

  NodeWork(String name, Lane lane, ControllerState state) {
    this.name = name;
    this.lane = lane;
    this.state = state;
    this.ledger = state.ledger();
  }

  /** Whether nothing is left to remember. */
  boolean isEmpty() {
    return node == null && gone == null && writes.isEmpty();
  }

  /** Whether a version says what the last one said, as far as it matters here; from any thread. */
  boolean isNoNews(ClusterNode version) {
    ClusterNode last = node;
    return last != null
        && last.uid().equals(version.uid())
        && last.beingDeleted() == version.beingDeleted()
        && last.exempt() == version.exempt()
        && last.podCidrs().equals(version.podCidrs());
  }

  Optional<NodeReport> report() {
    return Optional.ofNullable(report);
  }

  /** Owners whose writes may still have an effect. */
  boolean hasUnknown() {
    return writes.values().stream().anyMatch(PodCidrsWrite::isUnknown);
  }

  /**
   * The first look at the node, after the claims of all nodes are complete.
   *
   * @param listed the version whose CIDRs are claimed
   */
  void begin(ClusterNode listed) {
    node = listed;
    seenNanos = state.parts().now();
    inherited = !listed.podCidrs().isEmpty();
    step();
  }

  /** Looks at the node again, and repeats writes that were interrupted or refused. */
  void resume() {
    List.copyOf(writes.values()).forEach(PodCidrsWrite::begin);
    step();
  }

  /** A block became free for an incarnation that waited. */
  void granted(NodeOwner owner) {
    step();
    ClusterNode now = node;
    if (now == null || !now.owner().equals(owner.uid()) || getsNothing(now)) {
      giveBack(owner);
    }
  }

  /** Looks at the newest version of the node and does what follows from it. */
  void step() {
    if (!state.isActive()) {
      return;
    }
    Optional<ClusterNode> newest = newest();
    ClusterNode before = node;
    if (before != null && newest.filter(it -> it.owner().equals(before.owner())).isEmpty()) {
      leave(before);
    }
    if (newest.isEmpty()) {
      return;
    }
    if (node == null) {
      seenNanos = state.parts().now();
    }
    ClusterNode now = newest.get();
    node = now;
    if (!now.podCidrs().isEmpty()) {
      claim(now);
    } else {
      assign(now);
    }
  }

  /** The newest version in the store, unless a write has found that incarnation gone. */
  private Optional<ClusterNode> newest() {
    Optional<ClusterNode> newest = state.parts().store().latest(name);
    ClusterNode left = gone;
    if (left != null && newest.isPresent()) {
      ClusterNode shown = newest.get();
      // Without uids, a later version is another incarnation.
      boolean same = left.uid().isEmpty() ? left.equals(shown) : left.uid().equals(shown.uid());
      if (same) {
        return Optional.empty();
      }
    }
    gone = null;
    return newest;
  }

  /** This incarnation is not there: what it has cools, and what was not sent to it is free. */
  private void leave(ClusterNode before) {
    NodeOwner owner = StartPass.owner(before);
    List<NodeOwner> rivals = hasConflict() ? ledger.rivals(owner) : List.of();
    ledger.absent(owner, state.parts().now());
    giveBack(owner);
    PodCidrsWrite write = writes.get(owner.uid());
    if (write != null) {
      write.begin();
    }
    NodeReport last = report;
    if (last != null) {
      last.matters().forEach(each -> state.parts().events().cleared(name, each.code()));
    }
    node = null;
    report = null;
    inherited = false;
    state.changed(name);
    state.awaitCooldowns();
    state.review(rivals);
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
    boolean conflicted = hasConflict();
    boolean readable =
        matters.stream().noneMatch(each -> each.code() == NodeCidrError.CIDR_UNREADABLE);
    if (ledger.isIncomplete(owner) && readable) {
      assign(now, owner, matters);
    } else {
      has(owner, matters, ledger.claims(owner));
    }
    state.keepAhead();
    if (hasConflict() && !conflicted) {
      state.review(ledger.rivals(owner));
    }
  }

  private boolean isReserved(NodeOwner owner, List<Cidr> cidrs) {
    return ledger.reservation(owner).filter(it -> it.blocks().equals(cidrs)).isPresent();
  }

  /** The server's records name who wrote the CIDRs of a node that we did not assign. */
  void writtenBy(String writer) {
    if (!writer.equals(state.settings().manager())) {
      state.foreignWrite(name, writer);
    }
  }

  private void assign(ClusterNode now) {
    NodeOwner owner = StartPass.owner(now);
    List<CidrFinding> unusedNone = ledger.claim(owner, List.of());
    List<Matter> matters = ledger.findings(owner).stream().map(Matter::of).toList();
    if (ledger.claims(owner).isEmpty() || ledger.isIncomplete(owner)) {
      assign(now, owner, matters);
    } else {
      has(owner, matters, ledger.claims(owner));
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
      boolean refused = write.matter().filter(NodeWork::isRefusal).isPresent();
      publish(
          owner,
          refused ? State.PARKED : State.WAITING,
          both(claims, write.reservation().blocks()),
          both(matters, write.matter().stream().toList()));
    } else if (!getsNothing(now)) {
      reserve(owner, claims, matters);
    } else if (claims.isEmpty()) {
      publish(owner, State.PARKED, claims, matters);
    } else {
      has(owner, matters, claims);
    }
  }

  private static boolean getsNothing(ClusterNode node) {
    return node.beingDeleted() || node.exempt();
  }

  private void reserve(NodeOwner owner, List<Cidr> claims, List<Matter> matters) {
    Optional<Matter> pause = state.pause();
    if (pause.isPresent()) {
      publish(owner, State.PARKED, claims, both(matters, List.of(pause.get())));
      return;
    }
    ReserveOutcome outcome = ledger.reserve(owner, state.parts().now());
    if (outcome instanceof ReserveOutcome.Reserved reserved) {
      PodCidrsWrite write = new PodCidrsWrite(reserved.reservation(), this, state);
      writes.put(owner.uid(), write);
      publish(owner, State.WAITING, both(claims, reserved.reservation().blocks()), matters);
      write.begin();
      state.keepAhead();
    } else if (outcome instanceof ReserveOutcome.Unpublished) {
      publish(owner, State.WAITING, claims, matters);
      state.awaitPublished(name);
    } else {
      List<Matter> shortage =
          Shortage.of(owner, outcome, state.settings().cidrs()).stream().toList();
      publish(owner, State.PARKED, claims, both(matters, shortage));
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
      state.post(name, NodeWork::step);
      return false;
    }
    return state.pause().isEmpty();
  }

  /** By which uid the server knows an incarnation. */
  String serverUid(NodeOwner owner) {
    return owner.uid().equals(name) ? "" : owner.uid();
  }

  /** A write found that the incarnation it was for is gone: the store may show it still. */
  void foundGone(NodeOwner owner) {
    ClusterNode now = node;
    if (now != null && now.owner().equals(owner.uid())) {
      gone = now;
    }
  }

  /** The result of a write is known. */
  void done(PodCidrsWrite write) {
    writes.remove(write.reservation().owner().uid(), write);
    state.awaitCooldowns();
    step();
    state.wake();
  }

  /** A write was refused; what no earlier request can have given to the node is free. */
  void refused(PodCidrsWrite write) {
    NodeOwner owner = write.reservation().owner();
    if (!write.reservation().isOpen()) {
      writes.remove(owner.uid(), write);
    }
    ClusterNode now = node;
    if (now != null && now.owner().equals(owner.uid())) {
      List<Matter> matters = ledger.findings(owner).stream().map(Matter::of).toList();
      publish(
          owner,
          State.PARKED,
          ledger.claims(owner),
          both(matters, write.matter().stream().toList()));
    }
    state.wake();
  }

  private void giveBack(NodeOwner owner) {
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

  private boolean hasConflict() {
    NodeReport last = report;
    return last != null
        && last.matters().stream().anyMatch(each -> each.code() == NodeCidrError.CIDR_CONFLICT);
  }

  private void has(NodeOwner owner, List<Matter> matters, List<Cidr> cidrs) {
    State found = State.ASSIGNED;
    if (matters.stream().anyMatch(each -> each.code() == NodeCidrError.CIDR_CONFLICT)) {
      found = State.CONFLICT;
    } else if (matters.stream().anyMatch(each -> NOT_IN_ORDER.contains(each.code()))) {
      found = State.FOREIGN;
    }
    publish(owner, found, cidrs, matters);
  }

  private void publish(NodeOwner owner, State next, List<Cidr> cidrs, List<Matter> matters) {
    NodeReport before = report;
    long now = state.parts().now();
    long since = before != null && before.state() == next ? before.sinceNanos() : now;
    NodeReport after = new NodeReport(owner, cidrs, next, matters, seenNanos, since);
    report = after;
    if (!after.equals(before)) {
      state.changed(name);
    }
    Map<NodeCidrError, String> open = texts(matters);
    Map<NodeCidrError, String> known = before == null ? Map.of() : texts(before.matters());
    for (NodeCidrError code : known.keySet()) {
      if (!open.containsKey(code)) {
        state.parts().events().cleared(name, code);
      }
    }
    open.forEach(
        (code, detail) -> {
          if (!detail.equals(known.get(code))) {
            state.parts().events().report(name, code, detail);
          }
        });
    if (next != State.WAITING) {
      state.parts().events().found(name, open);
    }
    if (before != null && before.lacksCidrs() && next == State.ASSIGNED) {
      state.parts().metrics().assigned(Duration.ofNanos(now - seenNanos));
    }
  }

  private static Map<NodeCidrError, String> texts(List<Matter> matters) {
    return matters.stream()
        .collect(Collectors.toMap(Matter::code, Matter::detail, (a, b) -> a + "; " + b));
  }
}
