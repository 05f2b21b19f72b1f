package io.tidemark.provider.aws.eni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.IpAddress;
import io.tidemark.metrics.Metric;
import io.tidemark.provider.aws.ec2.AwsNetworkInterface;
import io.tidemark.provider.aws.ec2.AwsNetworkInterface.Attachment;
import io.tidemark.provider.aws.ec2.Copies;
import io.tidemark.provider.aws.ec2.EditedEc2;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.NodeOperations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Interfaces that are left over, or seem so (provider-aws 2.6, 6, 10.6)")
class LeftoverInterfacesTest {
  private static final int INTERVAL = 5;
  private EniWorld world = new EniWorld();

  @Test
  @DisplayName("AWS-53 eight of ours and eight of nobody: ours go after an interval, theirs stay")
  void collected() {
    world.node("node1");
    List<String> ours = new ArrayList<>();
    List<String> others = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      ours.add(world.leftOver(Map.of()));
      others.add(world.ec2.parked(world.home(), "parked", Map.of()));
    }
    world.resync();
    assertThat(world.ec2.unattached()).isEqualTo(16);
    world.pass(INTERVAL + 2);
    assertThat(ours).noneMatch(world.ec2::exists);
    assertThat(world.ec2.unattached()).isEqualTo(8);
    assertThat(world.interfaceMetrics.value(Metric.ENI_GC_CANDIDATES)).isEqualTo(8);
    assertThat(world.interfaceMetrics.value(Metric.ENI_GC_DELETED)).isEqualTo(8);
    assertThat(world.interfaceMetrics.value(Metric.ENI_GC_FAILED)).isNaN();
    String attached = world.leftOver(Map.of());
    world.resync();
    assertThat(world.ec2.unattached()).isEqualTo(9);
    world.ec2.attach(attached, world.instance("node1"), 1);
    world.pass(3 * INTERVAL);
    assertThat(world.ec2.unattached()).isEqualTo(8);
    assertThat(others).allMatch(world.ec2::exists);
    assertThat(world.ec2.exists(attached)).as("attached meanwhile").isTrue();
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
    EditedEc2.Reads[] reads = {(query, all) -> all};
    world =
        new EniWorld(
            Samples.SETTINGS,
            ec2 -> EditedEc2.reads(ec2, (query, all) -> reads[0].shown(query, all)));
    world.node("node1");
    String leftOver = world.leftOver(Map.of());
    Optional<Attachment> at =
        Optional.of(attachment)
            .filter(state -> !state.isEmpty())
            .map(
                state ->
                    new Attachment(
                        "eni-attach-1", Optional.of(new InstanceId("i-0")), 0, 1, false, state));
    reads[0] =
        (query, all) ->
            (query.values().containsKey("network-interface-id") ? alone : listed)
                ? all.stream()
                    .map(
                        each ->
                            each.attachment().isPresent()
                                ? each
                                : Copies.with(each, Map.of("status", status, "attachment", at)))
                    .toList()
                : all;
    world.pass(3 * INTERVAL);

    assertThat(world.ec2.exists(leftOver)).isEqualTo(end.equals("stays"));
  }

  @Test
  @DisplayName("M9 without a name of the cluster nothing is collected, and the metric says so")
  void unnamed() {
    world.cluster = "";
    world.node("node1");
    String parked = world.leftOver(Map.of());
    world.pass(3 * INTERVAL);
    assertThat(world.interfaceMetrics.value(Metric.ENI_GC_STATE, "unnamed")).isEqualTo(1);
    assertThat(world.ec2.exists(parked)).isTrue();
    world.cluster = EniWorld.CLUSTER;
    world.pass(INTERVAL + 2);
    assertThat(world.interfaceMetrics.value(Metric.ENI_GC_STATE, "on")).isEqualTo(1);
    assertThat(world.ec2.exists(parked)).isFalse();
  }

  @Test
  @DisplayName(
      "AWS-81 the mark is refused: the interface is kept and used, and marked after a read")
  void markRefused() {
    NodeOperations node = world.node("node1");
    world.refuse("ModifyNetworkInterfaceAttribute", "UnauthorizedOperation", 403);
    assertThat(world.create(node, 4)).isInstanceOf(AllocationOutcome.Allocated.class);
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
    NodeOperations node = world.node("node1");
    world.delay("AttachNetworkInterface", Duration.ofMinutes(3 * INTERVAL));
    CompletionStage<AllocationOutcome> stage =
        node.createInterface(EniWorld.asking(node, 4), world.context(Duration.ofHours(2)));
    world.pass(3 * INTERVAL - 1);
    assertThat(world.ec2.unattachedIds()).as("created, not attached").hasSize(1);
    world.pass(2);
    assertThat(world.await(stage)).isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(world.interfaces("node1")).hasSize(2);
    assertThat(world.requests).doesNotContain("DeleteNetworkInterface");
  }

  @Test
  @DisplayName(
      "one that a clock ahead of ours has dated is collected after an interval all the same")
  void datedByAnotherClock() {
    world.node("node1");
    String dated = world.leftOver(world.createdIn(Duration.ofHours(2)));
    world.pass(INTERVAL - 1);
    assertThat(world.ec2.exists(dated)).as("before an interval").isTrue();
    world.pass(3);
    assertThat(world.ec2.exists(dated)).as("after an interval").isFalse();
  }

  @Test
  @DisplayName("AWS-93 nor is one to which the next attempts come back, each in vain for long")
  void inCreationAgain() {
    NodeOperations node = world.node("node1");
    world.lose("AttachNetworkInterface", false);
    for (int attempt = 0; attempt < 3; attempt++) {
      assertThat(world.create(node, 4)).isInstanceOf(AllocationOutcome.Unknown.class);
      world.pass(3);
      world.sync("node1");
    }
    List<String> left = world.ec2.unattachedIds();
    assertThat(left).as("one interface, waiting").hasSize(1);
    world.answer();
    assertThat(world.create(node, 4)).isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(world.interfaces("node1").get(1).id().text()).isEqualTo(left.get(0));
    assertThat(world.requests).doesNotContain("DeleteNetworkInterface");
  }

  @Test
  @DisplayName("AWS-94 after a restart nothing younger than five minutes is collected")
  void afterRestart() {
    world.node("node1");
    world.run(Duration.ofMinutes(10));
    String dated = world.leftOver(world.createdIn(Duration.ZERO));
    String undated = world.leftOver(Map.of());
    world.pass(3);
    EniWorld restarted = world.restarted();
    restarted.node("node1");
    for (int minute = 0; minute < 2; minute++) {
      restarted.run(Duration.ofSeconds(59));
      restarted.resync();
      assertThat(List.of(dated, undated)).allMatch(world.ec2::exists);
    }
    restarted.pass(1);
    restarted.run(Duration.ofMinutes(1));
    assertThat(world.ec2.exists(dated)).as("its tag says more than five minutes").isFalse();
    assertThat(world.ec2.exists(undated)).as("seen first after the restart").isTrue();
    restarted.pass(6);
    restarted.run(Duration.ofMinutes(1));
    assertThat(world.ec2.exists(undated)).isFalse();
  }

  @Test
  @DisplayName("AWS-100 two nodes, two elastic addresses, at the same time: each gets one")
  void elasticRace() {
    Map<String, String> tags = Map.of("for", "edge");
    NodeOperations first = world.node("node1");
    NodeOperations second = world.node("node2");
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
    NodeOperations node = world.node("node1");
    world.node("node2");
    world.ec2.publicAddress(tags);
    world.ec2.publicAddress(tags);
    world.delay("AssociateAddress", Duration.ofSeconds(2));
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
