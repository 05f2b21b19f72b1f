package io.tidemark.provider.aws.eni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.ec2.pace.Ec2FaultRule;
import io.tidemark.emulator.ec2.protocol.Ec2Error;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.aws.ec2.AwsNetworkInterface;
import io.tidemark.provider.aws.ec2.AwsNetworkInterface.Attachment;
import io.tidemark.provider.aws.ec2.AwsPage;
import io.tidemark.provider.aws.ec2.Ec2Api;
import io.tidemark.provider.aws.ec2.Ec2Failure;
import io.tidemark.provider.aws.ec2.Ec2Operation;
import io.tidemark.provider.aws.ec2.InterfaceQuery;
import io.tidemark.resource.EniSpec;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.ReleaseAction;
import io.tidemark.spi.ReleaseOutcome;
import io.tidemark.time.EffectFate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("any-jdk")
@DisplayName("Interfaces that nobody needs are given back (provider-aws 3.4, eni-release)")
class EniReleaseTest {
  private static final EniOptions ON = new EniOptions(true, false, true, false, false, false);
  private static final Duration REST = EniRelease.REST;

  private EniWorld world = new EniWorld(Samples.SETTINGS.with(ON), api -> api);
  private String home = world.ec2.subnet("10.0.0.0/24");

  private NodeOperations node() {
    return node(world.spec("m5.large", home).build());
  }

  private NodeOperations node(EniSpec spec) {
    world.launch("node1", "m5.large", home);
    return world.node("node1", spec, false, false);
  }

  /** A second interface with four addresses. */
  private void grow(NodeOperations node) {
    AllocationAction plan = node.prepareIpAllocation();
    assertThat(
            world.await(
                node.createInterface(
                    plan.with(plan.ipv4().wanting(4, OptionalInt.empty()), 0), world.context())))
        .isInstanceOf(AllocationOutcome.Allocated.class);
    world.run(Duration.ofSeconds(5));
  }

  /** All addresses beside the primary ones go. */
  private void empty(NodeOperations node) {
    ReleaseAction action = node.prepareIpRelease(100, AddressSet.of());
    assertThat(action.isEmpty()).isFalse();
    assertThat(world.await(node.release(action, world.context())))
        .isInstanceOf(ReleaseOutcome.Released.class);
  }

  private void pass(Duration duration) {
    for (Duration left = duration; !left.isZero(); left = left.minus(Duration.ofMinutes(1))) {
      world.run(Duration.ofMinutes(1));
      world.resync();
    }
  }

  private static Function<String, EffectFate> losing(String operation, boolean carriedOut) {
    return each ->
        each.equals(operation)
            ? carriedOut ? EffectFate.answerLost(EniWorld.TRAVEL) : EffectFate.requestLost()
            : EffectFate.answered(EniWorld.TRAVEL, EniWorld.TRAVEL);
  }

  @Test
  @DisplayName("after ten minutes without addresses: detached, then deleted, nothing left behind")
  void givenBack() {
    NodeOperations node = node();
    grow(node);
    int free = world.ec2.freeAddresses(home);
    empty(node);
    pass(REST.minusMinutes(1));
    assertThat(world.interfaces("node1")).as("not yet").hasSize(2);
    pass(Duration.ofMinutes(4));
    assertThat(world.interfaces("node1")).hasSize(1);
    assertThat(world.ec2.unattached()).isZero();
    assertThat(world.ec2.freeAddresses(home)).isEqualTo(free + 5);
    assertThat(EniWorld.known(node).interfaces()).hasSize(1);
    assertThat(world.requests)
        .containsSubsequence("DetachNetworkInterface", "DeleteNetworkInterface");
    grow(node);
    assertThat(world.interfaces("node1")).as("grown again at once").hasSize(2);
  }

