package io.tidemark.agent;

import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Where an {@link Allocator} begins to look for the next free position. Mutable and not
 * thread-safe, as its allocator.
 */
public final class SearchStart {
  private final @Nullable RandomGenerator random;
  private long next;

  private SearchStart(long next, @Nullable RandomGenerator random) {
    this.next = next;
    this.random = random;
  }

  /**
   * Behind the position that was handed out last: each is handed out after all the others, the
   * longest time before one is used again that is possible without noting any time.
   *
   * @param seed where handing out begins; the same seed gives the same positions
   */
  public static SearchStart nextFit(long seed) {
    return new SearchStart(seed, null);
  }

  /** Anywhere, drawn anew each time; for a simulation that is to see many orders. */
  public static SearchStart seededRandom(RandomGenerator random) {
    return new SearchStart(0, random);
  }

  /** The position to begin at, of {@code capacity} ones, which are at least one. */
  public int next(int capacity) {
    if (random != null) {
      return random.nextInt(capacity);
    }
    return (int) (next >= 0 && next < capacity ? next : Math.floorMod(next, (long) capacity));
  }

  /** A position was handed out. */
  public void handedOut(int position) {
    next = position + 1L;
  }
}
