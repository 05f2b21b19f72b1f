package io.tidemark.simulation.demand;

import io.tidemark.demand.GroupDemand;

/** What is known of the nodes of a group together. */
record TrialGroup(WorkloadGroup shape, GroupDemand demand) {
  TrialGroup(WorkloadGroup shape) {
    this(shape, new GroupDemand(0));
  }
}
