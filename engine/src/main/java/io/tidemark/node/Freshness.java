package io.tidemark.node;

/**
 * Whether the cached inventory may be decided on (node-manager 13 D-2). After a lost or
 * contradictory answer only a read that began later counts. Immutable and pure.
 *
 * @param requiredGeneration a read must have started at this value of the provider's counter or
 *     later; {@link Long#MIN_VALUE} when nothing is required
 */
record Freshness(long requiredGeneration) {
  /** The cache may be trusted. */
  static final Freshness TRUSTED = new Freshness(Long.MIN_VALUE);

  /** The cache must be read anew, from {@code generation} on. */
  static Freshness requiring(long generation) {
    return new Freshness(generation);
  }

  /** Whether decisions must wait for a read. */
  boolean stale() {
    return requiredGeneration != Long.MIN_VALUE;
  }

  /** A read that began at {@code startedGeneration} arrived. */
  Freshness synced(long startedGeneration) {
    return startedGeneration >= requiredGeneration ? TRUSTED : this;
  }
}
