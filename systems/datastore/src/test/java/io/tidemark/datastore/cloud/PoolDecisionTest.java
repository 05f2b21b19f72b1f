package io.tidemark.datastore.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.PoolView;
import io.tidemark.datastore.PoolView.CidrView;
import io.tidemark.datastore.PoolView.EniView;
import io.tidemark.datastore.StoreEniSpec;
import io.tidemark.datastore.cloud.PoolDecision.Circumstances;
import io.tidemark.datastore.cloud.PoolDecision.Step;
import io.tidemark.datastore.plan.Pending;
import io.tidemark.datastore.plan.PoolLimits;
import io.tidemark.datastore.plan.Profile;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import java.time.Duration;
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

  private static CidrView address(int last, int inUse) {
    return new CidrView(
        Cidr.single(IpAddress.parse("10.0.0." + last)), CidrKind.SECONDARY, 1, inUse, 0, false);
  }

  private static EniView eni(
      int device, boolean excluded, boolean draining, Duration age, CidrView... cidrs) {
    StoreEniSpec spec = new StoreEniSpec("eni-" + device, device, device == 0, false, false, 1, "");
    return new EniView(spec, excluded, draining, age, List.of(cidrs));
  }

  private static Step step(Pending pending, boolean mayShrink, EniView... enis) {
    return PoolDecision.of(
            new PoolView(CidrKind.SECONDARY, List.of(enis)),
            TARGETS,
            LIMITS,
            new Circumstances(pending, 0, false, false, false, mayShrink))
        .step();
  }

  private static final EniView FIRST =
      eni(0, false, false, Duration.ofHours(1), address(1, 1), address(2, 0));

  @ParameterizedTest(name = "being removed {0}, {1} s old, address in use {2}: {3}")
  @DisplayName("What an excluded interface has goes back, with it or before, and not twice")
  @CsvSource({
    "false, 60, 0, Remove",
    "false, 59, 0, ReturnExcluded",
    "false, 60, 1, Nothing",
    "true,  60, 0, Nothing",
    "true,  59, 0, Nothing",
  })
  void excluded(boolean draining, int seconds, int inUse, String expected) {
    EniView other = eni(1, true, draining, Duration.ofSeconds(seconds), address(3, inUse));
    assertThat(step(Pending.NONE, true, FIRST, other).getClass().getSimpleName())
        .isEqualTo(expected);
    assertThat(step(Pending.NONE, false, FIRST, other)).isEqualTo(new Step.Nothing());
  }

  @Test
  @DisplayName("Single addresses of a node with prefixes are not given back twice")
  void otherKind() {
    EniView young = eni(1, false, false, Duration.ZERO, address(3, 0));
    EniView removed = eni(1, false, true, Duration.ZERO, address(3, 0));
    CidrView prefix = new CidrView(Cidr.parse("10.1.0.0/28"), CidrKind.PREFIX, 16, 1, 0, false);
    EniView first = eni(0, false, false, Duration.ofHours(1), prefix);
    for (EniView second : List.of(young, removed)) {
      Step step =
          PoolDecision.of(
                  new PoolView(CidrKind.PREFIX, List.of(first, second)),
                  TARGETS,
                  LIMITS,
                  new Circumstances(Pending.NONE, 0, false, false, false, true))
              .step();
      assertThat(step)
          .isEqualTo(
              second.draining()
                  ? new Step.Nothing()
                  : new Step.Return(CidrKind.SECONDARY, Integer.MAX_VALUE));
    }
  }

  @Test
  @DisplayName("D138 An interface that the host is not set up for yet is not given back")
  void preparing() {
    EniView second = eni(1, false, false, Duration.ofHours(1));
    assertThat(step(Pending.NONE, true, FIRST, second)).isEqualTo(new Step.Remove("eni-1"));
    Pending pending = new Pending(List.of("eni-1"), 0, 0, 0);
    assertThat(step(pending, true, FIRST, second)).isEqualTo(new Step.Nothing());
  }
}
