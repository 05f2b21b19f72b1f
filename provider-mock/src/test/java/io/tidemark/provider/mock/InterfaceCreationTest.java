package io.tidemark.provider.mock;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.mock.cloud.CloudErrorCode;
import io.tidemark.provider.mock.cloud.CloudOperation;
import io.tidemark.provider.mock.cloud.CreateInterfaceRequest;
import io.tidemark.provider.mock.cloud.Fault;
import io.tidemark.provider.mock.cloud.FaultRule;
import io.tidemark.provider.mock.cloud.NetworkInterface;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.NodeSettings;
import io.tidemark.spi.SyncOutcome;
import io.tidemark.testing.Samples;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("D-15 creating an interface")
class InterfaceCreationTest {
  private static final CloudOperation CREATE = CloudOperation.CREATE_NETWORK_INTERFACE;
  private static final CloudOperation ATTACH = CloudOperation.ATTACH_NETWORK_INTERFACE;
  private static final CloudOperation DELETE = CloudOperation.DELETE_NETWORK_INTERFACE;
  private static final CloudOperation MARK = CloudOperation.MODIFY_NETWORK_INTERFACE_ATTRIBUTE;
  private static final Fault LOST = new Fault.LoseAnswer(true);
  private static final Fault NOT_SENT = new Fault.LoseAnswer(false);

  private static NodeOperations node(ProviderWorld world) {
    return world.node("a", "m5.large");
  }

  private static AllocationOutcome create(ProviderWorld world, NodeOperations node, int wanted) {
    AllocationAction plan = node.prepareIpAllocation();
    return world.ended(
        node.createInterface(
            plan.with(plan.ipv4().wanting(wanted, OptionalInt.empty()), 0), world.context()));
  }

  private static long interfaces(ProviderWorld world) {
    return world.cloud.inspect().interfaces().size();
  }

  private static Fault refuse(CloudErrorCode code) {
    return new Fault.Refuse(code, "scripted");
  }

  private static void assertOneMore(ProviderWorld world, NodeOperations node, int addresses) {
    assertThat(interfaces(world)).isEqualTo(2);
    List<NetworkInterface> attached = world.cloud.attachedTo("i-a");
    assertThat(attached).hasSize(2);
    assertThat(attached.get(1).attachment().orElseThrow().deviceIndex()).isEqualTo(1);
    assertThat(attached.get(1).attachment().orElseThrow().deleteOnTermination()).isTrue();
    assertThat(ProviderWorld.size(node)).isEqualTo(addresses);
  }

  @Test
  @DisplayName("sends three requests when nothing goes wrong")
  void threeRequests() {
    ProviderWorld world = ProviderWorld.calm();
    NodeOperations node = node(world);

    AllocationOutcome outcome = create(world, node, 8);

    assertThat(((AllocationOutcome.Allocated) outcome).addresses()).isEqualTo(8);
    assertThat(((AllocationOutcome.Allocated) outcome).created()).isPresent();
    assertOneMore(world, node, 8);
    assertThat(world.cloud.calls())
        .containsEntry(CREATE, 1L)
        .containsEntry(ATTACH, 1L)
        .containsEntry(MARK, 1L);
  }

  @Test
  @DisplayName("a create whose answer is lost is repeated with its token and makes one interface")
  void createLostOnce() {
    ProviderWorld world = ProviderWorld.withFaults(FaultRule.nth(CREATE, 1, LOST));
    NodeOperations node = node(world);

    assertThat(create(world, node, 8)).isInstanceOf(AllocationOutcome.Allocated.class);
    assertOneMore(world, node, 8);
  }

  @Test
  @DisplayName("a create that stays lost is unknown, and the next attempt finds what it made")
  void createLostForGood() {
    ProviderWorld world =
        ProviderWorld.withFaults(
            FaultRule.nth(CREATE, 1, LOST),
            FaultRule.nth(CREATE, 1, LOST),
            FaultRule.nth(CREATE, 1, LOST));
    NodeOperations node = node(world);
    long before = ProviderWorld.known(node).generation();

    assertThat(create(world, node, 8)).isInstanceOf(AllocationOutcome.Unknown.class);
    assertThat(ProviderWorld.known(node).generation()).isGreaterThan(before);
    world.sync("i-a");

    assertThat(create(world, node, 5)).isInstanceOf(AllocationOutcome.Allocated.class);
    assertOneMore(world, node, 8);
  }

