package io.tidemark.nodecidr.controller;

import io.tidemark.cluster.NodeProblem;
import io.tidemark.ip.Cidr;
import io.tidemark.nodecidr.cloud.CloudStep;
import io.tidemark.nodecidr.controller.CidrNodeReport.State;
import io.tidemark.nodecidr.ledger.Reservation;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The next thing to do for one incarnation of a node, and what is reported of it.
 *
 * @param shown empty when the last report still says it
 */
record CidrStep(Action action, Optional<Shown> shown) {
  /** The part of a report that is decided. */
  record Shown(State state, List<Cidr> cidrs, List<NodeProblem> matters) {}

  /** A thing to do. All but {@link Rest} are one request. */
  sealed interface Action {}

  record Write(Reservation reservation) implements Action {}

  /** Read which other CIDRs a node has, to which these could not be written. */
  record ReadOccupied(Reservation reservation) implements Action {}

  /** Read a node that was absent for the cooldown: when it is gone, its blocks are free. */
  record ReadAbsent() implements Action {}

  /** Read a node whose version is shown without the CIDRs that it has: the store may lag. */
  record ReadLost(String version) implements Action {}

  /** A request of the cloud's side: read the instance, add a range to it, or set the condition. */
  record OfCloud(CloudSync sync, CloudStep step) implements Action {}

  /**
   * Do nothing before something changes.
   *
   * @param untilNanos when there may be something to do even if nothing changes
   * @param need without which there is nothing to do
   */
  record Rest(OptionalLong untilNanos, Need need) implements Action {}

  /** The next event that a resting node needs. */
  enum Need {
    NONE,
    /** A list of all nodes, since their watch was interrupted. */
    LIST,
    /** A note in the lease that says how far blocks are given out. */
    NOTE
  }

  /** Does nothing and shows nothing new. */
  static final CidrStep QUIET =
      new CidrStep(new Rest(OptionalLong.empty(), Need.NONE), Optional.empty());

  static CidrStep rest(Shown shown) {
    return rest(shown, OptionalLong.empty(), Need.NONE);
  }

  static CidrStep rest(Shown shown, OptionalLong untilNanos, Need need) {
    return new CidrStep(new Rest(untilNanos, need), Optional.of(shown));
  }
}
