package io.tidemark.node;

import io.tidemark.node.NodeStatistics.PodCapacity;
import io.tidemark.spi.Blocked;
import java.util.Comparator;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One row of a report: the state of a node, as an immutable snapshot.
 *
 * @param available attached and usable addresses, used ones included
 * @param used addresses that pods hold
 * @param needed missing addresses, 0 or more
 * @param excess surplus addresses, 0 or more
 * @param inHandshake spare addresses that the agent is asked to give back, or has promised not to
 *     use
 * @param interfaces attached interfaces
 * @param podCapacity the most pods that the node can supply with addresses, 0 while nothing is
 *     known of it
 * @param maxPods pods that its kubelet takes, those on the host's network included; empty when not
 *     known
 * @param group its instance type and node pool by its labels; empty where they are not known
 * @param prefixes whether it uses blocks of addresses
 * @param blocked why it cannot go on, or waits
 * @param settled nothing is queued, running, unwritten or due; the next step is not the engine's
 */
public record NodeReport(
    String name,
    int available,
    int used,
    int needed,
    int excess,
    int inHandshake,
    int interfaces,
    int podCapacity,
    OptionalInt maxPods,
    String group,
    boolean prefixes,
    NodeState state,
    Optional<Blocked> blocked,
    boolean settled) {
  /** By deficit, else by the negated surplus if it is released: 5, 3, 0, -9, -2. */
  static final Comparator<Integer> BY_NEEDED_ADDRESSES =
      (left, right) -> {
        boolean surplusOnBothSides = left < 0 && right < 0;
        return surplusOnBothSides ? Integer.compare(left, right) : Integer.compare(right, left);
      };

  static NodeReport of(
      String name,
      String group,
      boolean prefixes,
      NodeStatus status,
      Optional<Blocked> reason,
      boolean settled) {
    NodeStatistics statistics = status.statistics();
    return new NodeReport(
        name,
        statistics.available(),
        statistics.used(),
        statistics.needed(),
        statistics.excess(),
        status.inHandshake(),
        statistics.interfaces(),
        status.pods().addresses(),
        status.pods().maxPods(),
        group,
        prefixes,
        status.state(),
        reason,
        settled);
  }

  NodeReport with(NodeState other, Optional<Blocked> why) {
    return new NodeReport(
        name,
        available,
        used,
        needed,
        excess,
        inHandshake,
        interfaces,
        podCapacity,
        maxPods,
        group,
        prefixes,
        other,
        why,
        settled);
  }

  /** Pods that its kubelet takes and that could never get an address; 0 when there are none. */
  public int podsWithoutAddress() {
    return new PodCapacity(podCapacity, maxPods).promisedInVain();
  }

  /** The order of attendance: largest deficit first, balanced nodes, then surplus (5.5, F-1). */
  static Comparator<NodeReport> byNeed(boolean release) {
    return Comparator.comparing(report -> report.neededAddresses(release), BY_NEEDED_ADDRESSES);
  }

  /** Missing addresses; surplus as a negative count if it is released. */
  int neededAddresses(boolean release) {
    if (needed > 0) {
      return needed;
    }
    return release && excess > 0 ? -excess : 0;
  }
}
