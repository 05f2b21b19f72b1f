package io.tidemark.nodecidr;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.nodecidr.CidrAllocator.Result;
import io.tidemark.nodecidr.ledger.ClusterCidrs;
import io.tidemark.nodecidr.ledger.ClusterCidrs.FamilyRanges;
import io.tidemark.nodecidr.ledger.NodeOwner;
import io.tidemark.nodecidr.ledger.PodCidrsOutcome;
import io.tidemark.nodecidr.ledger.Settlement;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The example of the range allocator by the verbs of the controller manager")
class CidrAllocatorExampleTest {
  private final VirtualTime time = new VirtualTime(0);
  private final NodeOwner old = new NodeOwner("old", "uid-1");
  private final NodeOwner node = new NodeOwner("node", "uid-2");
  private final Api api = new Api();

  /** An API server whose first answer is lost. */
  private static final class Api {
    private final List<NodeOwner> nodes = new ArrayList<>();
    private final List<Cidr> written = new ArrayList<>();

    PodCidrsOutcome writePodCidrs(NodeOwner to, List<Cidr> blocks) {
      nodes.add(to);
      written.addAll(blocks);
      return written.size() == 1 ? PodCidrsOutcome.UNKNOWN : PodCidrsOutcome.ACCEPTED;
    }
  }

  @Test
  @DisplayName("gives a node a block, which is written again after a lost answer")
  void example() {
    FamilyRanges ranges = new FamilyRanges(IpFamily.IPV4, 24, List.of(Cidr.parse("10.10.0.0/16")));
    CidrAllocator allocator =
        CidrAllocator.rangeAllocator(
            new ClusterCidrs(List.of(ranges), List.of()), Duration.ofMinutes(5), time);
    // Nodes that have CIDRs first, then those without:
    Result existing = allocator.allocateOrOccupyCidr(old, List.of("10.10.0.0/24"));
    Result result = allocator.allocateOrOccupyCidr(node, List.of());
    if (result instanceof Result.Failed failed) {
      throw new IllegalStateException(failed.text());
    }
    if (result instanceof Result.Allocated allocated) {
      List<Cidr> blocks = allocated.reservation().blocks();
      PodCidrsOutcome written = api.writePodCidrs(node, blocks);
      Settlement settlement = allocator.settle(allocated.reservation(), written);
      if (settlement.next() == Settlement.Next.REPEAT) {
        settlement = allocator.settle(settlement.reservation(), api.writePodCidrs(node, blocks));
      }
    }
    // The node is deleted:
    allocator.releaseCidr(node);

    assertThat(existing).isInstanceOf(Result.Occupied.class);
    assertThat(api.nodes).containsOnly(node);
    assertThat(api.written).hasSize(2).containsOnly(Cidr.parse("10.10.1.0/24"));
  }
}
