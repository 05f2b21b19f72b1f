package io.tidemark.nodecidr.controller;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.ip.Cidr;
import io.tidemark.nodecidr.cloud.CloudPauses;
import io.tidemark.nodecidr.cloud.CloudSource;
import io.tidemark.nodecidr.cloud.CloudStep;
import io.tidemark.nodecidr.cloud.CloudView;
import io.tidemark.nodecidr.controller.NodeReport.Matter;
import io.tidemark.nodecidr.ledger.CidrLedger;
import io.tidemark.nodecidr.ledger.NodeCidrError;
import io.tidemark.nodecidr.ledger.NodeOwner;
import io.tidemark.nodecidr.ledger.Reservation;
import io.tidemark.spi.InstanceId;
import io.tidemark.time.Cancellable;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Synchronizes the cloud route and the node condition of one node: each pass reads the instance and
 * takes the next {@link CloudStep}; failed steps are retried after a pause, beginning with a read.
 * Confined to the lane of the node.
 */
final class CloudSync {
  private final NodeWork work;
  private final ControllerState state;
  private final CloudSource cloud;
  private final CloudPauses pauses;
  private final CloudRequests requests;

  /** The instance of the present incarnation. */
  private Optional<InstanceId> instance = Optional.empty();

  /** Whether the ranges were read in this pass. */
  private boolean isFresh;

  /** Whether the next pass is due, whatever is known of the instance. */
  private boolean isDue = true;

  /** Whether a pass of this incarnation has come to an end, good or bad. */
  private boolean hasLooked;

  /** How the last pass ended: nothing is done before something changes. */
  private boolean isStuck;

  private List<Matter> matters = List.of();
  private @Nullable Cancellable pause;

  CloudSync(NodeWork work, ControllerState state, CloudSource cloud) {
    this.work = work;
    this.state = state;
    this.cloud = cloud;
    this.pauses = new CloudPauses(cloud.type(), state.parts().random());
    this.requests = new CloudRequests(work, this, state, cloud);
  }

  /** Whether a request is queued or in flight. */
  boolean isBusy() {
    return requests.isBusy();
  }

  /** Whether a range may have been added, or be added later, of which nothing is known. */
  boolean hasUnknown() {
    return requests.hasUnknown();
  }

  /** Whether there is anything to report. */
  boolean hasLooked() {
    return hasLooked;
  }

  /** Whether nothing is done before cloud or node show something else. */
  boolean isStuck() {
    return isStuck;
  }

  /** The problems of the last pass. */
  List<Matter> matters() {
    return matters;
  }

  /** The incarnation is gone. */
  void leave() {
    instance.ifPresent(cloud.forget());
    instance = Optional.empty();
    reset();
  }

  private void reset() {
    requests.ignoreResults();
    isFresh = false;
    isDue = true;
    hasLooked = false;
    isStuck = false;
    matters = List.of();
    pauses.update(true);
    unpause();
  }

  /**
   * Looks at cloud and node, and begins a request where that is the next step.
   *
   * @param has what the node claims
   * @return the step where it concerns the node's blocks, and at the end of a pass; empty while a
   *     request or pause is under way
   */
  Optional<CloudStep> next(ClusterNode now, NodeOwner owner, List<Cidr> has) {
    Optional<InstanceId> named = cloud.ranges().instanceOf(now.providerId());
    if (!named.equals(instance)) {
      reset();
      instance = named;
    }
    if (named.isEmpty()) {
      return Optional.of(withoutInstance(now));
    }
    InstanceId id = named.get();
    Optional<List<Cidr>> ranges = cloud.ranges().ranges(id);
    if (isBusy()) {
      return Optional.empty();
    }
    if (!isFresh && (isDue || ranges.isEmpty() || has.isEmpty())) {
      if (pause == null) {
        requests.read(id);
      }
      return Optional.empty();
    }
    CidrLedger ledger = state.ledger();
    CloudView view =
        new CloudView(
            cloud.type(),
            ledger.cidrs(),
            id.text(),
            ranges.orElse(List.of()),
            has,
            ledger.reservation(owner).map(Reservation::blocks),
            isRouted(now),
            cidr -> ledger.obstacles(owner, cidr),
            cidr -> ledger.isCooling(owner, cidr),
            ledger.rounds().isWithheld(state.parts().now()));
    return act(CloudStep.of(view), id, owner);
  }

