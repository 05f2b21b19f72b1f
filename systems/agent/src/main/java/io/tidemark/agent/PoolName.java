package io.tidemark.agent;

/**
 * The name of a pool of addresses; names are ordered as texts.
 *
 * @param value empty only in {@link #NOT_GIVEN}
 */
public record PoolName(String value) implements Comparable<PoolName> {
  /** The caller names no pool. */
  public static final PoolName NOT_GIVEN = new PoolName("");

  /** Whether a pool is named. */
  public boolean isGiven() {
    return !value.isEmpty();
  }

  /** That of the text; each request looks its pool up. */
  @Override
  public int hashCode() {
    return value.hashCode();
  }

  @Override
  public int compareTo(PoolName other) {
    return value.compareTo(other.value);
  }

  @Override
  public String toString() {
    return value;
  }
}
