package io.tidemark.agent;

/**
 * The name of a pool of addresses.
 *
 * @param value empty only in {@link #NOT_GIVEN}
 */
public record PoolName(String value) {
  /** The caller names no pool. */
  public static final PoolName NOT_GIVEN = new PoolName("");

  /** Whether a pool is named. */
  public boolean isGiven() {
    return !value.isEmpty();
  }

  @Override
  public String toString() {
    return value;
  }
}
