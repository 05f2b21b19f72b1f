package io.tidemark.provider.aws.eni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.provider.aws.ec2.AwsNetworkInterface;
import io.tidemark.provider.aws.ec2.ConnectionTracking;
import io.tidemark.provider.aws.ec2.Copies;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.ReleaseAction;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("any-jdk")
@DisplayName("What is done only when somebody asks for it (provider-aws 12, 16)")
class EniOptionsTest {
  private EniWorld world = new EniWorld();

  /** The same, whose interfaces get the groups of the pods. */
  private NodeOperations grouped() {
    return world.node("node1", world.spec().groupTags(Map.of("for", "pods")).build(), false);
  }

  /** Another interface comes. */
  private void grow(NodeOperations node) {
    world.grow(node, 4);
    world.run(Duration.ofSeconds(5));
  }

  private long changes() {
    return world.sent("ModifyNetworkInterfaceAttribute");
  }

  @DisplayName("manage-foreign-enis=false: what we did not make takes its place and serves no pods")
  @ParameterizedTest(name = "{0}")
  @ValueSource(booleans = {true, false})
  void foreign(boolean managed) {
    world = new EniWorld(Samples.with("manageForeign", managed));
    world.launch("node1", "m5.large", world.home());
    world.attachOfOthers("node1", 1, Map.of("owner", "them"));
    NodeOperations node = world.node("node1");
    assertThat(EniWorld.known(node).interfaces()).hasSize(managed ? 2 : 1);
    assertThat(EniWorld.known(node).statistics().emptySlots()).isEqualTo(1);
    grow(node);
    assertThat(EniWorld.known(node).interfaces()).as("ours").hasSize(managed ? 3 : 2);
    assertThat(world.interfaces("node1").get(2).singles().size()).isEqualTo(4);
  }

  @Test
  @DisplayName(
      "reconcile-security-groups: ours follow the tagged groups, at most every five minutes")
  void groups() {
    world = new EniWorld(Samples.with("reconcileGroups", true));
    String first = world.ec2.securityGroup("first", Map.of("for", "pods"));
    NodeOperations node = grouped();
    grow(node);
    List<String> own = world.interfaces("node1").get(0).securityGroups();
    long before = changes();
    String second = world.ec2.securityGroup("second", Map.of("for", "pods"));
    world.pass(12);
    assertThat(world.interfaces("node1").get(1).securityGroups())
        .containsExactlyInAnyOrder(first, second);
    assertThat(world.interfaces("node1").get(0).securityGroups())
        .as("the instance's own")
        .isEqualTo(own);
    assertThat(changes()).isEqualTo(before + 1);
    world.pass(12);
    assertThat(changes()).as("nothing more to do").isEqualTo(before + 1);
  }

  @Test
  @DisplayName(
      "reconcile-security-groups off, groups stay; on, tags that match nothing change none")
  void groupsStay() {
    String first = world.ec2.securityGroup("first", Map.of("for", "pods"));
    NodeOperations node = grouped();
    grow(node);
    world.ec2.securityGroup("second", Map.of("for", "pods"));
    world.pass(12);
    assertThat(world.interfaces("node1").get(1).securityGroups()).containsExactly(first);
    world = new EniWorld(Samples.with("reconcileGroups", true));
    String given = world.ec2.securityGroup("given", Map.of("for", "pods"));
    node = grouped();
    grow(node);
    world.ec2.mark(given, Map.of("for", "nobody"));
    long before = changes();
    world.pass(12);
    assertThat(world.interfaces("node1").get(1).securityGroups()).containsExactly(given);
    assertThat(changes()).isEqualTo(before);
  }

  @DisplayName(
      "retire-untagged-subnets: no more for ours in a subnet without its tag; surplus first")
  @ParameterizedTest(name = "{0}")
  @ValueSource(booleans = {true, false})
  void retired(boolean retiring) {
    EniSettings settings = Samples.with("retireSubnets", retiring);
    world = new EniWorld(Copies.with(settings, "subnetTags", Map.of("tier", "pods")));
    String old = world.ec2.subnet("10.0.1.0/24");
    world.ec2.mark(old, Map.of("tier", "pods"));
    NodeOperations node = world.node("node1");
    grow(node);
    AwsNetworkInterface made = world.interfaces("node1").get(1);
    assertThat(made.subnet().text()).isEqualTo(old);
    assertThat(world.allocate(node, 9))
        .as("the instance's own is filled")
        .isInstanceOf(AllocationOutcome.Allocated.class);
    world.ec2.mark(old, Map.of("tier", "none"));
    String fresh = world.ec2.subnet("10.0.2.0/24");
    world.ec2.mark(fresh, Map.of("tier", "pods"));
    world.pass(2);
    AllocationAction next = node.prepareIpAllocation();
    assertThat(next.onInterface()).isEqualTo(retiring ? Optional.empty() : Optional.of(made.id()));
    assertThat(next.emptyInterfaceSlots()).isEqualTo(1);
    ReleaseAction surplus = node.prepareIpRelease(3, AddressSet.of());
    assertThat(surplus.onInterface()).contains(made.id());
    ReleaseAction all = node.prepareIpRelease(9, AddressSet.of());
    assertThat(all.onInterface().equals(Optional.of(made.id()))).isEqualTo(retiring);
  }

  @DisplayName("copy-conntrack: a new interface remembers as long as the instance's own, as named")
  @ParameterizedTest(name = "{0}")
  @ValueSource(booleans = {true, false})
  void tracking(boolean copied) {
    world = new EniWorld(Samples.with("copyTracking", copied));
    world.launchForgetting("node1", "m5.large", world.home(), 350);
    NodeOperations node = world.node("node1");
    grow(node);
    ConnectionTracking own =
        new ConnectionTracking(OptionalInt.of(350), OptionalInt.empty(), OptionalInt.empty());
    assertThat(world.interfaces("node1").get(0).tracking()).isEqualTo(own);
    assertThat(world.interfaces("node1").get(1).tracking())
        .isEqualTo(copied ? own : ConnectionTracking.DEFAULT);
  }

  @Test
  @DisplayName("copy-conntrack: an instance that names nothing leaves EC2's defaults")
  void trackingByDefault() {
    world = new EniWorld(Samples.with("copyTracking", true));
    grow(world.node("node1"));
    assertThat(world.interfaces("node1").get(1).tracking()).isEqualTo(ConnectionTracking.DEFAULT);
  }
}
