package io.tidemark.provider.aws.eni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.IpAddress;
import io.tidemark.metrics.Metric;
import io.tidemark.provider.aws.ec2.AwsNetworkInterface;
import io.tidemark.provider.aws.ec2.AwsPage;
import io.tidemark.provider.aws.ec2.Ec2Api;
import io.tidemark.provider.aws.ec2.Ec2Failure;
import io.tidemark.provider.aws.ec2.InterfaceQuery;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.NodeOperations;
import io.tidemark.time.EffectFate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Interfaces that are left over, or seem so (provider-aws 2.6, 6, 10.6)")
class LeftoverInterfacesTest {
  private static final Duration INTERVAL = Duration.ofMinutes(5);
  private static final Map<String, String> OURS =
      Map.of(OwnerTags.CLUSTER, EniWorld.CLUSTER, OwnerTags.TOKEN, "t");

  private EniWorld world = new EniWorld();
  private String home = world.ec2.subnet("10.0.0.0/24");

  private NodeOperations node(String name) {
    world.launch(name, "m5.large", home);
    return world.node(name, world.spec("m5.large", home).build(), false, false);
  }

  private static AllocationAction wanting(NodeOperations node, int addresses) {
    AllocationAction plan = node.prepareIpAllocation();
    return plan.with(plan.ipv4().wanting(addresses, OptionalInt.empty()), 0);
  }

  private AllocationOutcome create(NodeOperations node) {
    return world.await(node.createInterface(wanting(node, 4), world.context()));
  }

  private String leftOver() {
    return world.ec2.parked(home, "Tidemark (i-0)", OURS);
  }

  private void pass(Duration duration) {
    for (Duration left = duration; !left.isNegative() && !left.isZero(); ) {
      Duration step = left.compareTo(Duration.ofMinutes(1)) < 0 ? left : Duration.ofMinutes(1);
      world.run(step);
      world.resync();
      left = left.minus(step);
    }
  }

  private static Function<String, EffectFate> losing(
      String operation, Function<String, EffectFate> fate) {
    return each ->
        each.equals(operation)
            ? fate.apply(each)
            : EffectFate.answered(EniWorld.TRAVEL, EniWorld.TRAVEL);
  }

