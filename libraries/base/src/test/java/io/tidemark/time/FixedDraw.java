package io.tidemark.time;

import java.util.random.RandomGenerator;

/** Draws the same share of every range, so that both ends of a drawn interval can be checked. */
record FixedDraw(double share) implements RandomGenerator {
  @Override
  public long nextLong() {
    throw new UnsupportedOperationException("only doubles are drawn");
  }

  @Override
  public double nextDouble() {
    return share;
  }
}
