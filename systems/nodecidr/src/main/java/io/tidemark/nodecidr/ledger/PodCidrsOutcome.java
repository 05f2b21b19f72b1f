package io.tidemark.nodecidr.ledger;

/**
 * The result of a request that writes the pod CIDRs of a node, with the node's uid as condition. A
 * node's CIDRs never change once it has some, so a repetition of the same request is safe. That the
 * node has others is told by {@link CidrLedger#occupied}, in an embedding program by {@link
 * io.tidemark.nodecidr.CidrAllocator#occupied}.
 */
public enum PodCidrsOutcome {
  /** The node has exactly these CIDRs, by this request or by an earlier one. */
  ACCEPTED,
  /** There is no such node, or one with another uid under its name. */
  GONE,
  /** The request had no effect and will have none; an earlier one of unknown result may have. */
  REFUSED,
  /** The request had no effect: the server asked to wait. */
  ASKED_TO_WAIT,
  /** No response, or an error of the server: the request may have its effect, also later. */
  UNKNOWN
}
