package io.tidemark.operator.report;

import io.tidemark.cluster.Backend;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The state of an operator, with totals of its nodes.
 *
 * @param provider the cloud, or the mode without one
 * @param unhealthy why it makes no progress; empty if it does
 * @param unready why it does not do its work; empty if it does
 * @param leading alone, leader or standby
 * @param lease name of the lease of its mode; empty where the objects are in no cluster or are only
 *     read
 * @param nodes number of nodes
 * @param states number of nodes by state
 * @param blocked number of nodes by code of the reason
 */
public record StatusSummary(
    String provider,
    List<String> unhealthy,
    List<String> unready,
    String leading,
    Optional<String> lease,
    int nodes,
    SortedMap<String, Integer> states,
    SortedMap<String, Integer> blocked) {
  /** Its current state. */
  public static StatusSummary of(
      String provider,
      List<String> unhealthy,
      List<String> unready,
      Backend.Leading leading,
      Optional<String> lease,
      List<NodeRow> nodes) {
    SortedMap<String, Integer> states = new TreeMap<>();
    SortedMap<String, Integer> blocked = new TreeMap<>();
    for (NodeRow node : nodes) {
      states.merge(node.state(), 1, Integer::sum);
      node.problem().ifPresent(why -> blocked.merge(why.code().label(), 1, Integer::sum));
    }
    return new StatusSummary(
        provider,
        unhealthy,
        unready,
        leading.name().toLowerCase(Locale.ROOT),
        lease,
        nodes.size(),
        states,
        blocked);
  }
}
