package io.tidemark.cluster;

import io.tidemark.ip.IpFamily;

/**
 * The pool that a pod's address is to come from, when who asks for the address names none
 * (allocators 8). Thread-safe; never blocks.
 */
@FunctionalInterface
public interface PoolMetadata {
  /** Nobody prefers a pool. */
  PoolMetadata NONE = (owner, family) -> new Answer.Default();

  /**
   * The pool for an address of {@code owner}.
   *
   * @param owner {@code namespace/name} of a pod, or another name, which prefers no pool
   */
  Answer poolOf(String owner, IpFamily family);

  /** Which pool it is, or why that is not known. */
  sealed interface Answer {
    /** The agent's default pool. */
    record Default() implements Answer {}

    /** The pool of that name, which is not empty. */
    record Named(String pool) implements Answer {}

    /** Not known now: nothing is allocated. {@code reason} completes "the pool is not known: ". */
    record Unknown(String reason) implements Answer {}
  }
}
