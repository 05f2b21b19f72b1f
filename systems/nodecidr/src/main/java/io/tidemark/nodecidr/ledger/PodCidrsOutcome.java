package io.tidemark.nodecidr.ledger;

import java.util.List;

/**
 * The result of a request that writes the pod CIDRs of a node, with the node's uid as condition. A
 * node's CIDRs never change once it has some, so a repetition of the same request is safe.
 */
public sealed interface PodCidrsOutcome {
  /** The node has exactly these CIDRs, by this request or by an earlier one. */
  record Accepted() implements PodCidrsOutcome {}

  /** There is no such node, or one with another uid under its name. */
  record Gone() implements PodCidrsOutcome {}

  /**
   * The node has other CIDRs, so this request and every earlier one of ours had no effect.
   *
   * @param podCidrs as the node holds them
   */
  record Occupied(List<String> podCidrs) implements PodCidrsOutcome {
    public Occupied {
      podCidrs = List.copyOf(podCidrs);
    }
  }

  /**
   * The request had no effect and will have none; an earlier one of unknown result may have.
   *
   * @param detail why, without a full stop
   */
  record Refused(String detail) implements PodCidrsOutcome {}

  /** The request had no effect: the server asked to wait. */
  record AskedToWait() implements PodCidrsOutcome {}

  /**
   * No response, or an error of the server: the request may have had its effect, or have it later.
   *
   * @param detail what happened, without a full stop
   */
  record Unknown(String detail) implements PodCidrsOutcome {}
}