  @Test
  @DisplayName("a fresh operator gets the interface its predecessor created")
  void afterRestart() {
    ProviderWorld world =
        ProviderWorld.withFaults(
            new FaultRule(java.util.Optional.of(ATTACH), "", 1, 3, 1, NOT_SENT));
    create(world, node(world), 8);
    assertThat(interfaces(world)).isEqualTo(2);

    var successor =
        new MockProviderFactory(world.cloud).create(ProviderWorld.context(world.time, Map.of()));
    NodeSettings settings = new NodeSettings("a", false, true, false);
    NodeOperations node =
        successor.createNode(settings, ProviderWorld.resource("a", Samples.eniSpec("m5.large")));
    world.ended(successor.resync(world.context()));

    assertThat(create(world, node, 8)).isInstanceOf(AllocationOutcome.Allocated.class);
    assertOneMore(world, node, 8);
  }

  @Test
  @DisplayName("an attach whose answer is lost is read back and counts")
  void attachLost() {
    ProviderWorld world = ProviderWorld.withFaults(FaultRule.nth(ATTACH, 1, LOST));
    NodeOperations node = node(world);

    assertThat(create(world, node, 8)).isInstanceOf(AllocationOutcome.Allocated.class);
    assertOneMore(world, node, 8);
    assertThat(world.cloud.calls()).containsEntry(ATTACH, 1L);
  }

  @Test
  @DisplayName("an attach that was lost on its way is made again at the same index")
  void attachNotSent() {
    ProviderWorld world = ProviderWorld.withFaults(FaultRule.nth(ATTACH, 1, NOT_SENT));
    NodeOperations node = node(world);

    assertThat(create(world, node, 8)).isInstanceOf(AllocationOutcome.Allocated.class);
    assertOneMore(world, node, 8);
  }

  @Test
  @DisplayName(
      "an attach that was lost counts even when no read shows it yet, and nothing is added before")
  void attachLostAndReadsLag() {
    ProviderWorld world =
        ProviderWorld.lagging(Duration.ofSeconds(30), FaultRule.nth(ATTACH, 1, LOST));
    world.cloud.setup();
    NodeOperations node = node(world);
    world.pass(Duration.ofSeconds(31));
    world.resync();

    AllocationOutcome first = create(world, node, 8);
    assertThat(first).isInstanceOf(AllocationOutcome.Unknown.class);
    world.pass(Duration.ofSeconds(2));
    assertThat(world.sync("i-a")).isInstanceOf(SyncOutcome.Failed.class);
    assertThat(node.prepareIpAllocation().blocked().orElseThrow().reason())
        .isEqualTo(BlockedReason.READING_BACK);
    world.pass(Duration.ofSeconds(29));
    assertThat(world.sync("i-a")).isInstanceOf(SyncOutcome.Synced.class);
    assertThat(node.prepareIpAllocation().blocked()).isEmpty();

    assertOneMore(world, node, 8);
  }

  @ParameterizedTest
  @DisplayName("an attach that is refused leaves no interface behind")
  @EnumSource(
      value = CloudErrorCode.class,
      names = {
        "ATTACHMENT_LIMIT",
        "INSTANCE_NOT_FOUND",
        "REQUEST_LIMIT_EXCEEDED",
        "UNAUTHORIZED",
        "UNAVAILABLE"
      })
  void attachRefused(CloudErrorCode code) {
    ProviderWorld world = ProviderWorld.withFaults(FaultRule.always(ATTACH, refuse(code)));
    NodeOperations node = node(world);
    int free = world.cloud.subnet("subnet-a").orElseThrow().freeAddresses();

    AllocationOutcome outcome = create(world, node, 8);

    assertThat(interfaces(world)).isEqualTo(1);
    assertThat(world.cloud.subnet("subnet-a").orElseThrow().freeAddresses()).isEqualTo(free);
    assertThat(ProviderWorld.size(node)).isZero();
    if (code == CloudErrorCode.ATTACHMENT_LIMIT) {
      assertThat(outcome).isInstanceOf(AllocationOutcome.LimitReached.class);
    } else {
      assertThat(outcome).isInstanceOf(AllocationOutcome.Refused.class);
    }
  }

