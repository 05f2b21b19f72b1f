package io.tidemark.provider.aws.eni;

import static io.tidemark.provider.aws.eni.EniWorld.WHILE;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.node.Explanation;
import io.tidemark.node.NodeState;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.provider.aws.ec2.AwsNetworkInterface;
import io.tidemark.resource.IpamSpec;
import io.tidemark.spi.BlockedReason;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("any-jdk")
@DisplayName("Interfaces in subnets that lost their tags are emptied (provider-aws 12)")
class RetiredSubnetsTest {
  private static final Map<String, String> PODS = Map.of("tier", "pods");
  private static final List<String> CHANGES =
      List.of(
          "AssignPrivateIpAddresses",
          "UnassignPrivateIpAddresses",
          "CreateNetworkInterface",
          "AttachNetworkInterface",
          "DetachNetworkInterface",
          "DeleteNetworkInterface",
          "ModifyNetworkInterfaceAttribute");

  private EniWorld world = world(true, false);
  private String old = "";

  private static EniSettings settings(boolean retiring, boolean releasing) {
    return Samples.with(Map.of("releaseInterfaces", releasing, "retireSubnets", retiring));
  }

  private static EniWorld world(boolean retiring, boolean releasing) {
    return new EniWorld(settings(retiring, releasing));
  }

  private static EngineConfig releasing(EngineConfig base) {
    return base.releasingAfter(Duration.ofSeconds(30));
  }

  private void running(
      EngineConfig config, String type, IpamSpec ipam, int used, boolean primaries) {
    old = world.ec2.subnet("10.0.1.0/24");
    world.ec2.mark(old, PODS);
    world.running(
        config,
        world
            .spec(type, world.home())
            .firstIndex(OptionalInt.of(1))
            .subnetTags(PODS)
            .usePrimary(primaries),
        ipam);
    world.use("node1", used);
  }

  private void running(String type, IpamSpec ipam, int used) {
    running(releasing(EngineConfig.defaults()), type, ipam, used, false);
  }

  /** The tag leaves the subnet that is in use; another one has it where {@code another}. */
  private void untag(boolean another) {
    world.ec2.mark(old, Map.of("tier", "none"));
    if (another) {
      world.ec2.mark(world.ec2.subnet("10.0.2.0/24"), PODS);
    }
  }

  private void pass(int minutes, int ceiling) {
    for (int i = 0; i < 2 * minutes; i++) {
      world.run(Duration.ofSeconds(30));
      world.agentAnswers("node1");
      world.agentCleansUp("node1");
      assertThat(world.attached("node1")).isLessThanOrEqualTo(ceiling);
      assertThat(world.report("node1").needed()).isZero();
      assertThat(world.report("node1").blocked()).isEmpty();
    }
  }

  private int heldIn(String subnet) {
    return world.interfaces("node1").stream()
        .filter(each -> each.subnet().text().equals(subnet))
        .mapToInt(each -> each.singles().size() + 16 * each.prefixes().size())
        .sum();
  }

  private Map<String, Long> changes() {
    return world.requests.stream()
        .filter(CHANGES::contains)
        .collect(Collectors.groupingBy(each -> each, Collectors.counting()));
  }

  private void assertAtRest() {
    assertThat(world.report("node1").state()).isEqualTo(NodeState.OK);
    assertNothingMoves();
  }

  private void assertNothingMoves() {
    Map<String, Long> before = changes();
    pass(10, Integer.MAX_VALUE);
    assertThat(changes()).as("nothing to and fro").isEqualTo(before);
  }

  @Test
  @DisplayName("pods on half of it: the free half goes at once, the rest as they end, then itself")
  void drained() {
    world = world(true, true);
    running("m5.xlarge", IpamSpec.of(6, 0, 0, 0), 6);
    assertThat(world.availableUsed("node1")).isEqualTo("12/6");
    AddressSet used = world.server.find("node1").orElseThrow().used();
    untag(true);
    pass(6, 18);
    assertThat(world.availableUsed("node1")).isEqualTo("12/6");
    assertThat(heldIn(old)).isEqualTo(6);
    AwsNetworkInterface retired = world.interfaces("node1").get(1);
    assertThat(retired.singles().containsAll(used)).as("what pods hold").isTrue();
    assertAtRest();
    world.use("node1", 0);
    pass(6, 18);
    assertThat(heldIn(old)).isZero();
    assertThat(world.availableUsed("node1")).isEqualTo("6/0");
    pass(14, 18);
    assertThat(world.ec2.exists(retired.id().text())).as("the emptied interface").isFalse();
    assertThat(world.interfaces("node1")).hasSize(2);
    assertThat(world.ec2.unattached()).isZero();
    assertAtRest();
  }

  @Test
  @DisplayName("off, or with nothing given back, all stays as it is")
  void off() {
    for (boolean retiring : List.of(true, false)) {
      world = world(retiring, false);
      EngineConfig plain = EngineConfig.defaults();
      running(retiring ? plain : releasing(plain), "m5.xlarge", IpamSpec.of(6, 0, 0, 0), 6, false);
      Map<String, Long> before = changes();
      untag(true);
      pass(10, 12);
      assertThat(heldIn(old)).isEqualTo(12);
      assertThat(changes()).isEqualTo(before);
      assertThat(world.explain("node1").numbers()).doesNotContainKey("draining");
    }
  }

