package io.tidemark.operator.report;

import io.tidemark.spi.Finding;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The pods that one node accepts, and the addresses that it can have for them.
 *
 * @param group its instance type and node pool; empty where they are not known
 * @param maxPods pods that its kubelet takes, those on the host's network included
 * @param addresses the most pods that it can supply with addresses
 * @param podsWithoutAddress pods that it takes and that never get an address
 * @param prefixes whether it uses blocks of addresses
 */
public record MaxPods(
    String group, long maxPods, long addresses, long podsWithoutAddress, boolean prefixes) {

  /** A finding for each group with nodes that accept too many, with the numbers of the worst. */
  public static List<Finding> findings(List<MaxPods> nodes) {
    Map<String, List<MaxPods>> groups =
        nodes.stream()
            .filter(each -> each.podsWithoutAddress > 0)
            .collect(Collectors.groupingBy(MaxPods::group, TreeMap::new, Collectors.toList()));
    return groups.values().stream().map(MaxPods::finding).toList();
  }

  private static Finding finding(List<MaxPods> nodes) {
    MaxPods worst =
        nodes.stream().max(Comparator.comparingLong(MaxPods::podsWithoutAddress)).orElseThrow();
    long most = nodes.stream().mapToLong(MaxPods::maxPods).max().orElseThrow();
    long room =
        nodes.stream().mapToLong(it -> it.maxPods - it.podsWithoutAddress).min().orElseThrow();
    String take = nodes.size() == 1 ? "1 node takes " : nodes.size() + " nodes take up to ";
    String have = worst.prefixes ? "" : "let the nodes use prefixes if their type has them, ";
    return Finding.of(
        "max-pods",
        worst.group.isEmpty() ? "nodes without labels of a group" : "nodes of " + worst.group,
        Finding.Verdict.WARNING,
        take
            + most
            + " pods and can have addresses for "
            + worst.addresses
            + ": up to "
            + worst.podsWithoutAddress
            + " pods a node would wait",
        "Set max-pods to at most " + room + ", " + have + "or use a larger instance type.");
  }
}