  @Test
  @DisplayName("never with an address on it, a public one, somebody else's, or the instance's own")
  void kept() {
    NodeOperations node = node();
    grow(node);
    String theirs = world.ec2.parked(home, "Tidemark (i-0)", Map.of("owner", "somebody"));
    world.ec2.attach(theirs, world.instance("node1"), 2);
    pass(REST.multipliedBy(3));
    assertThat(world.interfaces("node1")).as("its addresses").hasSize(3);
    empty(node);
    world.ec2.publicAddressOf(world.instance("node1"), 1);
    pass(REST.multipliedBy(3));
    assertThat(world.interfaces("node1")).as("its public address").hasSize(3);
    assertThat(world.requests).doesNotContain("DetachNetworkInterface");
  }

  @Test
  @DisplayName("not while the node lacks addresses")
  void needed() {
    NodeOperations node = node();
    grow(node);
    empty(node);
    for (int i = 0; i < 30; i++) {
      pass(Duration.ofMinutes(1));
      node.prepareIpAllocation();
    }
    assertThat(world.interfaces("node1")).hasSize(2);
    assertThat(world.requests).doesNotContain("DetachNetworkInterface");
  }

  @Test
  @DisplayName("not where primary addresses serve pods")
  void primaryInUse() {
    NodeOperations primary = node(world.spec("m5.large", home).usePrimary(true).build());
    grow(primary);
    empty(primary);
    pass(REST.multipliedBy(2));
    assertThat(world.interfaces("node1")).hasSize(2);
    assertThat(world.requests).doesNotContain("DetachNetworkInterface");
  }

  @Test
  @DisplayName("off, nothing is detached")
  void off() {
    EniWorld usual = new EniWorld();
    String subnet = usual.ec2.subnet("10.0.0.0/24");
    usual.launch("node1", "m5.large", subnet);
    NodeOperations node = usual.node("node1", usual.spec("m5.large", subnet).build(), false, false);
    AllocationAction plan = node.prepareIpAllocation();
    usual.await(
        node.createInterface(
            plan.with(plan.ipv4().wanting(4, OptionalInt.empty()), 0), usual.context()));
    usual.await(node.release(node.prepareIpRelease(100, AddressSet.of()), usual.context()));
    for (int i = 0; i < 30; i++) {
      usual.run(Duration.ofMinutes(1));
      usual.resync();
    }
    assertThat(usual.interfaces("node1")).hasSize(2);
  }

  @Test
  @DisplayName("an allocation on its way keeps the interface, and one that comes later finds none")
  void together() {
    NodeOperations node = node();
    grow(node);
    empty(node);
    pass(REST);
    AwsNetworkInterface second = world.interfaces("node1").get(1);
    world.fates(
        each ->
            EffectFate.answered(
                each.startsWith("Detach") ? Duration.ofSeconds(8) : EniWorld.TRAVEL,
                EniWorld.TRAVEL));
    world.run(Duration.ofMinutes(1));
    world.resync();
    world.run(Duration.ofSeconds(3));
    assertThat(world.requests).as("on its way").contains("DetachNetworkInterface");
    AllocationAction plan = node.prepareIpAllocation();
    assertThat(plan.onInterface()).isNotEqualTo(Optional.of(second.id()));
    AllocationAction stale =
        new AllocationAction(
            Optional.of(second.id()),
            Optional.of(second.subnet()),
            plan.emptyInterfaceSlots(),
            plan.ipv4().wanting(4, OptionalInt.empty()),
            0,
            List.of(Ec2Operation.ASSIGN_PRIVATE_IP_ADDRESSES.kind()),
            Optional.empty());
    CompletionStage<AllocationOutcome> late = node.allocateIps(stale, world.context());
    assertThat(world.await(late)).isInstanceOf(AllocationOutcome.Refused.class);
    world.run(Duration.ofMinutes(2));
    assertThat(world.interfaces("node1")).hasSize(1);
  }