  @Test
  @DisplayName("AWS-53 eight of ours and eight of nobody: ours go after an interval, theirs stay")
  void collected() {
    node("node1");
    List<String> ours = new ArrayList<>();
    List<String> others = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      ours.add(leftOver());
      others.add(world.ec2.parked(home, "parked", Map.of()));
    }
    world.resync();
    assertThat(world.ec2.unattached()).isEqualTo(16);
    pass(INTERVAL.plusMinutes(2));
    assertThat(ours).noneMatch(world.ec2::exists);
    assertThat(world.ec2.unattached()).isEqualTo(8);
    assertThat(world.interfaceMetrics.value(Metric.ENI_GC_CANDIDATES)).isEqualTo(8);
    assertThat(world.interfaceMetrics.value(Metric.ENI_GC_DELETED)).isEqualTo(8);
    assertThat(world.interfaceMetrics.value(Metric.ENI_GC_FAILED)).isNaN();
    String attached = leftOver();
    world.resync();
    assertThat(world.ec2.unattached()).isEqualTo(9);
    world.ec2.attach(attached, world.instance("node1"), 1);
    pass(INTERVAL.multipliedBy(3));
    assertThat(world.ec2.unattached()).isEqualTo(8);
    assertThat(others).allMatch(world.ec2::exists);
    assertThat(world.ec2.exists(attached)).as("attached meanwhile").isTrue();
  }

  /** EC2 that shows what is attached to nothing as if it were on its way. */
  private static final class OnItsWay extends NamedEc2Api {
    private Optional<AwsNetworkInterface.Attachment> attachment = Optional.empty();
    private String status = "";
    private boolean listed;
    private boolean alone;

    OnItsWay(Ec2Api ec2) {
      super(ec2);
    }

    @Override
    public AwsPage<AwsNetworkInterface> describeNetworkInterfaces(
        InterfaceQuery query, Optional<String> token) throws Ec2Failure {
      AwsPage<AwsNetworkInterface> page = super.describeNetworkInterfaces(query, token);
      return (query instanceof InterfaceQuery.One ? alone : listed)
          ? new AwsPage<>(page.items().stream().map(this::shown).toList(), page.next())
          : page;
    }

    private AwsNetworkInterface shown(AwsNetworkInterface each) {
      return each.attachment().isPresent() ? each : EditedReads.with(each, status, attachment);
    }
  }

  @DisplayName(
      "AWS-53 what is being attached or detached is not collected, whichever read shows it")
  @ParameterizedTest(name = "attachment {0}, status {1}, in the listing {2}, alone {3}: {4}")
  @CsvSource({
    "attaching, in-use,    true,  true,  stays",
    "attaching, available, true,  true,  stays",
    "detaching, in-use,    true,  true,  stays",
    "detaching, available, true,  true,  stays",
    "detaching, '',        true,  true,  stays",
    "'',        in-use,    true,  true,  stays",
    "'',        pending,   true,  true,  stays",
    "attaching, available, false, true,  stays",
    "detaching, available, false, true,  stays",
    "'',        in-use,    false, true,  stays",
    "detaching, available, true,  false, stays",
    "'',        in-use,    true,  false, stays",
    "'',        available, true,  true,  goes",
    "'',        '',        true,  true,  goes"
  })
  void onItsWay(String attachment, String status, boolean listed, boolean alone, String end) {
    List<OnItsWay> shown = new ArrayList<>();
    world =
        new EniWorld(
            Samples.SETTINGS,
            api -> {
              shown.add(new OnItsWay(api));
              return shown.get(0);
            });
    home = world.ec2.subnet("10.0.0.0/24");
    node("node1");
    String leftOver = leftOver();
    OnItsWay ec2 = shown.get(0);
    ec2.attachment =
        Optional.of(attachment)
            .filter(state -> !state.isEmpty())
            .map(
                state ->
                    new AwsNetworkInterface.Attachment(
                        "eni-attach-1", Optional.of(new InstanceId("i-0")), 0, 1, false, state));
    ec2.status = status;
    ec2.listed = listed;
    ec2.alone = alone;

    pass(INTERVAL.multipliedBy(3));

    assertThat(world.ec2.exists(leftOver)).isEqualTo(end.equals("stays"));
  }

  @Test
  @DisplayName("M9 without a name of the cluster nothing is collected, and the metric says so")
  void unnamed() {
    world.cluster = "";
    node("node1");
    String parked = leftOver();
    pass(INTERVAL.multipliedBy(3));
    assertThat(world.interfaceMetrics.value(Metric.ENI_GC_STATE, "unnamed")).isEqualTo(1);
    assertThat(world.ec2.exists(parked)).isTrue();
    world.cluster = EniWorld.CLUSTER;
    pass(INTERVAL.plusMinutes(2));
    assertThat(world.interfaceMetrics.value(Metric.ENI_GC_STATE, "on")).isEqualTo(1);
    assertThat(world.ec2.exists(parked)).isFalse();
  }

  @Test
  @DisplayName(
      "AWS-81 the mark is refused: the interface is kept and used, and marked after a read")
  void markRefused() {
    NodeOperations node = node("node1");
    world.faults(
        io.tidemark.emulator.ec2.pace.Ec2FaultRule.failing(
            "ModifyNetworkInterfaceAttribute",
            new io.tidemark.emulator.ec2.protocol.Ec2Error(
                "UnauthorizedOperation",
                "You are not authorized to perform this operation.",
                403)));
    assertThat(create(node)).isInstanceOf(AllocationOutcome.Allocated.class);
    world.run(Duration.ofMinutes(2));
    assertThat(world.requests).contains("ModifyNetworkInterfaceAttribute");
    assertThat(world.requests).doesNotContain("DeleteNetworkInterface", "DetachNetworkInterface");
    AwsNetworkInterface made = world.interfaces("node1").get(1);
    assertThat(made.attachment().orElseThrow().deleteOnTermination()).isFalse();
    assertThat(EniWorld.known(node).interfaces()).hasSize(2);
    world.faults();
    world.resync();
    world.run(Duration.ofMinutes(1));
    made = world.interfaces("node1").get(1);
    assertThat(made.attachment().orElseThrow().deleteOnTermination()).isTrue();
    assertThat(world.requests).doesNotContain("DeleteNetworkInterface", "DetachNetworkInterface");
  }

  @Test
  @DisplayName("AWS-93 an interface whose attachment takes three intervals is not collected")
  void inCreation() {
    world = EniWorld.patient();
    home = world.ec2.subnet("10.0.0.0/24");
    NodeOperations node = node("node1");
    world.fates(
        losing(
            "AttachNetworkInterface",
            each -> EffectFate.answered(INTERVAL.multipliedBy(3), EniWorld.TRAVEL)));
    CompletionStage<AllocationOutcome> stage =
        node.createInterface(wanting(node, 4), world.context(Duration.ofHours(2)));
    pass(INTERVAL.multipliedBy(3).minusMinutes(1));
    assertThat(world.ec2.unattachedIds()).as("created, not attached").hasSize(1);
    pass(Duration.ofMinutes(2));
    assertThat(world.await(stage)).isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(world.interfaces("node1")).hasSize(2);
    assertThat(world.requests).doesNotContain("DeleteNetworkInterface");
  }

  @Test
  @DisplayName(
      "one that a clock ahead of ours has dated is collected after an interval all the same")
  void datedByAnotherClock() {
    node("node1");
    String dated =
        world.ec2.parked(
            home,
            "Tidemark (i-0)",
            Map.of(
                OwnerTags.CLUSTER,
                EniWorld.CLUSTER,
                OwnerTags.CREATED_AT,
                java.time.Instant.ofEpochMilli(world.time.epochMillis())
                    .plus(Duration.ofHours(2))
                    .toString()));
    pass(INTERVAL.minusMinutes(1));
    assertThat(world.ec2.exists(dated)).as("before an interval").isTrue();
    pass(Duration.ofMinutes(3));
    assertThat(world.ec2.exists(dated)).as("after an interval").isFalse();
  }

  @Test
  @DisplayName("AWS-93 nor is one to which the next attempts come back, each in vain for long")
  void inCreationAgain() {
    NodeOperations node = node("node1");
    world.fates(losing("AttachNetworkInterface", each -> EffectFate.requestLost()));
    for (int attempt = 0; attempt < 3; attempt++) {
      assertThat(create(node)).isInstanceOf(AllocationOutcome.Unknown.class);
      pass(Duration.ofMinutes(3));
      world.sync("node1");
    }
    List<String> left = world.ec2.unattachedIds();
    assertThat(left).as("one interface, waiting").hasSize(1);
    world.fates(losing("", each -> EffectFate.requestLost()));
    assertThat(create(node)).isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(world.interfaces("node1").get(1).id().text()).isEqualTo(left.get(0));
    assertThat(world.requests).doesNotContain("DeleteNetworkInterface");
  }

  @Test
  @DisplayName("AWS-94 after a restart nothing younger than five minutes is collected")
  void afterRestart() {
    node("node1");
    world.run(Duration.ofMinutes(10));
    String dated =
        world.ec2.parked(
            home,
            "Tidemark (i-0)",
            Map.of(
                OwnerTags.CLUSTER,
                EniWorld.CLUSTER,
                OwnerTags.CREATED_AT,
                java.time.Instant.ofEpochMilli(world.time.epochMillis()).toString()));
    String undated = leftOver();
    pass(Duration.ofMinutes(3));
    EniWorld restarted = world.restarted();
    restarted.node("node1", restarted.spec("m5.large", home).build(), false, false);
    for (int minute = 0; minute < 2; minute++) {
      restarted.run(Duration.ofSeconds(59));
      restarted.resync();
      assertThat(List.of(dated, undated)).allMatch(world.ec2::exists);
    }
    restarted.run(Duration.ofMinutes(1));
    restarted.resync();
    restarted.run(Duration.ofMinutes(1));
    assertThat(world.ec2.exists(dated)).as("its tag says more than five minutes").isFalse();
    assertThat(world.ec2.exists(undated)).as("seen first after the restart").isTrue();
    for (int minute = 0; minute < 6; minute++) {
      restarted.run(Duration.ofMinutes(1));
      restarted.resync();
    }
    restarted.run(Duration.ofMinutes(1));
    assertThat(world.ec2.exists(undated)).isFalse();
  }

  @Test
  @DisplayName("AWS-100 two nodes, two elastic addresses, at the same time: each gets one")
  void elasticRace() {
    Map<String, String> tags = Map.of("for", "edge");
    NodeOperations first = node("node1");
    NodeOperations second = node("node2");
    List<String> addresses = new ArrayList<>();
    addresses.add(world.ec2.publicAddress(tags));
    addresses.add(world.ec2.publicAddress(tags));
    CompletionStage<AllocationOutcome> one = first.allocateStaticAddress(tags, world.context());
    CompletionStage<AllocationOutcome> two = second.allocateStaticAddress(tags, world.context());
    assertThat(world.await(one)).isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(world.await(two)).isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(List.of(publicAddress("node1"), publicAddress("node2")))
        .containsExactlyInAnyOrderElementsOf(addresses);
  }

  @Test
  @DisplayName("AWS-100 another program takes the first address meanwhile: the next one is taken")
  void elasticRaceWithAnother() {
    Map<String, String> tags = Map.of("for", "edge");
    NodeOperations node = node("node1");
    node("node2");
    world.ec2.publicAddress(tags);
    world.ec2.publicAddress(tags);
    world.fates(
        losing(
            "AssociateAddress",
            each -> EffectFate.answered(Duration.ofSeconds(2), EniWorld.TRAVEL)));
    CompletionStage<AllocationOutcome> stage = node.allocateStaticAddress(tags, world.context());
    world.run(Duration.ofSeconds(1));
    assertThat(world.requests).endsWith("AssociateAddress");
    String taken = world.ec2.associateFirst(tags, world.instance("node2"));
    assertThat(world.await(stage))
        .isInstanceOfSatisfying(
            AllocationOutcome.Allocated.class,
            bound ->
                assertThat(bound.staticAddress().map(IpAddress::toString))
                    .isNotEqualTo(Optional.of(taken)));
    assertThat(publicAddress("node1")).isNotEqualTo(taken);
    assertThat(publicAddress("node2")).isEqualTo(taken);
  }

  private String publicAddress(String node) {
    return world.interfaces(node).get(0).publicAddress().orElseThrow().toString();
  }
}
