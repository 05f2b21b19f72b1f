package io.tidemark.nodecidr.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Random clusters in virtual time, with crashes, take-overs and lost requests")
class RandomClusterTest {
  private static final int CLUSTERS = Integer.getInteger("tidemark.nodecidr.clusters", 500);
  private static final long FIRST = Long.getLong("tidemark.nodecidr.first", 1);

  /** Of a failing cluster: the steps that it takes. */
  private static final String STEPS = System.getProperty("tidemark.nodecidr.steps", "-");

  @Test
  @DisplayName(
      "NC-K1 NC-K2 NC-K3 NC-K4 NC-K5 NC-K6 NC-K7 NC-K8 no CIDR has two owners, none is lost, and at"
          + " rest each node has CIDRs or a reason")
  void clusters() {
    int assigned = 0;
    for (long seed = FIRST; seed < FIRST + CLUSTERS; seed++) {
      ClusterSequence.Run run =
          (STEPS.equals("-") ? ClusterSequence.of(seed) : ClusterSequence.parse(seed, STEPS)).run();
      run.failure()
          .map(ClusterSequence::shortest)
          .ifPresent(
              failure -> {
                throw new AssertionError(failure.toString(), failure.cause());
              });
      assigned += run.cluster().assigned();
    }
    if (STEPS.equals("-")) {
      assertThat(assigned).as("nodes get CIDRs").isGreaterThan(CLUSTERS);
    }
  }
}
