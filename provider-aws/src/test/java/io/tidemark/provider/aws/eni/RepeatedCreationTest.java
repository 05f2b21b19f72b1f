package io.tidemark.provider.aws.eni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.NodeOperations;
import io.tidemark.time.EffectFate;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A creation that meets what no read shows yet (provider-aws 2.5, M6)")
class RepeatedCreationTest {
  /** Shorter than a read may lie behind. */
  private static final Duration SHORT = Duration.ofSeconds(3);

  private static final Duration LAG = Duration.ofSeconds(20);

  private final EniWorld world = new EniWorld();
  private final String home = world.ec2.subnet("10.0.0.0/24");

  private NodeOperations node() {
    world.launch("node1", "m5.large", home);
    return world.node("node1", world.spec("m5.large", home).build(), false, false);
  }

  private AllocationOutcome create(NodeOperations node) {
    AllocationAction plan = node.prepareIpAllocation();
    return world.await(
        node.createInterface(
            plan.with(plan.ipv4().wanting(4, OptionalInt.empty()), 0), world.context()));
  }

  @Test
  @DisplayName("after a lost answer the very same request is sent, with its time of creation")
  void sameRequest() {
    NodeOperations node = node();
    AllocationAction plan = node.prepareIpAllocation();
    world.fates(
        each ->
            each.equals("CreateNetworkInterface")
                ? EffectFate.answerLost(EniWorld.TRAVEL)
                : EffectFate.answered(EniWorld.TRAVEL, EniWorld.TRAVEL));
    assertThat(
            world.await(
                node.createInterface(
                    plan.with(plan.ipv4().wanting(4, OptionalInt.empty()), 0),
                    world.context(SHORT))))
        .isInstanceOf(AllocationOutcome.Unknown.class);
    world.fates(each -> EffectFate.answered(EniWorld.TRAVEL, EniWorld.TRAVEL));
    world.ec2.emulator().readsBehind(Optional.of(LAG));
    world.run(SHORT);
    assertThat(
            world.await(
                node.createInterface(
                    plan.with(plan.ipv4().wanting(4, OptionalInt.empty()), 0), world.context())))
        .isInstanceOf(AllocationOutcome.Allocated.class);
    world.ec2.emulator().readsBehind(Optional.of(Duration.ZERO));
    assertThat(world.interfaces("node1")).hasSize(2);
    assertThat(world.ec2.unattached()).isZero();
  }

  @Test
  @DisplayName("an index taken by what no read shows: nothing is left, and nothing is learned")
  void indexTakenUnseen() {
    NodeOperations node = node();
    String theirs = world.ec2.parked(home, "theirs", Map.of("owner", "them"));
    world.run(Duration.ofMinutes(1));
    world.ec2.emulator().readsBehind(Optional.of(LAG));
    world.ec2.attach(theirs, world.instance("node1"), 1);
    AllocationOutcome outcome = create(node);
    assertThat(outcome)
        .isNotInstanceOf(AllocationOutcome.Allocated.class)
        .isNotInstanceOf(AllocationOutcome.LimitReached.class);
    world.ec2.emulator().readsBehind(Optional.of(Duration.ZERO));
    assertThat(world.interfaces("node1")).as("theirs and the instance's own").hasSize(2);
    assertThat(world.ec2.unattached()).isZero();
    Object unused = world.resync();
    assertThat(create(node)).isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(world.interfaces("node1").get(2).attachment().orElseThrow().deviceIndex())
        .isEqualTo(2);
    assertThat(unused).isNotNull();
  }
}
