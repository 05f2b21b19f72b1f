package io.tidemark.agent.multipool;

/** Why a block that is offered cannot be taken up. */
public enum Rejection {
  /** It is written as IPv4-mapped IPv6 block. */
  IPV4_MAPPED,
  /** Another block of the pool has some of its addresses. */
  OVERLAPS,
  /** The pool would have more than 16,777,216 addresses. */
  TOO_LARGE,
  /** The agent does not serve its family. */
  FAMILY_DISABLED
}
