package io.tidemark.provider.aws.eni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.node.config.EngineConfig;
import io.tidemark.provider.aws.ec2.Copies;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.NodeOperations;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("any-jdk")
@DisplayName("Interfaces and instances that are not ours alone (provider-aws 5.3, 9, 17.2)")
class OtherOwnersTest {
  private static final Map<String, String> TEAM = Map.of("team", "a");
  private static final Map<String, String> PODS = Map.of("pool", "pods");

  private EniWorld world = EniWorld.in("clusterId", "uid-1");

  private static Blocked blocked(NodeOperations node) {
    assertThat(node.inventory()).isInstanceOf(Inventory.Untouchable.class);
    Blocked reason = ((Inventory.Untouchable) node.inventory()).reason();
    assertThat(node.prepareIpAllocation().blocked()).contains(reason);
    return reason;
  }

  @DisplayName("Another owner of an interface is known by its tags; the node waits and says why")
  @ParameterizedTest(name = "{0}={1}: {2}")
  @CsvSource({
    "node.k8s.amazonaws.com/instance_id, i-1, aws-node",
    "tidemark.io/cluster, other, cluster 'other'",
    "tidemark.io/cluster-id, uid-2, a second cluster of the name 'test'",
    "io.cilium/cluster-name, other, cluster 'other'",
    "tidemark.io/cluster, test, ''",
    "tidemark.io/cluster-id, uid-1, ''",
    "io.cilium/cluster-name, test, ''",
    "io.cilium/cluster-name, default, ''",
    "anything, at all, ''"
  })
  void byTags(String key, String value, String owner) {
    world.launch("node1", "m5.large", world.home());
    Map<String, String> tags = new TreeMap<>(Map.of(key, value));
    tags.put(OwnerTags.REFERENCE_MANAGED, "true");
    world.attachOfOthers("node1", 1, tags);
    NodeOperations node = world.node("node1");
    if (owner.isEmpty()) {
      assertThat(node.inventory()).isInstanceOf(Inventory.Known.class);
      return;
    }
    assertThat(blocked(node).reason()).isEqualTo(BlockedReason.FOREIGN_INTERFACE);
    assertThat(blocked(node).detail()).contains("belongs to " + owner).contains(key);
  }

  @Test
  @DisplayName("Nothing is changed on such a node; it is served when the other has gone")
  void servedWhenAlone() {
    String instance = world.launch("node1", "m5.large", world.home());
    String theirs = world.ec2.parked(world.home(), "theirs", Map.of(OwnerTags.AWS_NODE, instance));
    String attachment = world.ec2.attach(theirs, instance, 1);
    world.running(EngineConfig.defaults(), world.spec(), EniWorld.EIGHT);
    world.run(Duration.ofMinutes(5));
    assertThat(world.requests).noneMatch(each -> !each.startsWith("Describe"));
    assertThat(world.report("node1").blocked().map(Blocked::reason))
        .contains(BlockedReason.FOREIGN_INTERFACE);
    world.ec2.detach(attachment);
    world.run(Duration.ofMinutes(5));
    assertThat(world.availableUsed("node1")).isEqualTo("8/0");
    assertThat(world.ec2.exists(theirs)).as("theirs is never collected").isTrue();
  }

  @Test
  @DisplayName("Interfaces that the node excludes may belong to whom they like")
  void excluded() {
    String instance = world.launch("node1", "m5.large", world.home());
    world.attachOfOthers("node1", 1, Map.of(OwnerTags.AWS_NODE, instance));
    NodeOperations node =
        world.node(
            "node1", world.spec().excludeTags(Map.of(OwnerTags.AWS_NODE, instance)).build(), false);
    assertThat(EniWorld.known(node).interfaces()).hasSize(1);
    assertThat(EniWorld.known(node).statistics().emptySlots()).isEqualTo(1);
  }

  @Test
  @DisplayName("Left-over interfaces of a second cluster with our name are not collected")
  void otherLeftOvers() {
    world.node("node1");
    String theirs = world.leftOver(Map.of(OwnerTags.CLUSTER_ID, "uid-2"));
    String ours = world.leftOver(Map.of(OwnerTags.CLUSTER_ID, "uid-1"));
    world.pass(12);
    assertThat(world.ec2.exists(theirs)).isTrue();
    assertThat(world.ec2.exists(ours)).isFalse();
  }

  @Test
  @DisplayName("eni-gc-tags choose instead of the owner's; copied tags alone do not suffice")
  void collectionTags() {
    world = EniWorld.in("collectionTags", TEAM);
    world.node("node1");
    String chosen = world.ec2.parked(world.home(), "Tidemark (i-0)", TEAM);
    String reference = world.ec2.parked(world.home(), "Cilium-CNI (i-0)", TEAM);
    String notChosen = world.leftOver(Map.of());
    String parked = world.ec2.parked(world.home(), "spare of the database", TEAM);
    String other = world.leftOver(Map.of("team", "a", OwnerTags.CLUSTER, "other"));
    world.pass(12);
    assertThat(List.of(chosen, reference)).noneMatch(world.ec2::exists);
    assertThat(List.of(notChosen, parked, other)).allMatch(world.ec2::exists);
  }

