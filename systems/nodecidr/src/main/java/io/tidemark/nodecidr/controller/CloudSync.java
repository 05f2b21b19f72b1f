package io.tidemark.nodecidr.controller;

import io.tidemark.cluster.ClusterNode;
import io.tidemark.cluster.NodeProblem;
import io.tidemark.ip.Cidr;
import io.tidemark.nodecidr.cloud.CloudPauses;
import io.tidemark.nodecidr.cloud.CloudSource;
import io.tidemark.nodecidr.cloud.CloudStep;
import io.tidemark.nodecidr.cloud.CloudStep.Plain;
import io.tidemark.nodecidr.ledger.CidrLedger;
import io.tidemark.nodecidr.ledger.NodeCidrError;
import io.tidemark.nodecidr.ledger.NodeOwner;
import io.tidemark.nodecidr.ledger.Reservation;
import io.tidemark.spi.InstanceId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;

/**
 * The passes over cloud route and node condition of one incarnation: each pass reads the instance
 * and takes the next {@link CloudStep}; failed steps are retried after a pause, beginning with a
 * read. Decides, and sends nothing. Mutable; confined to the queue of the node.
 */
final class CloudSync {
  final CloudSource cloud;
  private final CidrLedger ledger;
  private final AllocationPause pause;
  private final boolean keepsConditions;
  private final CloudPauses pauses;
  Optional<InstanceId> instance = Optional.empty();

  /** How often the instance changed: results for another one concern nobody. */
  int epoch;

  private boolean isFresh;

  /** Whether the next pass is due, whatever is known of the instance. */
  private boolean isDue = true;

  /** Whether a pass has come to an end, good or bad, so that there is something to report. */
  boolean hasLooked;

  /** How the last pass ended: nothing is done before something changes. */
  boolean isStuck;

  List<NodeProblem> matters = List.of();

  /** When the next pass is due; empty when none is before something changes. */
  OptionalLong pausedUntil = OptionalLong.empty();

  /** Whether a range may have been added, or be added later, of which nothing is known. */
  boolean isAddUnknown;

  /** {@code keepsConditions} says whether nodes have the condition. */
  CloudSync(
      CloudSource cloud,
      CidrLedger ledger,
      AllocationPause pause,
      boolean keepsConditions,
      RandomGenerator random) {
    this.cloud = cloud;
    this.ledger = ledger;
    this.pause = pause;
    this.keepsConditions = keepsConditions;
    this.pauses = new CloudPauses(cloud.type(), random);
  }

  void leave() {
    instance.ifPresent(cloud.forget());
    change(Optional.empty());
  }

  private void change(Optional<InstanceId> named) {
    instance = named;
    epoch++;
    isAddUnknown = false;
    isFresh = false;
    isDue = true;
    hasLooked = false;
    isStuck = false;
    matters = List.of();
    pauses.update(true);
    pausedUntil = OptionalLong.empty();
  }

  /** The next step by cloud and node, which claims {@code has}. */
  CloudStep next(ClusterNode node, NodeOwner owner, List<Cidr> has, boolean inFlight, long now) {
    if (pausedUntil.isPresent() && pausedUntil.getAsLong() - now <= 0) {
      hurry();
    }
    Optional<InstanceId> named = cloud.ranges().instanceOf(node.providerId());
    if (!named.equals(instance)) {
      change(named);
    }
    if (named.isEmpty()) {
      return withoutInstance(node);
    }
    InstanceId id = named.get();
    Optional<List<Cidr>> ranges = cloud.ranges().ranges(id);
    if (inFlight) {
      return Plain.WAIT;
    }
    if (!isFresh && (isDue || ranges.isEmpty() || has.isEmpty())) {
      return pausedUntil.isEmpty() ? Plain.READ : Plain.WAIT;
    }
    CloudStep.View view =
        new CloudStep.View(
            cloud.type(),
            ledger.cidrs(),
            id.text(),
            ranges.orElse(List.of()),
            has,
            ledger.reservation(owner).map(Reservation::blocks),
            isRouted(node),
            cidr -> ledger.obstacles(owner, cidr),
            cidr -> ledger.isCooling(owner, cidr),
            ledger.rounds().isWithheld(now));
    return looked(CloudStep.of(view), now);
  }

  private CloudStep looked(CloudStep step, long now) {
    if (step instanceof CloudStep.Add) {
      Optional<NodeProblem> paused = pause.reason();
      if (paused.isPresent()) {
        end(List.of(paused.get()), true, true, now);
        return Plain.SETTLED;
      }
    } else if (step == Plain.WRITE) {
      solved();
    } else if (step == Plain.SETTLED) {
      end(List.of(), false, true, now);
    } else if (step instanceof CloudStep.Stuck stuck) {
      end(List.of(stuck.why()), true, !stuck.isError(), now);
    }
    return step;
  }

  /** A provider ID is set later; one of another kind of node is left alone. */
  private CloudStep withoutInstance(ClusterNode node) {
    hasLooked = true;
    if (!node.providerId().isEmpty()) {
      return Plain.SETTLED;
    }
    NodeProblem missing =
        new NodeProblem(NodeCidrError.CLOUD_RANGE_MISSING, "the node has no provider ID yet");
    matters = List.of(missing);
    isStuck = true;
    return new CloudStep.Stuck(missing, true);
  }

  private boolean isRouted(ClusterNode node) {
    return !cloud.ranges().areRouted()
        || !keepsConditions
        || node.networkUnavailable().equals(Optional.of(false));
  }

  /** The node waits for blocks, with these matters open; the pass is at its end. */
  void waitsForBlocks(List<NodeProblem> open, long now) {
    end(open, !open.isEmpty(), true, now);
  }

  /** The event that the node waited for has happened: the next pass is due. */
  void hurry() {
    pausedUntil = OptionalLong.empty();
    isDue = true;
  }

  private void end(List<NodeProblem> found, boolean stuck, boolean ok, long now) {
    hasLooked = true;
    matters = List.copyOf(found);
    isStuck = stuck;
    if (isFresh) {
      isFresh = false;
      isDue = false;
      pauses.update(ok);
      pauses.next().ifPresent(span -> pausedUntil = OptionalLong.of(now + span.toNanos()));
    }
  }

  void solved() {
    matters = List.of();
    isStuck = false;
  }

  /** The instance was read, and the provider's cache has what it has. */
  void markRead() {
    isFresh = true;
  }

  /** A request failed, and the pass with it; {@code stuck} when nothing else is to be expected. */
  void fail(NodeProblem why, boolean stuck, Duration atLeast, long now) {
    pauses.update(false);
    hasLooked = true;
    isFresh = false;
    isDue = true;
    isStuck = stuck;
    if (stuck || pauses.failures() >= CloudPauses.REPORTED_AFTER) {
      matters = List.of(why);
    }
    Duration next = pauses.next().orElse(Duration.ZERO);
    pausedUntil = OptionalLong.of(now + (next.compareTo(atLeast) < 0 ? atLeast : next).toNanos());
  }
}
