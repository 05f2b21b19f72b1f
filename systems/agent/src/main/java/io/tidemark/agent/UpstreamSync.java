package io.tidemark.agent;

/** When an allocation is published in the node's object. */
public enum UpstreamSync {
  /** As soon as the pace of writes allows. */
  NOW,
  /** With the next change: for restoring, so that half of what is in use is never published. */
  DEFER
}
