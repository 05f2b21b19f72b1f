package io.tidemark.emulator.kit.pace;

/**
 * Capacity and refill of one token bucket.
 *
 * @param capacity requests that may come at once after a quiet time, 1 or more
 * @param refillPerSecond tokens that come back each second, more than 0
 */
public record BucketSize(int capacity, double refillPerSecond) {
  public BucketSize {
    if (capacity < 1 || !(refillPerSecond > 0)) {
      throw new IllegalArgumentException(
          "bucket of " + capacity + " refilled by " + refillPerSecond + "/s; expected 1 or more");
    }
  }
}
