package io.tidemark.resilience;

import java.util.random.RandomGenerator;

/** A generator that several threads may use; on one thread it draws what the given one draws. */
final class SharedRandom implements RandomGenerator {
  private final RandomGenerator random;

  SharedRandom(RandomGenerator random) {
    this.random = random;
  }

  @Override
  public synchronized long nextLong() {
    return random.nextLong();
  }
}
