package io.tidemark.datastore.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.cloud.PoolDecision.Circumstances;
import io.tidemark.datastore.cloud.PoolDecision.Step;
import io.tidemark.datastore.plan.Pending;
import io.tidemark.datastore.plan.PoolLimits;
import io.tidemark.datastore.plan.Profile;
import io.tidemark.datastore.plan.Views;
import io.tidemark.ip.IpFamily;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("What a card asks of the cloud next")
class PoolDecisionTest {
  private static final PoolLimits LIMITS = PoolLimits.of(10, 4);
  private static final PoolTargets TARGETS =
      new PoolTargets(
          IpFamily.IPV4, TestLoop.targets(1, 0), () -> Optional.of(LIMITS), Profile.TIDEMARK);

  /** Beside a primary interface with an address in use and a free one. */
  private static Step step(Pending pending, boolean mayShrink, String second) {
    return PoolDecision.of(
            Views.of(CidrKind.SECONDARY, "0=1,0 " + second),
            TARGETS,
            LIMITS,
            new Circumstances(pending, 0, false, false, false, mayShrink))
        .step();
  }

  @ParameterizedTest(name = "{0}: {1}")
  @DisplayName("What an excluded interface has goes back, with it or before, and not twice")
  @CsvSource({
    "1x@60=0, Remove",
    "1x@59=0, ReturnExcluded",
    "1x@60=1, Nothing",
    "1xd@60=0, Nothing",
    "1xd@59=0, Nothing",
  })
  void excluded(String other, String expected) {
    assertThat(step(Pending.NONE, true, other).getClass().getSimpleName()).isEqualTo(expected);
    assertThat(step(Pending.NONE, false, other)).isEqualTo(new Step.Nothing());
  }

  @Test
  @DisplayName("Single addresses of a node with prefixes are not given back twice")
  void otherKind() {
    for (String second : List.of("1@0=0", "1d@0=0")) {
      Step step =
          PoolDecision.of(
                  Views.of(CidrKind.PREFIX, "0=p1 " + second),
                  TARGETS,
                  LIMITS,
                  new Circumstances(Pending.NONE, 0, false, false, false, true))
              .step();
      assertThat(step)
          .isEqualTo(
              second.startsWith("1d")
                  ? new Step.Nothing()
                  : new Step.Return(CidrKind.SECONDARY, Integer.MAX_VALUE));
    }
  }

  @Test
  @DisplayName("D138 An interface that the host is not set up for yet is not given back")
  void preparing() {
    assertThat(step(Pending.NONE, true, "1=")).isEqualTo(new Step.Remove("eni-1"));
    Pending pending = new Pending(List.of("eni-1"), 0, 0, 0);
    assertThat(step(pending, true, "1=")).isEqualTo(new Step.Nothing());
  }
}
