package io.tidemark.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The promises of a store of nodes that take annotations, besides those of every store. */
public abstract class AnnotatedNodesContract extends ClusterNodeStoreContract {
  private static Map<String, String> nodeId(String id) {
    return Map.of("tidemark.io/node-id", id, "tidemark.io/node-id-plan", "{\"id\":" + id + "}");
  }

  @Test
  @DisplayName("a node is annotated, and a second time with others in their place")
  void annotates() {
    World world = world();
    ClusterNode made = world.create("n1");
    assertThat(made.annotations()).isEmpty();
    ClusterNode first = accepted(world.store().annotate(made, nodeId("5")));
    assertThat(first.annotations()).isEqualTo(nodeId("5"));
    assertThat(first.version()).isNotEqualTo(made.version());
    ClusterNode second =
        accepted(world.store().annotate(first, Map.of("tidemark.io/node-id", "6")));
    assertThat(second.annotations())
        .containsEntry("tidemark.io/node-id", "6")
        .containsEntry("tidemark.io/node-id-plan", "{\"id\":5}");
    assertThat(read(world, "n1").annotations()).isEqualTo(second.annotations());
    assertThat(world.store().latest("n1").map(ClusterNode::annotations))
        .contains(second.annotations());
  }

  @Test
  @DisplayName("a node that changed since it was seen is not annotated")
  void annotatesOneVersion() {
    World world = world();
    ClusterNode made = world.create("n1");
    world.assign("n1", "10.244.3.0/24");
    world.eventually(
        "the change is known", () -> !read(world, "n1").version().equals(made.version()));
    assertThat(world.store().annotate(made, nodeId("5")))
        .isInstanceOf(NodeChange.AskedToWait.class);
    assertThat(read(world, "n1").annotations()).isEmpty();
    assertThat(accepted(world.store().annotate(read(world, "n1"), nodeId("5"))).annotations())
        .isEqualTo(nodeId("5"));
  }

  @Test
  @DisplayName("a node that is gone, and a later one of its name, is not annotated")
  void annotatesOneIncarnation() {
    World world = world();
    ClusterNode before = world.create("n1");
    world.delete("n1");
    assertThat(world.store().annotate(before, nodeId("5"))).isEqualTo(new NodeChange.Gone());
    world.create("n1");
    assertThat(world.store().annotate(before, nodeId("5")))
        .isNotInstanceOf(NodeChange.Accepted.class);
    assertThat(read(world, "n1").annotations()).isEmpty();
  }
}