  @Test
  @DisplayName("AWS-53 with four a pass, as the reference's 25: 16, 12, and no faster")
  void fourAtATime() {
    world = EniWorld.in("collectionsMax", OptionalInt.of(4));
    world.node("node1");
    for (int i = 0; i < 8; i++) {
      world.ec2.parked(world.home(), "parked", Map.of());
      world.leftOver(Map.of());
    }
    world.resync();
    assertThat(world.ec2.unattached()).isEqualTo(16);
    world.run(Duration.ofMinutes(6));
    world.resync();
    world.run(Duration.ofSeconds(10));
    assertThat(world.ec2.unattached()).isEqualTo(12);
    String late = world.leftOver(Map.of());
    world.resync();
    world.run(Duration.ofSeconds(10));
    assertThat(world.ec2.unattached()).as("eight untagged and the new one").isEqualTo(9);
    world.ec2.attach(late, world.instance("node1"), 1);
    world.run(Duration.ofMinutes(10));
    world.resync();
    world.run(Duration.ofSeconds(10));
    assertThat(world.ec2.unattached()).isEqualTo(8);
    assertThat(world.ec2.exists(late)).isTrue();
  }

  @Test
  @DisplayName("AWS-77 instance-tags-filter that nothing matches: no instance, and the reason")
  void selectsNothing() {
    world = EniWorld.in("instanceTags", PODS);
    NodeOperations node = world.node("node1");
    assertThat(blocked(node).reason()).isEqualTo(BlockedReason.NOT_SELECTED);
    assertThat(blocked(node).detail()).contains("pool=pods");
    assertThat(node.inventory()).isNotInstanceOf(Inventory.Known.class);
  }

  @Test
  @DisplayName("instance-tags-filter serves what it selects, and follows changes of the tags")
  void selects() {
    world = EniWorld.in("instanceTags", PODS);
    world.ec2.mark(world.launch("node1", "m5.large", world.home()), PODS);
    NodeOperations first = world.node("node1");
    NodeOperations second = world.node("node2");
    assertThat(first.inventory()).isInstanceOf(Inventory.Known.class);
    assertThat(second.inventory()).isInstanceOf(Inventory.Untouchable.class);
    world.ec2.mark(world.instance("node2"), PODS);
    world.ec2.mark(world.instance("node1"), Map.of("pool", "none"));
    world.pass(1);
    assertThat(second.inventory()).isInstanceOf(Inventory.Known.class);
    assertThat(first.inventory()).isInstanceOf(Inventory.Untouchable.class);
  }

  @DisplayName("A value of the node's section that cannot be meant stops this node alone")
  @ParameterizedTest(name = "{2} {1}")
  @MethodSource
  void wrongSpec(String component, Object value, String field, String expected) {
    world.launch("node1", "m5.large", world.home());
    NodeOperations other = world.node("node2");
    NodeOperations node =
        world.node("node1", Copies.with(world.spec().build(), component, value), false);
    assertThat(blocked(node).reason()).isEqualTo(BlockedReason.INVALID_RESOURCE);
    assertThat(blocked(node).detail()).contains("spec.eni." + field).contains(expected);
    assertThat(other.inventory()).isInstanceOf(Inventory.Known.class);
    node.updatedNode(world.resource("node1"));
    assertThat(node.inventory()).isInstanceOf(Inventory.Known.class);
  }

  static Stream<Arguments> wrongSpec() {
    return Stream.of(
        Arguments.of(
            "firstInterfaceIndex", OptionalInt.of(-1), "first-interface-index", "0 or more"),
        Arguments.of("subnetIds", List.of("net-1"), "subnet-ids", "begins with subnet-"),
        Arguments.of("securityGroups", List.of("default"), "security-groups", "begins with sg-"),
        Arguments.of("nodeSubnetId", "a", "node-subnet-id", "begins with subnet-"),
        Arguments.of("vpcId", "mine", "vpc-id", "begins with vpc-"),
        Arguments.of(
            "securityGroups",
            List.of("sg-1", "sg-2", "sg-3", "sg-4", "sg-5", "sg-6"),
            "security-groups",
            "at most 5"));
  }

  @Test
  @DisplayName("A trunk takes its place and is left alone; with manage-trunk it serves pods")
  void trunk() {
    for (boolean managed : new boolean[] {false, true}) {
      world = EniWorld.in("trunks", managed);
      String instance = world.launch("node1", "m5.large", world.home());
      String trunk = world.ec2.attachOfType("trunk", world.home(), instance, 1);
      NodeOperations node = world.node("node1");
      assertThat(EniWorld.known(node).statistics().interfaces()).isEqualTo(2);
      assertThat(EniWorld.known(node).statistics().emptySlots()).isEqualTo(1);
      assertThat(EniWorld.known(node).interfaces()).hasSize(managed ? 2 : 1);
      assertThat(EniWorld.known(node).statistics().capacityIpv4()).isEqualTo(managed ? 27 : 18);
      Set<String> published =
          node.withProviderStatus(world.resource("node1"))
              .eniStatus()
              .orElseThrow()
              .enis()
              .keySet();
      assertThat(published.contains(trunk)).isEqualTo(managed);
    }
  }
}
