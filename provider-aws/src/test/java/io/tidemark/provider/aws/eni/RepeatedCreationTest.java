package io.tidemark.provider.aws.eni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.provider.aws.ec2.AwsNetworkInterface;
import io.tidemark.provider.aws.ec2.Copies;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.spi.NodeOperations;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A creation that meets what no read shows yet (provider-aws 2.5, M6)")
class RepeatedCreationTest {
  /** Shorter than a read may lie behind. */
  private static final Duration SHORT = Duration.ofSeconds(3);

  private static final Duration LAG = Duration.ofSeconds(20);

  private EniWorld world = new EniWorld();

  private AllocationOutcome create(NodeOperations node) {
    return world.create(node, 4);
  }

  /** The request of a creation is lost on its way, or its answer where EC2 carries it out. */
  private void loseCreation(NodeOperations node, boolean carriedOut) {
    world.lose("CreateNetworkInterface", carriedOut);
    assertThat(world.await(node.createInterface(EniWorld.asking(node, 4), world.context(SHORT))))
        .isInstanceOf(AllocationOutcome.Unknown.class);
    world.answer();
  }

  @Test
  @DisplayName("after a lost answer the very same request is sent, with its time of creation")
  void sameRequest() {
    NodeOperations node = world.node("node1");
    loseCreation(node, true);
    world.ec2.emulator().readsBehind(Optional.of(LAG));
    world.run(SHORT);
    world.grow(node, 4);
    world.ec2.emulator().readsBehind(Optional.of(Duration.ZERO));
    assertThat(world.interfaces("node1")).hasSize(2);
    assertThat(world.ec2.unattached()).isZero();
  }

  @Test
  @DisplayName("an index taken by what no read shows: nothing is left, and nothing is learned")
  void indexTakenUnseen() {
    NodeOperations node = world.node("node1");
    String theirs = world.ec2.parked(world.home(), "theirs", Map.of("owner", "them"));
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
    world.resync();
    assertThat(create(node)).isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(world.interfaces("node1").get(2).attachment().orElseThrow().deviceIndex())
        .isEqualTo(2);
  }

  /** Creates an interface, and has something happen while the attachment is on its way. */
  private AllocationOutcome createWhile(NodeOperations node, Runnable happening) {
    world.delay("AttachNetworkInterface", SHORT);
    CompletionStage<AllocationOutcome> stage = world.creating(node, 4);
    world.run(Duration.ofSeconds(1));
    assertThat(world.requests).endsWith("AttachNetworkInterface");
    happening.run();
    return world.await(stage);
  }

  @Test
  @DisplayName("ours is attached to another instance meanwhile: that one keeps it, we get another")
  void attachedElsewhere() {
    NodeOperations node = world.node("node1");
    String other = world.launch("other", "m5.large", world.home());
    AllocationOutcome outcome =
        createWhile(node, () -> world.ec2.attach(world.ec2.unattachedIds().get(0), other, 1));
    assertThat(outcome).isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(world.interfaces("other")).hasSize(2);
    assertThat(world.interfaces("node1")).hasSize(2);
    assertThat(EniWorld.known(node).interfaces())
        .extracting(AttachedInterface::id)
        .containsExactlyInAnyOrderElementsOf(
            world.interfaces("node1").stream().map(AwsNetworkInterface::id).toList());
    assertThat(world.ec2.unattached()).isZero();
  }

  @Test
  @DisplayName("somebody takes the index, and the other places are reserved: ours goes")
  void reservedPlaces() {
    world = new EniWorld(Copies.with(SettingsSample.USUAL, "reservedInterfaces", 1));
    NodeOperations node = world.node("node1");
    String theirs = world.ec2.parked(world.home(), "theirs", Map.of("owner", "them"));
    AllocationOutcome outcome =
        createWhile(node, () -> world.ec2.attach(theirs, world.instance("node1"), 1));
    assertThat(outcome).isNotInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(world.interfaces("node1")).as("theirs and the instance's own").hasSize(2);
    assertThat(world.ec2.unattached()).isZero();
  }

  @Test
  @DisplayName("in another situation than that of a lost request a new request is sent")
  void otherSituation() {
    NodeOperations node = world.node("node1");
    loseCreation(node, false);
    world.run(Duration.ofMinutes(2));
    world.attachOfOthers("node1", 1, Map.of("owner", "them"));
    world.pass(1);
    world.grow(node, 2);
    assertThat(world.interfaces("node1").get(2).singles().size()).isEqualTo(2);
  }

  @Test
  @DisplayName("when EC2 refuses the lost request the next smaller one is sent, not the same again")
  void refusedAfterLost() {
    NodeOperations node = world.node("node1", world.spec().build(), true);
    loseCreation(node, false);
    world.run(Duration.ofMinutes(2));
    world.fragment(world.home(), "10.0.0.0/24");
    assertThat(create(node)).isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(world.interfaces("node1").get(1).prefixes()).isEmpty();
    assertThat(world.interfaces("node1").get(1).singles().isEmpty()).isFalse();
  }

  @Test
  @DisplayName("after the region's quota was met no node gets an interface for five minutes")
  void quota() {
    NodeOperations node = world.node("node1");
    NodeOperations other = world.node("node2");
    world.refuse("CreateNetworkInterface", "NetworkInterfaceLimitExceeded", 400);
    assertThat(create(node)).isNotInstanceOf(AllocationOutcome.Allocated.class);
    world.faults();
    world.requests.clear();
    assertThat(create(other)).isInstanceOf(AllocationOutcome.Refused.class);
    assertThat(world.requests).isEmpty();
    world.run(EniAccount.QUOTA_PAUSE);
    assertThat(create(other)).isInstanceOf(AllocationOutcome.Allocated.class);
  }
}
