package io.tidemark.nodecidr.controller;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.run.KeyedReconciler;
import io.tidemark.cluster.run.KeyedReconciler.Step;
import io.tidemark.nodecidr.controller.CidrStep.Shown;
import io.tidemark.nodecidr.ledger.CidrLedger;
import io.tidemark.nodecidr.ledger.NodeOwner;
import io.tidemark.nodecidr.ledger.Reservation;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The node of one name: which incarnation of it is there, the steps of each by its uid, and the
 * report. Confined to its queue, but for what is asked of it.
 */
final class CidrNodeWork implements KeyedReconciler.Item {
  private final String name;
  private final ControllerState shared;
  private final NodeReporter reporter;

  /** The present incarnation, and those with something to do. */
  private final Map<String, Incarnation> incarnations = new ConcurrentHashMap<>(2);

  /** The present incarnation, as it was looked at last. */
  private volatile @Nullable ClusterNode node;

  /** An incarnation that a write found gone, until the store has noticed it. */
  private @Nullable ClusterNode gone;

  CidrNodeWork(String name, ControllerState shared) {
    this.name = name;
    this.shared = shared;
    this.reporter = new NodeReporter(name, shared.parts, shared::changed);
  }

  @Override
  public boolean isEmpty() {
    return node == null && gone == null && incarnations.isEmpty();
  }

  Optional<CidrNodeReport> report() {
    return reporter.report();
  }

  @Override
  public boolean hasUnknown() {
    return incarnations.values().stream()
        .anyMatch(
            it ->
                it.cloud.filter(sync -> sync.isAddUnknown).isPresent()
                    || shared
                        .ledger
                        .reservation(it.owner)
                        .filter(open -> open.state() == Reservation.State.UNCERTAIN)
                        .isPresent());
  }

  /** Whether a version says what the last one said, as far as it matters here; from any thread. */
  boolean isNoNews(ClusterNode version) {
    ClusterNode last = node;
    return last != null
        && last.uid().equals(version.uid())
        && last.beingDeleted() == version.beingDeleted()
        && last.exempt() == version.exempt()
        && last.podCidrs().equals(version.podCidrs())
        && (!shared.followsCloud
            || (last.providerId().equals(version.providerId())
                && last.networkUnavailable().equals(version.networkUnavailable())));
  }

  /** The first look at the node, after the claims of all nodes are complete. */
  void begin(ClusterNode listed) {
    node = listed;
    reporter.seen();
    incarnation(NodeOwner.of(listed)).inherited = !listed.podCidrs().isEmpty();
  }

  /** Goes on at once with what waits: writes that were interrupted or refused, and the cloud. */
  void resume() {
    for (Incarnation it : incarnations.values()) {
      it.unpark();
      it.cloud.ifPresent(CloudSync::hurry);
    }
  }

  /** A block became free for an incarnation that waited. */
  void granted(NodeOwner owner) {
    incarnation(owner).cloud.ifPresent(CloudSync::hurry);
  }

  void cooled(NodeOwner owner) {
    incarnation(owner).absenceDue = true;
  }

  private Incarnation incarnation(NodeOwner owner) {
    return incarnations.computeIfAbsent(
        owner.uid(), uid -> new Incarnation(owner, shared.cloudSync()));
  }

  @Override
  public Map<String, Step> steps() {
    see(newest());
    ClusterNode now = node;
    long nanos = shared.parts.now();
    Map<String, Step> steps = new HashMap<>(2);
    for (Incarnation it : List.copyOf(incarnations.values())) {
      CidrStep step;
      if (now != null && now.owner().equals(it.owner.uid())) {
        step = shared.steps.present(it, now, nanos);
        step.shown().ifPresent(shown -> publish(it.owner, shown));
      } else {
        step = shared.steps.absent(it);
        if (isDone(it)) {
          incarnations.remove(it.owner.uid());
        }
      }
      steps.put(it.owner.uid(), step.step());
    }
    shared.follow();
    return steps;
  }

  private boolean isDone(Incarnation it) {
    return !it.inFlight
        && !it.absenceDue
        && it.occupied == null
        && shared.ledger.reservation(it.owner).isEmpty();
  }

  private void publish(NodeOwner owner, Shown shown) {
    boolean conflicted = reporter.hasConflict();
    reporter.publish(owner, shown);
    if (reporter.hasConflict() && !conflicted) {
      shared.review(shared.ledger.rivals(owner));
    }
  }

  /** The newest version in the store, unless a write has found that incarnation gone. */
  private Optional<ClusterNode> newest() {
    ClusterNode last = node;
    if (last != null && incarnation(NodeOwner.of(last)).gone) {
      gone = last;
    }
    Optional<ClusterNode> newest = shared.parts.nodes().latest(name);
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

  private void see(Optional<ClusterNode> newest) {
    ClusterNode before = node;
    if (before != null && newest.filter(it -> it.owner().equals(before.owner())).isEmpty()) {
      leave(NodeOwner.of(before));
      node = null;
    }
    if (newest.isEmpty()) {
      return;
    }
    ClusterNode now = newest.get();
    if (node == null) {
      reporter.seen();
    }
    Incarnation it = incarnation(NodeOwner.of(now));
    it.gone = false;
    if (before != null && !isNoNews(now)) {
      it.unpark();
    }
    node = now;
  }

  /** This incarnation is not there: what it has cools, and what was not sent to it is free. */
  private void leave(NodeOwner owner) {
    CidrLedger ledger = shared.ledger;
    List<NodeOwner> rivals = ledger.rivals(owner);
    ledger.absent(owner, shared.parts.now());
    shared.review(rivals);
    shared.freed();
    Incarnation it = incarnation(owner);
    it.cloud.ifPresent(CloudSync::leave);
    it.inherited = false;
    it.unpark();
    reporter.gone();
  }
}
