package io.tidemark.provider.aws.eni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.node.NodeManagerConfig;
import io.tidemark.resource.EniSpec;
import io.tidemark.resource.IpamSpec;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.NodeOperations;
import io.tidemark.testing.EniSpecSample;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("any-jdk")
@DisplayName("Interfaces and instances that are not ours alone (provider-aws 5.3, 9, 17.2)")
class OtherOwnersTest {
  private static final EniSettings.Scope NAMED =
      new EniSettings.Scope("uid-1", Map.of(), Map.of(), OptionalInt.empty(), false, false);

  private EniWorld world = EniWorld.in(NAMED);
  private String home = world.ec2.subnet("10.0.0.0/24");

  private void scope(EniSettings.Scope scope) {
    world = EniWorld.in(scope);
    home = world.ec2.subnet("10.0.0.0/24");
  }

  private NodeOperations node(UnaryOperator<EniSpecSample> spec) {
    return world.node("node1", spec.apply(world.spec("m5.large", home)).build(), false, false);
  }

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
    String instance = world.launch("node1", "m5.large", home);
    Map<String, String> tags = new TreeMap<>(Map.of(key, value));
    tags.put(OwnerTags.REFERENCE_MANAGED, "true");
    world.ec2.attach(world.ec2.parked(home, "theirs", tags), instance, 1);
    NodeOperations node = node(spec -> spec);
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
    String instance = world.launch("node1", "m5.large", home);
    String theirs = world.ec2.parked(home, "theirs", Map.of(OwnerTags.AWS_NODE, instance));
    String attachment = world.ec2.attach(theirs, instance, 1);
    world.start(NodeManagerConfig.defaults());
    world.create(
        world.resource("node1", world.spec("m5.large", home).build(), IpamSpec.of(8, 0, 0, 0)));
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
    String instance = world.launch("node1", "m5.large", home);
    world.ec2.attach(
        world.ec2.parked(home, "theirs", Map.of(OwnerTags.AWS_NODE, instance)), instance, 1);
    NodeOperations node = node(spec -> spec.excludeTags(Map.of(OwnerTags.AWS_NODE, instance)));
    assertThat(EniWorld.known(node).interfaces()).hasSize(1);
    assertThat(EniWorld.known(node).statistics().emptySlots()).isEqualTo(1);
  }

  @Test
  @DisplayName("Left-over interfaces of a second cluster with our name are not collected")
  void otherLeftOvers() {
    world.launch("node1", "m5.large", home);
    node(spec -> spec);
    String theirs =
        world.ec2.parked(
            home,
            "Tidemark (i-0)",
            Map.of(OwnerTags.CLUSTER, EniWorld.CLUSTER, OwnerTags.CLUSTER_ID, "uid-2"));
    String ours =
        world.ec2.parked(
            home,
            "Tidemark (i-0)",
            Map.of(OwnerTags.CLUSTER, EniWorld.CLUSTER, OwnerTags.CLUSTER_ID, "uid-1"));
    for (int minute = 0; minute < 12; minute++) {
      world.run(Duration.ofMinutes(1));
      world.resync();
    }
    assertThat(world.ec2.exists(theirs)).isTrue();
    assertThat(world.ec2.exists(ours)).isFalse();
  }

  @Test
  @DisplayName("eni-gc-tags choose instead of the owner's; copied tags alone do not suffice")
  void collectionTags() {
    scope(
        new EniSettings.Scope(
            "", Map.of(), Map.of("team", "a"), OptionalInt.empty(), false, false));
    world.launch("node1", "m5.large", home);
    node(spec -> spec);
    Map<String, String> owner = Map.of(OwnerTags.CLUSTER, EniWorld.CLUSTER);
    String chosen = world.ec2.parked(home, "Tidemark (i-0)", Map.of("team", "a"));
    String reference = world.ec2.parked(home, "Cilium-CNI (i-0)", Map.of("team", "a"));
    String notChosen = world.ec2.parked(home, "Tidemark (i-0)", owner);
    String parked = world.ec2.parked(home, "spare of the database", Map.of("team", "a"));
    String other =
        world.ec2.parked(home, "Tidemark (i-0)", Map.of("team", "a", OwnerTags.CLUSTER, "other"));
    for (int minute = 0; minute < 12; minute++) {
      world.run(Duration.ofMinutes(1));
      world.resync();
    }
    assertThat(List.of(chosen, reference)).noneMatch(world.ec2::exists);
    assertThat(List.of(notChosen, parked, other)).allMatch(world.ec2::exists);
  }

  @Test
  @DisplayName("AWS-53 with four a pass, as the reference's 25: 16, 12, and no faster")
  void fourAtATime() {
    scope(new EniSettings.Scope("", Map.of(), Map.of(), OptionalInt.of(4), false, false));
    world.launch("node1", "m5.large", home);
    node(spec -> spec);
    for (int i = 0; i < 8; i++) {
      world.ec2.parked(home, "parked", Map.of());
      world.ec2.parked(home, "Tidemark (i-0)", Map.of(OwnerTags.CLUSTER, EniWorld.CLUSTER));
    }
    world.resync();
    assertThat(world.ec2.unattached()).isEqualTo(16);
    world.run(Duration.ofMinutes(6));
    world.resync();
    world.run(Duration.ofSeconds(10));
    assertThat(world.ec2.unattached()).isEqualTo(12);
    String late =
        world.ec2.parked(home, "Tidemark (i-0)", Map.of(OwnerTags.CLUSTER, EniWorld.CLUSTER));
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

  private static final EniSettings.Scope SELECTING =
      new EniSettings.Scope(
          "", Map.of("pool", "pods"), Map.of(), OptionalInt.empty(), false, false);

  @Test
  @DisplayName("AWS-77 instance-tags-filter that nothing matches: no instance, and the reason")
  void selectsNothing() {
    scope(SELECTING);
    world.launch("node1", "m5.large", home);
    NodeOperations node = node(spec -> spec);
    assertThat(blocked(node).reason()).isEqualTo(BlockedReason.NOT_SELECTED);
    assertThat(blocked(node).detail()).contains("pool=pods");
    assertThat(node.inventory()).isNotInstanceOf(Inventory.Known.class);
  }

  @Test
  @DisplayName("instance-tags-filter serves what it selects, and follows changes of the tags")
  void selects() {
    scope(SELECTING);
    world.ec2.mark(world.launch("node1", "m5.large", home), Map.of("pool", "pods"));
    world.launch("node2", "m5.large", home);
    EniSpec spec = world.spec("m5.large", home).build();
    NodeOperations first = world.node("node1", spec, false, false);
    NodeOperations second = world.node("node2", spec, false, false);
    assertThat(first.inventory()).isInstanceOf(Inventory.Known.class);
    assertThat(second.inventory()).isInstanceOf(Inventory.Untouchable.class);
    world.ec2.mark(world.instance("node2"), Map.of("pool", "pods"));
    world.ec2.mark(world.instance("node1"), Map.of("pool", "none"));
    world.run(Duration.ofMinutes(1));
    world.resync();
    assertThat(second.inventory()).isInstanceOf(Inventory.Known.class);
    assertThat(first.inventory()).isInstanceOf(Inventory.Untouchable.class);
  }

  @DisplayName("A value of the node's section that cannot be meant stops this node alone")
  @ParameterizedTest(name = "{0} {1}")
  @CsvSource({
    "first-interface-index, -1, 0 or more",
    "subnet-ids, net-1, begins with subnet-",
    "security-groups, default, begins with sg-",
    "node-subnet-id, a, begins with subnet-",
    "vpc-id, mine, begins with vpc-",
    "groups, 6, at most 5"
  })
  void wrongSpec(String field, String value, String expected) {
    world.launch("node1", "m5.large", home);
    world.launch("node2", "m5.large", home);
    NodeOperations other = world.node("node2", world.spec("m5.large", home).build(), false, false);
    NodeOperations node = world.node("node1", wrong(field, value), false, false);
    assertThat(blocked(node).reason()).isEqualTo(BlockedReason.INVALID_RESOURCE);
    assertThat(blocked(node).detail())
        .contains("spec.eni." + (field.equals("groups") ? "security-groups" : field))
        .contains(expected);
    assertThat(other.inventory()).isInstanceOf(Inventory.Known.class);
    node.updatedNode(
        world.resource("node1", world.spec("m5.large", home).build(), IpamSpec.of(8, 0, 0, 0)));
    assertThat(node.inventory()).isInstanceOf(Inventory.Known.class);
  }

  private EniSpec wrong(String field, String value) {
    EniSpec good = world.spec("m5.large", home).build();
    return new EniSpec(
        good.instanceType(),
        OptionalInt.of(field.equals("first-interface-index") ? Integer.parseInt(value) : 0),
        field.equals("security-groups")
            ? List.of(value)
            : field.equals("groups")
                ? List.of("sg-1", "sg-2", "sg-3", "sg-4", "sg-5", "sg-6")
                : List.of(),
        Map.of(),
        field.equals("subnet-ids") ? List.of(value) : List.of(),
        Map.of(),
        field.equals("node-subnet-id") ? value : good.nodeSubnetId(),
        field.equals("vpc-id") ? value : good.vpcId(),
        good.availabilityZone(),
        Map.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  @Test
  @DisplayName("A trunk takes its place and is left alone; with manage-trunk it serves pods")
  void trunk() {
    for (boolean managed : new boolean[] {false, true}) {
      scope(new EniSettings.Scope("", Map.of(), Map.of(), OptionalInt.empty(), managed, false));
      String instance = world.launch("node1", "m5.large", home);
      String trunk = world.ec2.attachOfType("trunk", home, instance, 1);
      NodeOperations node = node(spec -> spec);
      assertThat(EniWorld.known(node).statistics().interfaces()).isEqualTo(2);
      assertThat(EniWorld.known(node).statistics().emptySlots()).isEqualTo(1);
      assertThat(EniWorld.known(node).interfaces()).hasSize(managed ? 2 : 1);
      assertThat(EniWorld.known(node).statistics().capacityIpv4()).isEqualTo(managed ? 27 : 18);
      Set<String> published =
          node.withProviderStatus(
                  world.resource(
                      "node1", world.spec("m5.large", home).build(), IpamSpec.of(8, 0, 0, 0)))
              .eniStatus()
              .orElseThrow()
              .enis()
              .keySet();
      assertThat(published.contains(trunk)).isEqualTo(managed);
    }
  }
}
