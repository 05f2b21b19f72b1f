package io.tidemark.nodecidr.controller;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.nodecidr.ledger.NodeOwner;
import io.tidemark.time.Lane;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The work for the node of one name: which incarnation of it is there. {@link NodeAssignment} has
 * its CIDRs, {@link NodeReporter} its report. Confined to its lane, but for the report.
 */
final class NodeWork {
  final String name;
  final Lane lane;

  /** Tasks on the lane; guarded by the map of all nodes. */
  int queued;

  private final ControllerState state;
  private final NodeReporter reporter;
  private final NodeAssignment assignment;

  /** The present incarnation, as it was looked at last. */
  private volatile @Nullable ClusterNode node;

  /** An incarnation that a write found gone, until the store has noticed it. */
  private @Nullable ClusterNode gone;

  NodeWork(String name, Lane lane, ControllerState state) {
    this.name = name;
    this.lane = lane;
    this.state = state;
    this.reporter = new NodeReporter(name, state);
    this.assignment = new NodeAssignment(this, reporter, state);
  }

  /** Whether nothing is left to remember. */
  boolean isEmpty() {
    return node == null && gone == null && assignment.isEmpty();
  }

  /** Whether a version says what the last one said, as far as it matters here; from any thread. */
  boolean isNoNews(ClusterNode version) {
    ClusterNode last = node;
    return last != null
        && last.uid().equals(version.uid())
        && last.beingDeleted() == version.beingDeleted()
        && last.exempt() == version.exempt()
        && last.podCidrs().equals(version.podCidrs())
        && (state.parts().cloud().isEmpty() || showsSameToCloud(last, version));
  }

  private static boolean showsSameToCloud(ClusterNode last, ClusterNode version) {
    return last.providerId().equals(version.providerId())
        && last.networkUnavailable().equals(version.networkUnavailable());
  }

  Optional<NodeReport> report() {
    return reporter.report();
  }

  /** Owners whose writes may still have an effect. */
  boolean hasUnknown() {
    return assignment.hasUnknown();
  }

  /**
   * The first look at the node, after the claims of all nodes are complete.
   *
   * @param listed the version whose CIDRs are claimed
   */
  void begin(ClusterNode listed) {
    node = listed;
    reporter.seen();
    assignment.begin(listed);
    step();
  }

  /** Looks at the node again, and repeats writes that were interrupted or refused. */
  void resume() {
    assignment.resume();
    step();
  }

  /** A block became free for an incarnation that waited. */
  void granted(NodeOwner owner) {
    assignment.hurry();
    step();
    ClusterNode now = node;
    if (now == null || !isPresent(owner) || NodeAssignment.getsNothing(now)) {
      assignment.giveBack(owner);
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
      reporter.seen();
    }
    ClusterNode now = newest.get();
    node = now;
    assignment.look(now);
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

  private void leave(ClusterNode before) {
    List<NodeOwner> rivals = assignment.leave(before);
    node = null;
    reporter.gone();
    state.awaitCooldowns();
    state.review(rivals);
  }

  /** Whether this incarnation is the present one. */
  boolean isPresent(NodeOwner owner) {
    ClusterNode now = node;
    return now != null && now.owner().equals(owner.uid());
  }

  /** The incarnation is gone, although the store may show it still. */
  void foundGone(NodeOwner owner) {
    if (isPresent(owner)) {
      gone = node;
    }
  }
}