  @Test
  @DisplayName("at max-allocate it waits, is ok and says why; never one address more")
  void ceiling() {
    running("m5.xlarge", IpamSpec.of(6, 0, 12, 0), 6);
    untag(true);
    pass(6, 12);
    assertThat(heldIn(old)).isEqualTo(12);
    assertThat(world.report("node1").state()).isEqualTo(NodeState.OK);
    Explanation why = world.explain("node1");
    assertThat(why.plan())
        .isEqualTo(
            "idle: the drain waits, its free addresses stay in use:"
                + " 12 addresses are all that the ceiling allows");
    assertThat(why.numbers())
        .containsEntry(
            "draining",
            "1 interface, 6 free addresses: 0 may leave now, 6 others must come first for the rest");
    world.use("node1", 4);
    pass(20, 12);
    assertThat(heldIn(old)).as("what pods hold").isEqualTo(4);
    assertThat(world.availableUsed("node1")).isEqualTo("10/4");
    assertAtRest();
  }

  @Test
  @DisplayName("with all slots taken it waits, is ok and says why")
  void slots() {
    running("m5.large", IpamSpec.of(8, 0, 0, 0), 8);
    assertThat(world.interfaces("node1")).hasSize(3);
    assertThat(world.availableUsed("node1")).isEqualTo("16/8");
    untag(true);
    pass(6, 16);
    assertThat(heldIn(old)).isEqualTo(16);
    assertThat(world.report("node1").state()).isEqualTo(NodeState.OK);
    assertThat(world.explain("node1").plan())
        .startsWith("idle: the drain waits")
        .contains("has 3 of 3 interfaces on network card 0, none with room");
    assertAtRest();
  }

  @Test
  @DisplayName("with no other subnet it waits, is ok and says why, and goes on once there is one")
  void subnets() {
    running("m5.xlarge", IpamSpec.of(6, 0, 0, 0), 6);
    untag(false);
    pass(6, 12);
    assertThat(heldIn(old)).isEqualTo(12);
    assertThat(world.explain("node1").plan())
        .startsWith("idle: the drain waits")
        .contains("not selected by ids or tags");
    assertAtRest();
    world.ec2.mark(world.ec2.subnet("10.0.2.0/24"), PODS);
    pass(6, 18);
    assertThat(heldIn(old)).isEqualTo(6);
    assertThat(world.availableUsed("node1")).isEqualTo("12/6");
    assertAtRest();
  }

  @Test
  @DisplayName("what pods lack blocks all the same")
  void lacking() {
    running("m5.xlarge", IpamSpec.of(6, 0, 0, 0), 6);
    untag(false);
    pass(3, 12);
    world.use("node1", 12);
    world.run(Duration.ofMinutes(1));
    assertThat(world.report("node1").needed()).isEqualTo(6);
    assertThat(world.report("node1").state()).isEqualTo(NodeState.BLOCKED);
    assertThat(world.report("node1").blocked().map(blocked -> blocked.reason()))
        .isEqualTo(Optional.of(BlockedReason.NO_SUBNET));
  }

  @Test
  @DisplayName("the tag comes back: its addresses are like any others, and nothing moves")
  void selectedAgain() {
    running("m5.xlarge", IpamSpec.of(6, 0, 12, 0), 6);
    untag(true);
    pass(3, 12);
    world.ec2.mark(old, PODS);
    pass(3, 12);
    assertThat(heldIn(old)).isEqualTo(12);
    assertThat(world.explain("node1").numbers()).doesNotContainKey("draining");
    assertAtRest();
  }

  @Test
  @DisplayName("the operator is started anew amid the drain: it ends as if it had not been")
  void restarted() {
    for (int seconds : List.of(0, 30, 65, 95, 125)) {
      world = world(true, false);
      running("m5.xlarge", IpamSpec.of(6, 0, 0, 0), 6);
      untag(true);
      world.run(Duration.ofSeconds(seconds));
      EniWorld again = world.restarted(settings(true, false));
      world = again;
      again.start(releasing(EngineConfig.defaults()));
      world.run(WHILE);
      pass(8, 18);
      assertThat(heldIn(old)).as("after " + seconds).isEqualTo(6);
      assertThat(world.availableUsed("node1")).isEqualTo("12/6");
      assertAtRest();
    }
  }

  @Test
  @DisplayName("a block goes whole, once no pod holds any of it")
  void blocks() {
    running(releasing(EniWorld.delegating()), "m5a.xlarge", EniWorld.EIGHT, 10, false);
    assertThat(world.availableUsed("node1")).isEqualTo("32/10");
    untag(true);
    pass(6, 48);
    assertThat(heldIn(old)).as("the block of the pods").isEqualTo(16);
    assertThat(world.availableUsed("node1")).isEqualTo("32/10");
    assertNothingMoves();
    world.use("node1", 0);
    pass(6, 48);
    assertThat(heldIn(old)).isZero();
    assertThat(world.availableUsed("node1")).isEqualTo("16/0");
    assertNothingMoves();
  }

  @Test
  @DisplayName("where primary addresses serve pods it cannot be emptied: surplus goes first there")
  void primaries() {
    running(releasing(EngineConfig.defaults()), "m5.xlarge", IpamSpec.of(6, 0, 0, 0), 0, true);
    pass(3, 18);
    Map<String, Long> before = changes();
    untag(true);
    pass(6, 18);
    assertThat(changes()).isEqualTo(before);
    assertThat(world.explain("node1").numbers()).doesNotContainKey("draining");
    assertAtRest();
  }
}