  @Test
  @DisplayName("an instance that is not running is its own ending, and nothing is left behind")
  void notRunning() {
    ProviderWorld world =
        ProviderWorld.withFaults(FaultRule.nth(ATTACH, 1, new Fault.StopInstance()));
    NodeOperations node = node(world);

    assertThat(create(world, node, 8)).isInstanceOf(AllocationOutcome.InstanceNotRunning.class);
    assertThat(interfaces(world)).isEqualTo(1);
  }

  @Test
  @DisplayName("after an undone creation the next one is a new interface")
  void undoneAndAgain() {
    ProviderWorld world =
        ProviderWorld.withFaults(FaultRule.nth(ATTACH, 1, refuse(CloudErrorCode.UNAVAILABLE)));
    NodeOperations node = node(world);

    assertThat(create(world, node, 8)).isInstanceOf(AllocationOutcome.Refused.class);
    assertThat(create(world, node, 8)).isInstanceOf(AllocationOutcome.Allocated.class);
    assertOneMore(world, node, 8);
  }

  @Test
  @DisplayName("an interface that could be neither attached nor deleted is attached the next time")
  void notUndoneAndAgain() {
    ProviderWorld world =
        ProviderWorld.withFaults(
            FaultRule.nth(ATTACH, 1, refuse(CloudErrorCode.UNAVAILABLE)),
            FaultRule.nth(DELETE, 1, refuse(CloudErrorCode.UNAVAILABLE)));
    NodeOperations node = node(world);

    assertThat(create(world, node, 8)).isInstanceOf(AllocationOutcome.Refused.class);
    assertThat(interfaces(world)).isEqualTo(2);
    assertThat(create(world, node, 8)).isInstanceOf(AllocationOutcome.Allocated.class);
    assertOneMore(world, node, 8);
  }

  @Test
  @DisplayName("a fresh operator does not stumble over tokens whose interfaces are gone")
  void tokensOfThePast() {
    ProviderWorld world =
        ProviderWorld.withFaults(
            new FaultRule(
                java.util.Optional.of(ATTACH), "", 1, 2, 1, refuse(CloudErrorCode.UNAVAILABLE)));
    NodeOperations past = node(world);
    create(world, past, 8);
    create(world, past, 8);
    var successor =
        new MockProviderFactory(world.cloud).create(ProviderWorld.context(world.time, Map.of()));
    NodeOperations node =
        successor.createNode(
            new NodeSettings("a", false, true, false),
            ProviderWorld.resource("a", Samples.eniSpec("m5.large")));
    world.ended(successor.resync(world.context()));

    assertThat(create(world, node, 8)).isInstanceOf(AllocationOutcome.Allocated.class);
    assertOneMore(world, node, 8);
  }

  @Test
  @DisplayName("an interface that cannot be marked is kept, and marked after the next read")
  void markRefused() {
    ProviderWorld world =
        ProviderWorld.withFaults(FaultRule.nth(MARK, 1, refuse(CloudErrorCode.UNAVAILABLE)));
    NodeOperations node = node(world);

    assertThat(create(world, node, 8)).isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(ProviderWorld.size(node)).isEqualTo(8);
    assertThat(
            world.cloud.attachedTo("i-a").get(1).attachment().orElseThrow().deleteOnTermination())
        .isFalse();
    world.sync("i-a");
    assertOneMore(world, node, 8);
  }

  @Test
  @DisplayName("another operator at the same index wins; this one undoes and says conflict")
  void indexTaken() throws Exception {
    ProviderWorld world = ProviderWorld.calm();
    NodeOperations node = node(world);
    String theirs =
        world
            .cloud
            .createNetworkInterface(
                new CreateInterfaceRequest(
                    "subnet-a", "theirs", List.of(), Map.of(), 3, 0, "their-token"))
            .id();
    world.cloud.attachNetworkInterface(theirs, "i-a", 1);

    AllocationOutcome outcome = create(world, node, 8);

    assertThat(((AllocationOutcome.Refused) outcome).failure().kind())
        .isEqualTo(Failure.Kind.CONFLICT);
    assertThat(interfaces(world)).isEqualTo(2);
    world.sync("i-a");
    assertThat(ProviderWorld.size(node)).isEqualTo(3);
  }

