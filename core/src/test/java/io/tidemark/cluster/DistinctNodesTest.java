package io.tidemark.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.cluster.ClusterNode.PodCidrs;
import io.tidemark.cluster.ClusterNodeStoreContract.Told;
import io.tidemark.ip.Cidr;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What a watcher of Kubernetes Nodes receives (node-cidr 17.3 AM21)")
class DistinctNodesTest {
  private static final ClusterNode N1 = ClusterNode.named("n1", "u-1");

  private final Told told = new Told();
  private final DistinctNodes nodes = new DistinctNodes(told);

  @Test
  @DisplayName("a version that means the same is left out, any other change is delivered")
  void heartbeats() {
    nodes.upserted(N1.withVersion("1"));
    nodes.upserted(N1.withVersion("2"));
    nodes.upserted(N1.withVersion("3").withNetworkUnavailable(true));
    nodes.upserted(N1.withVersion("4").withBeingDeleted());
    nodes.synced();
    assertThat(told.log())
        .containsExactly("upserted n1 []", "upserted n1 []", "upserted n1 []", "synced");
  }

  @Test
  @DisplayName("another uid is an end and a beginning, also when all else is equal")
  void incarnations() {
    nodes.upserted(N1);
    nodes.upserted(N1.withUid("u-2"));
    nodes.deleted("n1");
    nodes.deleted("n1");
    assertThat(told.log())
        .containsExactly("upserted n1 []", "deleted n1", "upserted n1 []", "deleted n1");
  }

  @Test
  @DisplayName(
      "a node that can be read again is delivered, and one that never could be is deleted as well")
  void refused() {
    ClusterNode assigned =
        N1.withPodCidrs(PodCidrs.of(List.of(Cidr.parse("10.0.0.0/24")), "someone"));
    nodes.upserted(assigned);
    nodes.refused("n1", List.of());
    nodes.upserted(assigned.withVersion("2"));
    nodes.refused("n2", List.of());
    nodes.deleted("n2");
    nodes.deleted("n3");
    assertThat(told.log())
        .containsExactly(
            "upserted n1 [10.0.0.0/24]",
            "refused n1",
            "upserted n1 [10.0.0.0/24]",
            "refused n2",
            "deleted n2");
  }
}
