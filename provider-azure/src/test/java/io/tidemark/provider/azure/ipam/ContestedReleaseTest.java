package io.tidemark.provider.azure.ipam;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.model.Power;
import io.tidemark.ip.AddressSet;
import io.tidemark.provider.azure.AzureSettingsSample;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.ReleaseOutcome;
import io.tidemark.spi.SyncOutcome;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("Releases beside other writers, and of what others have done (Z20, Z26)")
class ContestedReleaseTest {
  private static final Duration LASTS = Duration.ofSeconds(20);

  private final AzureWorld world = AzureWorld.lasting(LASTS);

  /** The release by another process of the same node, whose write has not ended yet. */
  private CompletionStage<ReleaseOutcome> releasedByAnother(Form form, AddressSet addresses) {
    OneNode other = OneNode.on(world, form.machine);
    CompletionStage<ReleaseOutcome> theirs =
        other.node.release(
            other.node.prepareCidrRelease(OneNode.singles(addresses)).get(0), world.context());
    world.pass(Duration.ofSeconds(1));
    return theirs;
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("AZ-N25 after a release that meets another's, no read counts until that has ended")
  void conflict(Form form) {
    OneNode node = OneNode.on(world, form.machine);
    AddressSet three = node.added(3);
    world.pass(Duration.ofMinutes(6)); // own writes do not take precedence any more
    CompletionStage<ReleaseOutcome> theirs = releasedByAnother(form, three.last(1));
    Failure why = OneNode.failure(node.release(OneNode.singles(three.first(1))));
    assertThat(why.kind()).isEqualTo(Failure.Kind.CONFLICT);
    assertThat(node.blocked()).contains(BlockedReason.READING_BACK);
    long known = ((Inventory.Known) node.node.inventory()).generation();
    assertThat(((SyncOutcome.Failed) node.sync()).isUnderWay()).isTrue();
    assertThat(node.resync()).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(((Inventory.Known) node.node.inventory()).generation()).isEqualTo(known);
    assertThat(world.await(theirs)).isInstanceOf(ReleaseOutcome.Released.class);
    assertThat(node.sync()).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(node.addresses()).isEqualTo(three.first(2));
    assertThat(node.blocked()).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  @DisplayName("AZ-B33 AZ-N25 what another's write removes is not released before that has ended")
  void beingRemoved(Form form) {
    OneNode node = OneNode.on(world, form.machine);
    AddressSet two = node.added(2);
    world.pass(Duration.ofMinutes(6)); // own writes do not take precedence any more
    CompletionStage<ReleaseOutcome> theirs = releasedByAnother(form, two.last(1));
    Failure why = OneNode.failure(node.release(OneNode.singles(two.last(1))));
    assertThat(why.kind()).isEqualTo(Failure.Kind.CONFLICT);
    assertThat(node.blocked()).contains(BlockedReason.READING_BACK);
    assertThat(world.await(theirs)).isInstanceOf(ReleaseOutcome.Released.class);
    assertThat(node.sync()).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(node.addresses()).isEqualTo(two.first(1));
    assertThat(node.blocked()).isEmpty();
  }

  @Test
  @DisplayName(
      "AZ-N43 a release that a stopped instance refuses does not make its addresses doubtful")
  void refusedOtherwise() {
    OneNode node = OneNode.on(world, Form.UNIFORM.machine);
    AddressSet two = node.added(2);
    world.azure.change(owner -> owner.setPower(node.machine, Power.STOPPED));
    Failure why = OneNode.failure(node.release(OneNode.singles(two)));
    assertThat(why.kind()).isEqualTo(Failure.Kind.NOT_RUNNING);
    assertThat(node.blocked()).isEmpty();
  }

  @Test
  @DisplayName("AZ-B33 what is gone already counts as released, though the instance is stopped")
  void goneFromStopped() {
    OneNode node = OneNode.on(world, Form.UNIFORM.machine);
    AddressSet two = node.added(2);
    OneNode other = OneNode.on(world, Form.UNIFORM.machine);
    assertThat(other.release(OneNode.singles(two))).isInstanceOf(ReleaseOutcome.Released.class);
    world.azure.change(owner -> owner.setPower(node.machine, Power.STOPPED));
    assertThat(node.release(OneNode.singles(two))).isInstanceOf(ReleaseOutcome.Released.class);
    assertThat(node.addresses().isEmpty()).isTrue();
  }

  @Test
  @DisplayName("AZ-B33 a configuration without a name is kept where those of others are released")
  void nameless() {
    OneNode node =
        OneNode.on(
            world,
            world.allocation(AzureSettingsSample.of("azure-release-foreign", "true")),
            Form.MACHINE.machine);
    AddressSet two = node.added(2);
    world.way.rewriting(body -> body.replaceAll("\"name\":\"Tidemark-[^\"]*\"", "\"name\":null"));
    int writes = world.writes();
    Failure why = OneNode.failure(node.release(OneNode.singles(two.first(1))));
    assertThat(why.kind()).isEqualTo(Failure.Kind.CONFLICT);
    assertThat(world.writes()).isEqualTo(writes);
  }
}