  @Test
  @DisplayName("two operators at once make one interface")
  void twoOperators() {
    ProviderWorld world = ProviderWorld.calm();
    NodeOperations one = node(world);
    var other =
        new MockProviderFactory(world.cloud).create(ProviderWorld.context(world.time, Map.of()));
    NodeOperations two =
        other.createNode(
            new NodeSettings("a", false, true, false),
            ProviderWorld.resource("a", Samples.eniSpec("m5.large")));
    world.ended(other.resync(world.context()));

    assertThat(create(world, one, 8)).isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(create(world, two, 8)).isInstanceOf(AllocationOutcome.Allocated.class);

    assertOneMore(world, one, 8);
    assertThat(ProviderWorld.size(two)).isEqualTo(8);
  }

  @Test
  @DisplayName("a cancelled creation sends nothing more but the clean-up")
  void cancelled() {
    ProviderWorld world = ProviderWorld.calm();
    HeldCalls[] held = new HeldCalls[1];
    ProviderWorld slow =
        new ProviderWorld(
            world.cloud.settings(),
            policy -> {
              held[0] = new HeldCalls(policy);
              return held[0];
            });
    slow.cloud
        .setup()
        .launch(io.tidemark.provider.mock.cloud.InstanceLaunch.of("i-a", "m5.large", "subnet-a"));
    NodeOperations node =
        slow.provider.createNode(
            new NodeSettings("a", false, true, false),
            ProviderWorld.resource("a", Samples.eniSpec("m5.large")));
    slow.provider.resync(slow.context());
    held[0].sendAll();
    AllocationAction plan = node.prepareIpAllocation();
    var context = slow.context();
    var stage =
        node.createInterface(plan.with(plan.ipv4().wanting(8, OptionalInt.empty()), 0), context);
    held[0].send();
    assertThat(held[0].waiting()).containsExactly(ATTACH.wire());

    context.cancellation().cancel();
    held[0].fail(Failure.of(Failure.Kind.CANCELLED, "cancelled", "not sent"));
    assertThat(held[0].waiting()).containsExactly(CloudOperation.DELETE_NETWORK_INTERFACE.wire());
    held[0].sendAll();

    assertThat(slow.ended(stage)).isInstanceOf(AllocationOutcome.Refused.class);
    assertThat(slow.cloud.inspect().interfaces()).hasSize(1);
  }

  @Test
  @DisplayName("falls from blocks to the sibling subnet, and to singles when no subnet has blocks")
  void ladder() {
    ProviderWorld world = ProviderWorld.calm();
    world.subnet("subnet-b", "10.0.16.0/24");
    NodeOperations node =
        world.node("a", Samples.eniSpec("m5.large"), new NodeSettings("a", true, true, false));
    touchEveryBlock(world, "subnet-a", "10.0.0.0/20");
    world.resync();

    create(world, node, 20);
    assertThat(world.cloud.attachedTo("i-a").get(1).subnetId()).isEqualTo("subnet-b");
    assertThat(world.cloud.attachedTo("i-a").get(1).prefixes()).hasSize(2);

    touchEveryBlock(world, "subnet-b", "10.0.16.0/24");
    world.resync();
    create(world, node, 20);
    assertThat(world.cloud.attachedTo("i-a").get(2).prefixes()).isEmpty();
    assertThat(world.cloud.attachedTo("i-a").get(2).singles().size()).isEqualTo(9);
  }

  private static void touchEveryBlock(ProviderWorld world, String subnet, String cidr) {
    AddressSet.Builder one = AddressSet.builder();
    for (Cidr block : Cidr.parse(cidr).subnets(28)) {
      IpAddress seventh = block.address(7);
      one.add(seventh);
    }
    world.cloud.setup().occupy(subnet, one.build());
  }
}
