package io.tidemark.nodeid.controller;

import io.tidemark.nodeid.claim.IdLedger.IdCounts;
import java.util.List;
import java.util.Map;

/**
 * The state of all nodes and ids at one moment.
 *
 * @param nodes by name
 * @param oddClaims claims that stand for no id, or name no node: what is wrong with each, by name
 */
public record NodeIdStatus(List<IdNodeReport> nodes, IdCounts ids, Map<String, String> oddClaims) {
  public int count(IdNodeReport.State state) {
    return (int) nodes.stream().filter(each -> each.state() == state).count();
  }
}