  @Test
  @DisplayName(
      "the detach's answer is lost: the interface gets nothing, and goes once a read shows")
  void answerLost() {
    for (boolean carriedOut : List.of(true, false)) {
      EniReleaseTest fresh = new EniReleaseTest();
      NodeOperations node = fresh.node();
      fresh.grow(node);
      fresh.empty(node);
      fresh.world.fates(losing("DetachNetworkInterface", carriedOut));
      fresh.pass(REST.plusMinutes(4));
      fresh.world.fates(each -> EffectFate.answered(EniWorld.TRAVEL, EniWorld.TRAVEL));
      fresh.pass(REST.plusMinutes(8));
      assertThat(fresh.world.interfaces("node1")).as("carried out: " + carriedOut).hasSize(1);
      assertThat(fresh.world.ec2.unattached()).isZero();
    }
  }

  @Test
  @DisplayName("the operator ends between detach and delete: garbage collection deletes")
  void crash() {
    NodeOperations node = node();
    grow(node);
    empty(node);
    world.faults(
        Ec2FaultRule.failing(
            "DeleteNetworkInterface",
            new Ec2Error("InternalError", "An internal error has occurred.", 500)));
    pass(REST.plusMinutes(2));
    assertThat(world.interfaces("node1")).hasSize(1);
    assertThat(world.ec2.unattached()).isEqualTo(1);
    EniWorld again = world.restarted();
    world.faults();
    again.node("node1", again.spec("m5.large", home).build(), false, false);
    for (int i = 0; i < 8; i++) {
      again.run(Duration.ofMinutes(1));
      again.resync();
    }
    assertThat(again.ec2.unattached()).isZero();
  }

  @Test
  @DisplayName("a refused detach keeps the interface in use")
  void refused() {
    NodeOperations node = node();
    grow(node);
    empty(node);
    world.faults(
        Ec2FaultRule.failing(
            "DetachNetworkInterface",
            new Ec2Error(
                "UnauthorizedOperation",
                "You are not authorized to perform this operation.",
                403)));
    pass(REST.plusMinutes(3));
    assertThat(world.interfaces("node1")).hasSize(2);
    assertThat(detaches()).as("ten minutes count anew").isOne();
    assertThat(EniWorld.known(node).statistics().interfacesWithRoom()).isEqualTo(2);
    assertThat(world.ec2.unattached()).isZero();
  }

  /** EC2 that shows something on an interface only when it is asked for that one alone. */
  private static final class HeldAlone extends NamedEc2Api {
    private final String held;

    HeldAlone(Ec2Api ec2, String held) {
      super(ec2);
      this.held = held;
    }

    @Override
    public AwsPage<AwsNetworkInterface> describeNetworkInterfaces(
        InterfaceQuery query, Optional<String> token) throws Ec2Failure {
      AwsPage<AwsNetworkInterface> page = super.describeNetworkInterfaces(query, token);
      return query instanceof InterfaceQuery.One
          ? new AwsPage<>(page.items().stream().map(this::shown).toList(), page.next())
          : page;
    }

    private AwsNetworkInterface shown(AwsNetworkInterface each) {
      IpAddress ipv6 = IpAddress.parse("2001:db8::1");
      return new AwsNetworkInterface(
          each.id(),
          each.type(),
          each.status(),
          each.subnet(),
          each.vpcId(),
          each.availabilityZone(),
          each.mac(),
          each.description(),
          each.primary(),
          held.equals("single") ? AddressSet.of(IpAddress.parse("10.0.0.99")) : each.singles(),
          held.equals("prefix") ? List.of(Cidr.parse("10.0.0.96/28")) : each.prefixes(),
          held.equals("ipv6") ? AddressSet.of(ipv6) : each.ipv6(),
          each.primaryIpv6(),
          held.equals("ipv6 prefix") ? List.of(Cidr.parse("2001:db8::/80")) : each.ipv6Prefixes(),
          each.securityGroups(),
          held.equals("other owner") ? Map.of(OwnerTags.CLUSTER, "other") : each.tags(),
          each.attachment().map(this::shown),
          held.equals("public") ? Optional.of(ipv6) : each.publicAddress(),
          each.tracking(),
          each.unreadable());
    }

    private Attachment shown(Attachment at) {
      return new Attachment(
          held.equals("other attachment") ? "eni-attach-1" : at.id(),
          held.equals("other instance") ? Optional.of(new InstanceId("i-0")) : at.instance(),
          at.cardIndex(),
          at.deviceIndex(),
          at.deleteOnTermination(),
          at.status());
    }
  }

