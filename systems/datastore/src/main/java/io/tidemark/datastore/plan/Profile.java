package io.tidemark.datastore.plan;

/** Whose arithmetic a plan follows. */
public enum Profile {
  /** That of the AWS VPC CNI: what cools counts as available. */
  UPSTREAM,
  /** Ours: only what can be assigned now counts, and with constant pods nothing changes. */
  TIDEMARK
}
