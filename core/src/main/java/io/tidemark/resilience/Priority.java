package io.tidemark.resilience;

import java.util.Objects;

/**
 * How urgently a token is wanted (docs/architecture.md, "who gets the next token").
 *
 * @param rank the class
 * @param relativeDeficit inside a class the larger goes first: missing addresses divided by wanted
 *     ones, 0 to 1 and more when pods wait
 */
public record Priority(Rank rank, double relativeDeficit) {
  /** Classes in descending urgency. */
  public enum Rank {
    /** The node had addresses before, pods wait on it now and none is free. */
    PODS_WAITING,
    /** The node is below its watermark. */
    BELOW_WATERMARK,
    /** Flags, tags and the clean-up of half-done work. */
    REPAIR,
    /** Reading back what the cloud holds. */
    VERIFY,
    /** Giving surplus addresses back. */
    RELEASE,
    /** Account-wide scans and garbage collection. */
    SWEEP
  }

  public Priority {
    Objects.requireNonNull(rank, "rank");
  }

  /** A priority of {@code rank} without a deficit. */
  public static Priority of(Rank rank) {
    return new Priority(rank, 0);
  }
}
