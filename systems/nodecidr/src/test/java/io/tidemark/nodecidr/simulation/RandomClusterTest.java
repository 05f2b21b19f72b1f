package io.tidemark.nodecidr.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.testing.StepSequence;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("Random clusters in virtual time, with crashes, take-overs and lost requests")
class RandomClusterTest {
  /** Of each kind. */
  private static final int USUAL = 20;

  private static final int LONG = 200;
  private static final long FIRST = Long.getLong("tidemark.nodecidr.first", 1);

  /** Of a failing cluster: the steps that it takes. */
  private static final String STEPS = System.getProperty("tidemark.nodecidr.steps", "-");

  @Test
  @DisplayName(
      "NC-K1 NC-K2 NC-K3 NC-K4 NC-K5 NC-K6 NC-K7 NC-K8 no CIDR has two owners, none is lost, and at"
          + " rest each node has CIDRs or a reason")
  void clusters() {
    pass(ClusterSequence.NODES, USUAL);
  }

  @Test
  @DisplayName(
      "NC-K9 NC-P3 NC-P6 NC-P8 NC-P10 of CiliumNodes, too, which others write and which may have"
          + " CIDRs at the start: none is removed or changed, and errors are as reported")
  void pools() {
    pass(ClusterSequence.CILIUM_NODES, USUAL);
  }

  @Test
  @DisplayName("NC-K10 where nodes follow a cloud it agrees with them, or a problem is reported")
  void clouds() {
    pass(ClusterSequence.BESIDE_CLOUD, USUAL);
  }

  @Test
  @Tag("long")
  @DisplayName("NC-K1 NC-K9 NC-K10 all of this holds in 200 clusters of each kind")
  void many() {
    pass(ClusterSequence.NODES, LONG);
    pass(ClusterSequence.CILIUM_NODES, LONG);
    pass(ClusterSequence.BESIDE_CLOUD, LONG);
  }

  @Test
  @DisplayName("NC-AM18 NC-AM23 NC-K1 NC-K3 NC-P8 seeds that once failed")
  void pastSeeds() {
    StepSequence.passes(ClusterSequence.NODES, 4762, "-");
    StepSequence.passes(ClusterSequence.CILIUM_NODES, 861, "-");
    StepSequence.passes(ClusterSequence.CILIUM_NODES, 5793, "-");
    for (long seed : new long[] {652, 1639, 3029, 5154, 6912}) {
      StepSequence.passes(ClusterSequence.BESIDE_CLOUD, seed, "-");
    }
  }

  private static void pass(ClusterSequence clusters, int withoutOption) {
    int count = Integer.getInteger(clusters.limits().option(), withoutOption);
    int assigned = 0;
    for (long seed = FIRST; seed < FIRST + count; seed++) {
      assigned += StepSequence.passes(clusters, seed, STEPS).assigned();
    }
    if (STEPS.equals("-")) {
      assertThat(assigned).as("nodes get CIDRs").isGreaterThan(count);
    }
  }
}