  private Optional<CloudStep> act(CloudStep step, InstanceId id, NodeOwner owner) {
    if (step instanceof CloudStep.Add add) {
      Optional<Matter> paused = state.pause();
      if (paused.isPresent()) {
        ended(List.of(paused.get()), true, true);
        return Optional.of(new CloudStep.Settled());
      }
      requests.add(id, owner, add.range());
      return Optional.empty();
    }
    if (step instanceof CloudStep.Announce) {
      requests.announce(owner);
      return Optional.empty();
    }
    if (step instanceof CloudStep.Write) {
      solved();
    } else if (step instanceof CloudStep.Settled) {
      ended(List.of(), false, true);
    } else if (step instanceof CloudStep.Stuck stuck) {
      ended(List.of(new Matter(stuck.code(), stuck.detail())), true, !stuck.isError());
    }
    return Optional.of(step);
  }

  /** A provider ID is set later; one of another kind of node is left alone. */
  private CloudStep withoutInstance(ClusterNode now) {
    hasLooked = true;
    if (!now.providerId().isEmpty()) {
      return new CloudStep.Settled();
    }
    Matter missing =
        new Matter(NodeCidrError.CLOUD_RANGE_MISSING, "the node has no provider ID yet");
    matters = List.of(missing);
    isStuck = true;
    return new CloudStep.Stuck(missing.code(), missing.detail(), true);
  }

  private boolean isRouted(ClusterNode now) {
    return !cloud.ranges().areRouted()
        || !state.parts().store().keepsConditions()
        || now.networkUnavailable().equals(Optional.of(false));
  }

  /** The node waits for blocks, with these matters open; the pass is at its end. */
  void waitsForBlocks(List<Matter> open) {
    ended(open, !open.isEmpty(), true);
  }

  /** The event that the node waited for has happened: the next pass is due. */
  void hurry() {
    unpause();
    isDue = true;
  }

  /** A pass is at its end. */
  private void ended(List<Matter> found, boolean stuck, boolean ok) {
    hasLooked = true;
    matters = List.copyOf(found);
    isStuck = stuck;
    if (isFresh) {
      isFresh = false;
      isDue = false;
      pauses.update(ok);
      pauses.next().ifPresent(this::pauseFor);
    }
  }

  /** The problem is solved. */
  void solved() {
    matters = List.of();
    isStuck = false;
  }

  /** The instance was read, and the provider's cache has what it has. */
  void markRead() {
    isFresh = true;
  }

  /**
   * A request failed, and the pass with it.
   *
   * @param why reported at once, or after a few failures
   * @param stuck whether nothing else can be expected soon
   */
  void failed(Matter why, boolean atOnce, boolean stuck, Duration atLeast) {
    pauses.update(false);
    hasLooked = true;
    isFresh = false;
    isDue = true;
    isStuck = stuck;
    if (atOnce || pauses.failures() >= CloudPauses.REPORTED_AFTER) {
      matters = List.of(why);
    }
    Duration next = pauses.next().orElse(Duration.ZERO);
    pauseFor(next.compareTo(atLeast) < 0 ? atLeast : next);
  }

  private void pauseFor(Duration span) {
    unpause();
    pause =
        state
            .parts()
            .scheduler()
            .after(
                span,
                () ->
                    state.post(
                        work.name,
                        now -> {
                          if (now == work) {
                            pause = null;
                            isDue = true;
                            work.step();
                          }
                        }));
  }

  private void unpause() {
    if (pause != null) {
      pause.cancel();
      pause = null;
    }
  }
}
