package io.tidemark.resilience;

/**
 * The urgency of a request for a token (docs/architecture.md, "who gets the next token").
 *
 * @param rank the class
 * @param relativeDeficit within a class the larger goes first: missing addresses divided by wanted
 *     ones, 0 to 1, and above 1 when pods wait
 */
public record Priority(Rank rank, double relativeDeficit) {
  /** Classes in descending urgency. */
  public enum Rank {
    /** The node had addresses before; now pods wait and none is free. */
    PODS_WAITING,
    /** The node is below its watermark. */
    BELOW_WATERMARK,
    /** Flags, tags and the compensation of partial work. */
    REPAIR,
    /** Reading back the state of the cloud. */
    VERIFY,
    /** Releasing surplus addresses. */
    RELEASE,
    /** Account-wide scans and garbage collection. */
    SWEEP
  }

  /** A priority of {@code rank} without a deficit. */
  public static Priority of(Rank rank) {
    return new Priority(rank, 0);
  }
}
