package io.tidemark.provider.aws.eni;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.provider.aws.ec2.Copies;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.NodeOperations;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("any-jdk")
@DisplayName("Interfaces and instances that are not ours alone (provider-aws 1.1, 5.3, 9, 17.2)")
class OtherOwnersTest {
  private final EniWorld world = EniWorld.in("clusterId", "uid-1");

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

  @DisplayName("Others keep what is theirs, and nodes say why they wait")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Nothing is changed on such a node; it is served when the other has gone \
            | launch; park theirs node.k8s.amazonaws.com/instance_id=@node1; attach theirs 1; \
              run 8/0/0/0; 5m; readsOnly; why FOREIGN_INTERFACE; detach theirs; 5m; is 8/0; \
              there theirs
          Interfaces that the node excludes may belong to whom they like \
            | launch; park theirs node.k8s.amazonaws.com/instance_id=@node1; attach theirs 1; \
              node excluding=node.k8s.amazonaws.com/instance_id=@node1; known 1; slots 1
          Left-over interfaces of a second cluster with our name are not collected \
            | with clusterId=uid-1; node; left theirs tidemark.io/cluster-id=uid-2; \
              left ours tidemark.io/cluster-id=uid-1; pass 12; there theirs; gone ours
          eni-gc-tags choose instead of the owner's; copied tags alone do not suffice \
            | with collectionTags=team=a; node; park chosen Tidemark_(i-0) team=a; \
              park reference Cilium-CNI_(i-0) team=a; left notChosen; \
              park spare spare_of_the_database team=a; \
              left other team=a,tidemark.io/cluster=other; pass 12; gone chosen reference; \
              there notChosen spare other
          AWS-53 with four a pass, as the reference's 25: 16, 12, and no faster \
            | with collectionsMax=4; node; 8x park theirs parked; 8x left ours; resync; \
              unattached 16; 6m; resync; 10s; unattached 12; left late; resync; 10s; unattached 9; \
              attach late 1; 10m; resync; 10s; unattached 8; there late
          AWS-77 instance-tags-filter that nothing matches: no instance, and the reason \
            | with instanceTags=pool=pods; node; inventory Untouchable; \
              untouchable NOT_SELECTED pool=pods
          instance-tags-filter serves what it selects, and follows changes of the tags \
            | with instanceTags=pool=pods; launch; mark @node1 pool=pods; node; node node2; \
              inventory Known; inventory Untouchable node2; mark @node2 pool=pods; \
              mark @node1 pool=none; pass 1; inventory Known node2; inventory Untouchable
          A trunk takes its place and is left alone \
            | launch; trunk 1; node; counted 2; slots 1; known 1; capacity 18; \
              published trunk false
          with manage-trunk it serves pods \
            | with trunks; launch; trunk 1; node; counted 2; slots 1; known 2; capacity 27; \
              published trunk true
          """)
  void story(String what, String story) {
    EniStory.run(new EniWorld(), what, story);
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

  @DisplayName("instance-tags-filter where EC2's answer is late or missing")
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          While EC2 does not tell the tags, reads fail and no instance is served \
            | deny DescribeInstances; join; resync Failed; sync Failed; inventory !Known; permit; \
              resync Synced; sync Synced; inventory Known
          What was selected stays served while EC2 does not tell the tags \
            | join; resync Synced; sync Synced; deny DescribeInstances; 2m; resync Failed; \
              sync Synced; inventory Known
          A late list does not hide that an instance was selected since it was made \
            | join node2; sync Synced node2; inventory Untouchable node2; lateList 2; \
              mark @node2 pool=pods; 1s; sync Synced node2; inventory Known node2; stillLate; \
              listEnds Synced; inventory Known node2
          A listing teaches nothing about instances that are not selected \
            | join; resync Synced; join node2; inventory !Known node2; sync Synced node2; \
              inventory Untouchable node2
          """)
  void selected(String what, String story) {
    String selected = "with instanceTags=pool=pods; launch; mark @node1 pool=pods; launch node2; ";
    EniStory.run(new EniWorld(), what, selected + story);
  }
}
