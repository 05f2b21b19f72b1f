package io.tidemark.provider.aws.eni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.provider.aws.ec2.AwsNetworkInterface;
import io.tidemark.provider.aws.ec2.Copies;
import io.tidemark.provider.aws.ec2.Ec2Condition;
import io.tidemark.provider.aws.metadata.InstanceInterface;
import io.tidemark.resilience.CallResult;
import io.tidemark.resilience.Failure;
import io.tidemark.spi.AttachedInterface;
import io.tidemark.time.EffectFate;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The interfaces of one instance, for a program that works for it alone")
class InstanceInterfacesTest {
  private static final EniSettings SETTINGS = Samples.SETTINGS;

  private final InstanceWorld world = new InstanceWorld();
  private final InstanceInterfaces program = world.program(SETTINGS);

  private List<InstanceInterface> read() {
    return world.answer(program.read());
  }

  @DisplayName("What is created, changed and deleted, with and without answers")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          D122 Addresses are not taken twice: EC2 may have given them again meanwhile \
            | read; give own 2; delay UnassignPrivateIpAddresses 15s; afresh; cannotTake own LOST; \
              1m; exactly UnassignPrivateIpAddresses; read; shows 0 0
          A subnet without a free block refuses blocks, and singles are still given \
            | read; fragment home; cannotGive own 0 2 subnetExhausted; give own 2
          What it created is detached and deleted; the instance's own interface is not \
            | read; make made 1; remove made; gone made; read 1; cannotRemove own NOT_FOUND; \
              make next 1; there next own; gone made
          An instance with all its interfaces gets no more \
            | read; make first 1; make second 1; cannotMake 1 instanceFull
          Interfaces tagged no_manage take their place and nothing else; a trunk is named \
            | park theirs node.k8s.amazonaws.com/no_manage=true; attach theirs 1; trunk 2; 1m; \
              read 3; uses PODS OF_OTHERS TRUNK
          An interface that somebody has detached is deleted all the same \
            | read; make made 1; 1m; detachAt 1; 1m; remove made; gone made
          D122 One that is detached and not deleted counts as unclear, one that is gone as done \
            | read; make first 1; make second 1; refuse DeleteNetworkInterface UnauthorizedOperation; \
              cannotRemove first LOST; \
              refuse DeleteNetworkInterface InvalidNetworkInterfaceID.NotFound; remove second; read 1
          What EC2 refuses to take away is shown on \
            | read; give own 2; refuse UnassignPrivateIpAddresses UnauthorizedOperation; \
              cannotTake own CONFIGURATION; read; showsGiven 0
          One block is one block, on an interface and with a new one \
            | read; give own 0 1; make made 0 1
          The instance's own interface is for pods whatever its tags say \
            | read; mark own node.k8s.amazonaws.com/no_manage=true; 1m; read; uses PODS
          A mark that could not be set is set after the next read \
            | read; lose ModifyNetworkInterfaceAttribute; make made 1; marked 1 false; answer; read; \
              5s; marked 1 true
          A read that lies behind shows what this program has done all the same \
            | read; lag 20s; give own 2; read; showsGiven 0
          Every request goes through the one door, and none asks for more than one instance \
            | read; make made 1; exactly DescribeNetworkInterfaces DescribeNetworkInterfaces \
              DescribeSubnets CreateNetworkInterface AttachNetworkInterface \
              ModifyNetworkInterfaceAttribute
          Nothing is created before the instance was read \
            | cannotMake 1 TRANSIENT; quiet
          After the region's quota was met, five minutes' rest \
            | read; refuse CreateNetworkInterface NetworkInterfaceLimitExceeded; \
              cannotMake 1 quotaExceeded; serve; afresh; cannotMake 1 quotaExceeded; quiet; \
              unattached 0; 5m; make made 1
          After EC2 called the instance full, five minutes' rest \
            | read; refuse AttachNetworkInterface AttachmentLimitExceeded; \
              cannotMake 1 instanceFull; serve; afresh; cannotMake 1 instanceFull; quiet; \
              unattached 0; 5m; make made 1
          Reserved places stay free \
            | program reservedInterfaces=1; read; make made 1; cannotMake 1 instanceFull; \
              interfaces 2
          The delete-on-termination mark of interfaces of others is not touched \
            | park theirs; attach theirs 1; 1m; read 2; 1m; never ModifyNetworkInterfaceAttribute
          Where a subnet has no free block none is asked for at once again \
            | read; fragment home; cannotMake 0 1 subnetExhausted; afresh; \
              cannotMake 0 1 subnetExhausted; never CreateNetworkInterface; make made 1
          In a subnet with few free addresses an interface gets as many as there are \
            | read; leaveFree home 4; make made 8 0 3
          """)
  void story(String what, String story) {
    InstanceStory.run(what, story);
  }

  @Test
  @DisplayName("A new interface is like the instance's own, marked and tagged as the VPC CNI's")
  void create() {
    InstanceInterface own = read().get(0);
    InstanceInterface made = world.answer(program.create(3, 0));
    assertThat(made.device()).isEqualTo(1);
    assertThat(made.singles().size()).isEqualTo(3);
    assertThat(made.subnet()).isEqualTo(own.subnet()).isEqualTo(world.home());
    List<AwsNetworkInterface> there = world.ec2.interfaces(world.instance);
    assertThat(there).hasSize(2);
    AwsNetworkInterface second = there.get(1);
    assertThat(second.attachment().orElseThrow().deleteOnTermination()).isTrue();
    assertThat(second.securityGroups()).isEqualTo(there.get(0).securityGroups());
    assertThat(second.tags())
        .containsEntry("node.k8s.amazonaws.com/instance_id", world.instance)
        .containsKeys("node.k8s.amazonaws.com/createdAt", "tidemark.io/token")
        .doesNotContainKeys("io.cilium/cilium-managed", "tidemark.io/cluster");
    assertThat(read()).extracting(InstanceInterface::id).containsExactly(own.id(), made.id());
    assertThat(read().get(1)).isEqualTo(made);
  }

  @Test
  @DisplayName("Addresses and blocks are added and given back, and reads show it at once")
  void addresses() {
    String own = read().get(0).id();
    AttachedInterface singles = world.answer(program.assign(own, 4, 0));
    assertThat(singles.singles().size()).isEqualTo(4);
    AttachedInterface blocks = world.answer(program.assign(own, 0, 2));
    assertThat(blocks.blocks()).hasSize(2).allMatch(block -> block.prefixLength() == 28);
    assertThat(read().get(0).singles()).isEqualTo(singles.singles());
    assertThat(read().get(0).prefixes()).containsExactlyElementsOf(blocks.blocks());
    world.answer(program.unassign(own, singles.singles(), List.of()));
    world.answer(program.unassign(own, AddressSet.of(), List.of(blocks.blocks().get(0))));
    assertThat(read().get(0).singles().isEmpty()).isTrue();
    assertThat(read().get(0).prefixes()).containsExactly(blocks.blocks().get(1));
  }

  @ParameterizedTest(name = "the answer is lost: {0}")
  @ValueSource(booleans = {true, false})
  @DisplayName("D122 What was taken away without an answer is not shown until a read is sure of it")
  void takenWithoutAnswer(boolean taken) {
    String own = read().get(0).id();
    String made = world.answer(program.create(1, 0)).id();
    AddressSet added = world.answer(program.assign(own, 2, 0)).singles();
    losing(taken, "UnassignPrivateIpAddresses", "DetachNetworkInterface");
    assertThat(world.refusal(program.remove(made)).kind()).isEqualTo(Failure.Kind.LOST);
    assertThat(world.await(program.unassign(own, added, List.of())).refusal()).isPresent();
    world.answer();
    world.run(Duration.ofSeconds(30));
    assertThat(read().get(0).singles().isEmpty()).isTrue();
    assertThat(read()).hasSize(1);
    world.run(SETTINGS.horizon());
    assertThat(read().get(0).singles()).isEqualTo(taken ? AddressSet.of() : added);
    assertThat(read()).hasSize(taken ? 1 : 2);
  }

  private void losing(boolean answers, String... lost) {
    EffectFate fate = answers ? EffectFate.answerLost(EniWorld.TRAVEL) : EffectFate.requestLost();
    world.fates(operation -> List.of(lost).contains(operation) ? fate : EniWorld.ANSWERED);
  }

  @Test
  @DisplayName("Settings choose other subnets by tag; what does not exist has no room")
  void subnets() {
    String other = world.ec2.subnet("10.0.1.0/24");
    world.ec2.mark(other, Map.of("pods", "yes"));
    InstanceInterfaces tagged = world.program(settings(Set.of(), Map.of("pods", "yes")));
    world.answer(tagged.read());
    assertThat(world.answer(tagged.create(1, 0)).subnet()).isEqualTo(other);
    InstanceInterfaces named = world.program(settings(Set.of("subnet-none"), Map.of()));
    world.answer(named.read());
    CallResult<InstanceInterface> none = world.await(named.create(1, 0));
    assertThat(none.refusal().orElseThrow().condition())
        .isEqualTo(Ec2Condition.SUBNET_EXHAUSTED.text());
  }

  private static EniSettings settings(Set<String> ids, Map<String, String> tags) {
    return Copies.with(SETTINGS, Map.of("subnetIds", ids, "subnetTags", tags));
  }

  /** The same in a subnet with an IPv6 CIDR. */
  private static InstanceWorld dualStack() {
    return new InstanceWorld(ec2 -> ec2.dualStackSubnet("10.0.1.0/24"));
  }

  @Test
  @DisplayName("D125 An IPv6 prefix is a /80 of the subnet, and reads show it, also late ones")
  void ipv6Prefix() {
    InstanceWorld there = dualStack();
    InstanceInterfaces node = there.program(SETTINGS);
    String own = there.answer(node.read()).get(0).id();
    there.ec2.emulator().readsBehind(Optional.of(EniWorld.LAG_MAX));
    List<Cidr> given = there.answer(node.assignIpv6Prefix(own));
    assertThat(given).hasSize(1).allMatch(prefix -> prefix.prefixLength() == 80);
    assertThat(there.answer(node.read()).get(0).ipv6Prefixes()).isEqualTo(given);
    there.run(EniWorld.LAG_MAX);
    InstanceInterfaces next = there.program(SETTINGS);
    assertThat(there.answer(next.read()).get(0).ipv6Prefixes()).isEqualTo(given);
  }

  @Test
  @DisplayName("D122 An IPv6 prefix whose answer was lost is shown by a read, and not asked twice")
  void lostIpv6Prefix() {
    InstanceWorld there = dualStack();
    InstanceInterfaces node = there.program(SETTINGS);
    String own = there.answer(node.read()).get(0).id();
    there.lose("AssignIpv6Addresses", true);
    assertThat(there.refusal(node.assignIpv6Prefix(own)).kind()).isEqualTo(Failure.Kind.LOST);
    assertThat(there.requests).containsOnlyOnce("AssignIpv6Addresses");
    assertThat(there.answer(node.read()).get(0).ipv6Prefixes()).hasSize(1);
    assertThat(there.ec2.interfaces(there.instance).get(0).ipv6Prefixes()).hasSize(1);
  }

  @Test
  @DisplayName(
      "An IPv6 prefix is refused without an IPv6 CIDR, by a full interface and by no other")
  void refusedIpv6Prefix() {
    String own = read().get(0).id();
    Failure none = world.refusal(program.assignIpv6Prefix(own));
    assertThat(none.condition()).isEqualTo(Ec2Condition.BAD_CONFIG.text());
    assertThat(none.detail()).contains("does not have an IPv6 CIDR block");
    assertThat(world.refusal(program.assignIpv6Prefix("eni-0")).condition())
        .isEqualTo(Ec2Condition.ENI_GONE.text());
    InstanceWorld there = dualStack();
    InstanceInterfaces node = there.program(SETTINGS);
    String first = there.answer(node.read()).get(0).id();
    int most = node.limits().orElseThrow().ipv6PerInterface();
    for (int i = 0; i < most; i++) {
      assertThat(there.answer(node.assignIpv6Prefix(first))).hasSize(1);
    }
    assertThat(there.refusal(node.assignIpv6Prefix(first)).condition())
        .isEqualTo(Ec2Condition.ENI_FULL.text());
    assertThat(there.answer(node.read()).get(0).ipv6Prefixes()).hasSize(most).isSorted();
  }

  @Test
  @DisplayName("A new interface is in the subnet of the instance's own, whatever others are in")
  void ownSubnet() {
    String other = world.ec2.subnet("10.0.16.0/20");
    String parked = world.ec2.parked(other, "theirs", Map.of());
    world.ec2.attach(parked, world.instance, 1);
    world.run(Duration.ofMinutes(1));
    assertThat(world.answer(program.read()))
        .extracting(InstanceInterface::subnet)
        .containsExactly(world.home(), other);
    assertThat(world.answer(program.assign(parked, 1, 0)).size()).isEqualTo(1);
    world.leaveFree(world.home(), "10.0.0.0/24", 0);
    assertThat(world.refusal(program.create(1, 0)).condition())
        .isEqualTo(Ec2Condition.SUBNET_EXHAUSTED.text());
    assertThat(world.ec2.interfaces(world.instance)).hasSize(2);
  }
}
