package io.tidemark.provider.mock;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.mock.cloud.CloudErrorCode;
import io.tidemark.provider.mock.cloud.CloudOperation;
import io.tidemark.provider.mock.cloud.Fault;
import io.tidemark.provider.mock.cloud.FaultRule;
import io.tidemark.resilience.Failure;
import io.tidemark.resource.EniSpec;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.NodeSettings;
import io.tidemark.spi.ReleaseAction;
import io.tidemark.spi.ReleaseOutcome;
import io.tidemark.spi.SyncOutcome;
import io.tidemark.testing.EniSpecSample;
import io.tidemark.testing.Samples;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Giving addresses back")
class AddressReleaseTest {
  private static final CloudOperation UNASSIGN = CloudOperation.UNASSIGN_PRIVATE_IP_ADDRESSES;

  private static NodeOperations filled(ProviderWorld world, int addresses, boolean blocks) {
    NodeOperations node =
        world.node("a", Samples.eniSpec("m5.large"), new NodeSettings("a", blocks, true, false));
    world.allocate(node, addresses);
    return node;
  }

  private static ReleaseOutcome release(ProviderWorld world, NodeOperations node, int excess) {
    return world.ended(
        node.release(node.prepareIpRelease(excess, AddressSet.of()), world.context()));
  }

  @Test
  @DisplayName(
      "plans the interface with most to give, ties by smallest id, highest addresses first")
  void plan() {
    ProviderWorld world = ProviderWorld.calm();
    NodeOperations node = filled(world, 9, false);
    world.allocate(node, 4);
    InterfaceId first = ProviderWorld.known(node).interfaces().get(0).id();
    InterfaceId second = ProviderWorld.known(node).interfaces().get(1).id();
    AddressSet all = ProviderWorld.addresses(node);
    boolean firstIsFull = ProviderWorld.known(node).interfaces().get(0).size() == 9;

    ReleaseAction three = node.prepareIpRelease(3, AddressSet.of());
    assertThat(three.onInterface()).contains(first);
    assertThat(three.addresses().size()).isEqualTo(3);
    ReleaseAction six = node.prepareIpRelease(6, AddressSet.of());
    assertThat(six.onInterface()).contains(firstIsFull ? first : second);
    assertThat(six.addresses().size()).isEqualTo(6);
    AddressSet ofFirst = ProviderWorld.known(node).interfaces().get(0).singles();
    assertThat(three.addresses()).isEqualTo(ofFirst.last(3));
    assertThat(node.prepareIpRelease(3, all).isEmpty()).isTrue();
  }

  @Test
  @DisplayName("gives blocks back whole, only unused ones, and only for sixteen too many")
  void blocksWhole() {
    ProviderWorld world = ProviderWorld.calm();
    NodeOperations node = filled(world, 40, true);
    List<Cidr> blocks = ProviderWorld.known(node).interfaces().get(0).blocks();
    assertThat(blocks).hasSize(3);

    assertThat(node.prepareIpRelease(15, AddressSet.of()).isEmpty()).isTrue();
    assertThat(node.prepareIpRelease(16, AddressSet.of()).blocks()).containsExactly(blocks.get(2));
    AddressSet used = AddressSet.of(blocks.get(2).address(3));
    assertThat(node.prepareIpRelease(40, used).blocks())
        .containsExactly(blocks.get(1), blocks.get(0));
    assertThat(node.prepareIpRelease(40, used).addresses().isEmpty()).isTrue();
  }

  @Test
  @DisplayName("as the reference: nothing from an interface with blocks")
  void referenceKeepsBlocks() {
    ProviderWorld world = ProviderWorld.calm();
    NodeOperations node =
        world.node("a", Samples.eniSpec("m5.large"), new NodeSettings("a", true, true, true));
    world.allocate(node, 40);

    assertThat(node.prepareIpRelease(40, AddressSet.of()).isEmpty()).isTrue();
  }

  @Test
  @DisplayName("NM-C7 NM-C8 by CIDR: single or whole block, one action each, never the primary")
  void byCidr() {
    ProviderWorld world = ProviderWorld.calm();
    EniSpec usingPrimary = EniSpecSample.of("m5.large").usePrimary(true).build();
    NodeOperations node = world.node("a", usingPrimary, new NodeSettings("a", true, true, false));
    world.allocate(node, 16);
    String eni = world.cloud.attachedTo("i-a").get(0).id();
    IpAddress primary = world.cloud.attachedTo("i-a").get(0).primary();
    Cidr block = ProviderWorld.known(node).interfaces().get(0).blocks().get(0);
    assertThat(ProviderWorld.known(node).interfaces().get(0).singles().contains(primary))
        .as("the node's own")
        .isFalse();

    List<ReleaseAction> actions =
        node.prepareCidrRelease(
            Set.of(
                block,
                Cidr.single(primary),
                Cidr.single(block.address(1)),
                Cidr.parse("10.9.9.9/32")));

    assertThat(actions).hasSize(1);
    assertThat(actions.get(0).onInterface()).contains(new InterfaceId(eni));
    assertThat(actions.get(0).blocks()).containsExactly(block);
    assertThat(actions.get(0).addresses().isEmpty()).isTrue();
    ReleaseAction surplus = node.prepareIpRelease(17, AddressSet.of());
    assertThat(surplus.allAddresses().contains(primary)).isFalse();
  }

