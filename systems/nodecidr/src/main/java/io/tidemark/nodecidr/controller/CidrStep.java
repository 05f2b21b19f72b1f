package io.tidemark.nodecidr.controller;

import io.tidemark.cluster.NodeProblem;
import io.tidemark.cluster.run.KeyedReconciler.Rest;
import io.tidemark.cluster.run.KeyedReconciler.Step;
import io.tidemark.ip.Cidr;
import io.tidemark.nodecidr.controller.CidrNodeReport.State;
import java.util.List;
import java.util.Optional;

/**
 * The next thing to do for one incarnation of a node, and what is reported of it, if that is new.
 */
record CidrStep(Step step, Optional<Shown> shown) {
  /** The part of a report that is decided. */
  record Shown(State state, List<Cidr> cidrs, List<NodeProblem> matters) {}

  /** Does nothing and shows nothing new. */
  static final CidrStep QUIET = new CidrStep(Rest.QUIET, Optional.empty());

  static CidrStep rest(Shown shown) {
    return new CidrStep(Rest.QUIET, Optional.of(shown));
  }
}