  @DisplayName("not when the read right before the detach shows anything on it, or another owner")
  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "single",
        "prefix",
        "ipv6",
        "ipv6 prefix",
        "public",
        "other owner",
        "other instance",
        "other attachment"
      })
  void heldAfterAll(String held) {
    world = new EniWorld(Samples.SETTINGS.with(ON), api -> new HeldAlone(api, held));
    home = world.ec2.subnet("10.0.0.0/24");
    NodeOperations node = node();
    grow(node);
    empty(node);
    pass(REST.plusMinutes(4));
    assertThat(world.requests).doesNotContain("DetachNetworkInterface");
    assertThat(world.interfaces("node1")).hasSize(2);
  }

  @Test
  @DisplayName("ten minutes count anew when it had an address meanwhile")
  void usedMeanwhile() {
    NodeOperations node = node();
    grow(node);
    empty(node);
    pass(REST.minusMinutes(1));
    world.ec2.single(world.instance("node1"), 1);
    pass(Duration.ofMinutes(1));
    IpAddress address = world.interfaces("node1").get(1).singles().first().orElseThrow();
    world.ec2.unassign(world.instance("node1"), address);
    pass(REST.minusMinutes(1));
    assertThat(world.requests).doesNotContain("DetachNetworkInterface");
    pass(Duration.ofMinutes(4));
    assertThat(world.interfaces("node1")).hasSize(1);
  }

  private long detaches() {
    return world.requests.stream().filter("DetachNetworkInterface"::equals).count();
  }

  @Test
  @DisplayName("one at a time, though two are without addresses for ten minutes")
  void oneAtATime() {
    NodeOperations node = node();
    grow(node);
    grow(node);
    empty(node);
    empty(node);
    pass(REST.minusMinutes(1));
    world.fates(
        each ->
            EffectFate.answered(
                each.startsWith("Detach") ? Duration.ofSeconds(8) : EniWorld.TRAVEL,
                EniWorld.TRAVEL));
    world.run(Duration.ofMinutes(2));
    world.resync();
    world.run(Duration.ofSeconds(1));
    assertThat(detaches()).isOne();
    world.resync();
    world.run(Duration.ofSeconds(1));
    assertThat(detaches()).as("the first is on its way still").isOne();
    pass(REST.plusMinutes(4));
    assertThat(world.interfaces("node1")).as("the other goes, too").hasSize(1);
  }

  @Test
  @DisplayName("of each of several nodes")
  void severalNodes() {
    NodeOperations node = node();
    world.launch("node2", "m5.large", home);
    NodeOperations other = world.node("node2", world.spec("m5.large", home).build(), false, false);
    grow(node);
    grow(other);
    empty(node);
    empty(other);
    pass(REST.plusMinutes(4));
    assertThat(world.interfaces("node1")).hasSize(1);
    assertThat(world.interfaces("node2")).hasSize(1);
  }

  @Test
  @DisplayName("not of an instance that does not run, and once it runs")
  void stopped() {
    NodeOperations node = node();
    grow(node);
    empty(node);
    world.ec2.stop(world.instance("node1"));
    pass(REST.plusMinutes(4));
    assertThat(world.requests).doesNotContain("DetachNetworkInterface");
    world.ec2.start(world.instance("node1"));
    pass(REST.plusMinutes(4));
    assertThat(world.interfaces("node1")).hasSize(1);
  }

  @Test
  @DisplayName("not without garbage collection, which deletes what a crash leaves behind")
  void withoutCollection() {
    world = new EniWorld(SettingsSample.USUAL.build("Tidemark", Duration.ZERO, ON), api -> api);
    home = world.ec2.subnet("10.0.0.0/24");
    NodeOperations node = node();
    grow(node);
    empty(node);
    pass(REST.plusMinutes(4));
    assertThat(world.requests).doesNotContain("DetachNetworkInterface");
  }
}