  @Test
  @DisplayName("blocks and singles go in two requests; what failed of the second stays")
  void blocksThenSingles() {
    ProviderWorld world =
        ProviderWorld.withFaults(
            FaultRule.nth(
                UNASSIGN, 2, new Fault.Refuse(CloudErrorCode.REQUEST_LIMIT_EXCEEDED, "slow")));
    NodeOperations node = filled(world, 16, true);
    String eni = world.cloud.attachedTo("i-a").get(0).id();
    try {
      world.cloud.assignPrivateIpAddresses(eni, 3, 0);
    } catch (Exception impossible) {
      throw new AssertionError(impossible);
    }
    world.resync();
    assertThat(ProviderWorld.size(node)).isEqualTo(19);

    ReleaseOutcome outcome = release(world, node, 19);

    ReleaseOutcome.Released released = (ReleaseOutcome.Released) outcome;
    assertThat(released.blocks()).hasSize(1);
    assertThat(released.addresses().isEmpty()).isTrue();
    assertThat(released.rest().orElseThrow().kind()).isEqualTo(Failure.Kind.THROTTLED);
    assertThat(ProviderWorld.size(node)).isEqualTo(3);
  }

  @Test
  @DisplayName("what is not there any more is a conflict and nothing is released")
  void alreadyGone() {
    ProviderWorld world = ProviderWorld.calm();
    NodeOperations node = filled(world, 8, false);
    ReleaseAction plan = node.prepareIpRelease(3, AddressSet.of());
    try {
      world.cloud.unassignPrivateIpAddresses(
          plan.onInterface().orElseThrow().text(), plan.addresses().first(1), List.of());
    } catch (Exception impossible) {
      throw new AssertionError(impossible);
    }

    ReleaseOutcome outcome = world.ended(node.release(plan, world.context()));

    assertThat(((ReleaseOutcome.NothingReleased) outcome).failure().kind())
        .isEqualTo(Failure.Kind.CONFLICT);
  }

  @Test
  @DisplayName("a lost answer is unknown even when the repetition says that nothing is there")
  void lostAndRepeated() {
    ProviderWorld world =
        ProviderWorld.withFaults(FaultRule.nth(UNASSIGN, 1, new Fault.LoseAnswer(true)));
    NodeOperations node = filled(world, 8, false);

    assertThat(release(world, node, 3)).isInstanceOf(ReleaseOutcome.Unknown.class);
    assertThat(world.sync("i-a")).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(ProviderWorld.size(node)).isEqualTo(5);
  }

  @Test
  @DisplayName("a request that was lost on its way changed nothing, as the next read shows")
  void lostRequest() {
    ProviderWorld world =
        ProviderWorld.withFaults(FaultRule.always(UNASSIGN, new Fault.LoseAnswer(false)));
    NodeOperations node = filled(world, 8, false);

    assertThat(release(world, node, 3)).isInstanceOf(ReleaseOutcome.Unknown.class);
    world.sync("i-a");
    assertThat(ProviderWorld.size(node)).isEqualTo(8);
  }

  @Test
  @DisplayName("while reads lag, an address that may be gone is not offered")
  void lostAndReadsLag() {
    Duration lag = Duration.ofSeconds(30);
    ProviderWorld world =
        ProviderWorld.lagging(lag, FaultRule.nth(UNASSIGN, 1, new Fault.LoseAnswer(true)));
    NodeOperations node = world.node("a", "m5.large");
    world.pass(lag.plusSeconds(1));
    world.resync();
    world.allocate(node, 8);
    world.pass(Duration.ofMinutes(5));
    world.resync();
    AddressSet gone = node.prepareIpRelease(3, AddressSet.of()).addresses();

    assertThat(release(world, node, 3)).isInstanceOf(ReleaseOutcome.Unknown.class);
    assertThat(ProviderWorld.addresses(node).intersects(gone)).isFalse();
    assertThat(world.sync("i-a")).isInstanceOf(SyncOutcome.Failed.class);
    assertThat(ProviderWorld.addresses(node).intersects(gone)).isFalse();
    world.pass(lag);
    assertThat(world.sync("i-a")).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(ProviderWorld.size(node)).isEqualTo(5);
  }
}
