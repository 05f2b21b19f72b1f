package io.tidemark.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.InterfaceStatistics;
import io.tidemark.spi.Inventory;
import io.tidemark.testing.Samples;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName(
    "Addresses that old reads may show after the start (reliability: eventual consistency)")
class StartupQuarantineTest {
  private static final Duration HORIZON = Duration.ofSeconds(60);
  private static final Duration PASS = Duration.ofMinutes(2);
  private static final AddressSet RANGE = AddressSet.ofRange(Cidr.parse("10.0.0.0/28"));
  private static final AddressSet POOL = RANGE.first(4);
  private static final AddressSet NONE = AddressSet.of();

  private final BareEnvironment bare = new BareEnvironment();
  private final NodeEnvironment environment = bare.of(EngineConfig.defaults());

  private StartupQuarantine doubt(Duration horizon, NodeResource resource) {
    bare.provider.readHorizon = horizon;
    return new StartupQuarantine(environment, resource);
  }

  private static NodeResource published() {
    return Samples.node("node1").instanceId("i-1").preAllocate(4).pool("eni-1", POOL).build();
  }

  private static Inventory.Known picture(AddressSet attached) {
    return new Inventory.Known(
        1,
        List.of(new AttachedInterface(new InterfaceId("eni-1"), attached, List.of())),
        new InterfaceStatistics(100, 1, 1, 1, 0, Optional.empty()));
  }

  @Test
  @DisplayName("what the pool did not hold at the start waits, what it held and we added does not")
  void unproven() {
    StartupQuarantine doubt = doubt(HORIZON, published());
    assertThat(doubt.unproven(picture(RANGE.first(6))))
        .isEqualTo(RANGE.first(6).minus(RANGE.first(4)));
    assertThat(doubt.added(AddressSet.of(RANGE.at(5)))).isTrue();
    assertThat(doubt.own()).isEqualTo(AddressSet.of(RANGE.at(5)));
    assertThat(doubt.unproven(picture(RANGE.first(6)))).isEqualTo(AddressSet.of(RANGE.at(4)));
  }

  @Test
  @DisplayName("what a read hides is not believed when the next one shows it again")
  void hiddenOnce() {
    StartupQuarantine doubt = doubt(HORIZON, published());
    doubt.pictured(picture(RANGE.first(3)));
    assertThat(doubt.unproven(picture(POOL))).isEqualTo(AddressSet.of(RANGE.at(3)));
  }

  @Test
  @DisplayName("what the object calls released is in doubt although its pool still names it")
  void released() {
    StartupQuarantine doubt =
        doubt(
            HORIZON,
            Samples.node("node1")
                .instanceId("i-1")
                .pool("eni-1", POOL)
                .releaseIp(RANGE.at(0).toString(), HandshakeState.RELEASED)
                .releaseIp(RANGE.at(1).toString(), HandshakeState.READY_FOR_RELEASE)
                .build());
    assertThat(doubt.unproven(picture(POOL))).isEqualTo(AddressSet.of(RANGE.at(0)));
  }

  @Test
  @DisplayName("of a multi-pool agent's object the status says what is offered")
  void multiPool() {
    NodeResource resource =
        Samples.node("node1")
            .instanceId("i-1")
            .requested(4, 0)
            .pool("eni-1", POOL)
            .eni(Samples.eni("eni-1", 0, RANGE.at(0).toString(), RANGE.at(1).toString()))
            .build();
    assertThat(doubt(HORIZON, resource).unproven(picture(POOL)))
        .isEqualTo(POOL.minus(RANGE.first(2)));
  }

  @Test
  @DisplayName("a cloud without a horizon, and an object that is new, leave no doubt")
  void noDoubt() {
    for (StartupQuarantine doubt :
        List.of(
            doubt(Duration.ZERO, published()),
            doubt(HORIZON, Samples.node("node1").instanceId("i-1").build()))) {
      assertThat(doubt.unproven(picture(RANGE))).isEqualTo(NONE);
      assertThat(doubt.added(POOL)).isFalse();
      assertThat(doubt.own()).isEqualTo(NONE);
      assertThat(doubt.nextWakeUp(environment.now())).isEmpty();
      bare.pass(HORIZON);
      assertThat(doubt.wantsRead(picture(RANGE), environment.now())).isFalse();
      assertThat(doubt.trusted()).isFalse();
    }
  }

  @Test
  @DisplayName("the horizon after the start one read decides, and is asked for once")
  void decided() {
    StartupQuarantine doubt = doubt(HORIZON, published());
    long start = environment.now();
    assertThat(doubt.nextWakeUp(start)).isEqualTo(OptionalLong.of(start + HORIZON.toNanos()));
    bare.pass(HORIZON.minusNanos(1));
    assertThat(doubt.wantsRead(picture(RANGE), environment.now())).isFalse();
    assertThat(doubt.trusted()).as("a read before").isFalse();
    bare.pass(Duration.ofNanos(1));
    assertThat(doubt.nextWakeUp(environment.now()))
        .isEqualTo(OptionalLong.of(start + HORIZON.plus(PASS).toNanos()));
    assertThat(doubt.wantsRead(picture(RANGE), environment.now())).isTrue();
    assertThat(doubt.wantsRead(picture(RANGE), environment.now())).isFalse();
    assertThat(doubt.nextWakeUp(environment.now())).isEmpty();
    assertThat(doubt.unproven(picture(RANGE))).isEqualTo(RANGE.minus(POOL));
    assertThat(doubt.trusted()).isTrue();
    assertThat(doubt.unproven(picture(RANGE))).isEqualTo(NONE);
    assertThat(doubt.trusted()).isFalse();
  }

  @Test
  @DisplayName("with nothing in doubt it ends when no older read can be under way any more")
  void ends() {
    StartupQuarantine doubt = doubt(HORIZON, published());
    bare.pass(HORIZON);
    assertThat(doubt.wantsRead(picture(POOL), environment.now())).isFalse();
    assertThat(doubt.unproven(picture(RANGE))).as("still open").isEqualTo(RANGE.minus(POOL));
    bare.pass(PASS.minusNanos(1));
    assertThat(doubt.wantsRead(picture(POOL), environment.now())).isFalse();
    assertThat(doubt.unproven(picture(RANGE))).isEqualTo(RANGE.minus(POOL));
    bare.pass(Duration.ofNanos(1));
    assertThat(doubt.wantsRead(picture(POOL), environment.now())).isFalse();
    assertThat(doubt.unproven(picture(RANGE))).isEqualTo(NONE);
    assertThat(doubt.nextWakeUp(environment.now())).isEmpty();
  }
}
