package io.tidemark.datastore.plan;

/**
 * The shortage and surplus of a network card. Counts are addresses, or prefixes where addresses are
 * assigned from prefixes.
 *
 * @param shortBy how many are missing
 * @param overBy how many can be given back
 * @param growth the next step when the card has too few
 * @param askRemoval whether it is worth looking for an interface that is not needed
 * @param pending what the card got and pods cannot use yet
 */
public record PoolPlan(
    int shortBy, int overBy, Growth growth, boolean askRemoval, Pending pending) {

  /** Whether the card has too few. */
  public boolean isLow() {
    return !(growth instanceof Growth.None);
  }

  /** The next step when a card has too few; an interface with room comes before a new one. */
  public sealed interface Growth {
    /** It has enough. */
    record None() implements Growth {}

    /** So many more on an interface that has room. */
    record OnEni(String eniId, int count) implements Growth {}

    /** A new interface with so many. */
    record NewEni(int count) implements Growth {}

    /** No interface is created before pods can use what the card got. */
    record Waits() implements Growth {}

    /** The card can have no more. */
    record Exhausted() implements Growth {}
  }
}
