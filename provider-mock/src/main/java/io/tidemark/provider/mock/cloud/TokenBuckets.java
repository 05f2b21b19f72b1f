package io.tidemark.provider.mock.cloud;

import java.util.EnumMap;

/** The cloud's request limits: one bucket per operation. Not thread-safe. */
final class TokenBuckets {
  private final double scale;
  private final EnumMap<CloudOperation, Bucket> buckets = new EnumMap<>(CloudOperation.class);

  private static final class Bucket {
    private final double size;
    private final double refillPerSecond;
    private double tokens;
    private long refilledAtNanos;

    Bucket(double size, double refillPerSecond, long nowNanos) {
      this.size = size;
      this.refillPerSecond = refillPerSecond;
      this.tokens = size;
      this.refilledAtNanos = nowNanos;
    }

    void refill(long nowNanos) {
      double seconds = (nowNanos - refilledAtNanos) / 1e9;
      tokens = Math.min(size, tokens + seconds * refillPerSecond);
      refilledAtNanos = nowNanos;
    }
  }

  /** Full buckets of the documented size times {@code scale}; 0 for no limit. */
  TokenBuckets(double scale, long nowNanos) {
    this.scale = scale;
    for (CloudOperation operation : CloudOperation.values()) {
      double size = Math.max(1, operation.bucketSize() * scale);
      buckets.put(operation, new Bucket(size, operation.refillPerSecond() * scale, nowNanos));
    }
  }

  /** Takes a token; false when there is none. */
  boolean take(CloudOperation operation, long nowNanos) {
    Bucket bucket = buckets.get(operation);
    if (scale == 0 || bucket == null) {
      return true;
    }
    bucket.refill(nowNanos);
    if (bucket.tokens < 1) {
      return false;
    }
    bucket.tokens--;
    return true;
  }

  /** Somebody else of the account uses so many tokens. */
  void drain(CloudOperation operation, double amount, long nowNanos) {
    Bucket bucket = buckets.get(operation);
    if (bucket != null) {
      bucket.refill(nowNanos);
      bucket.tokens = Math.max(0, bucket.tokens - amount);
    }
  }
}
