package io.tidemark.emulator.ec2.pace;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The request and resource buckets of every account and region, one per action. Strangers, other
 * programs of the same account, take an even share of each bucket's refill and are never refused.
 * Not thread-safe.
 */
public final class RequestBuckets {
  private record Key(String account, String region, String action, String kind) {}

  private static final class Shared {
    private final TokenBucket bucket;
    private final double strangersPerSecond;
    private Instant strangersAt;

    Shared(BucketSize size, double share, Instant now) {
      this.bucket = new TokenBucket(size, now);
      this.strangersPerSecond = size.refillPerSecond() * share;
      this.strangersAt = now;
    }

    boolean take(int tokens, Instant now) {
      if (now.isAfter(strangersAt)) {
        Duration since = Duration.between(strangersAt, now);
        bucket.drain(strangersPerSecond * since.toNanos() / 1e9, now);
        strangersAt = now;
      }
      return bucket.take(tokens, now);
    }
  }

  private final Map<String, BucketSize> sizes;
  private final double strangersShare;
  private final Map<Key, Shared> buckets = new HashMap<>();

  /**
   * Buckets of the documented sizes, but for those of {@code sizes}.
   *
   * @param sizes by action, for accounts that were given others
   * @param strangersShare 0 to 1 of each refill that goes to other programs
   */
  public RequestBuckets(Map<String, BucketSize> sizes, double strangersShare) {
    if (!(strangersShare >= 0 && strangersShare <= 1)) {
      throw new IllegalArgumentException(
          "strangers' share is " + strangersShare + "; expected 0 to 1");
    }
    this.sizes = Map.copyOf(sizes);
    this.strangersShare = strangersShare;
  }

  /**
   * Takes the token of one request; false when it must be refused with RequestLimitExceeded.
   *
   * @param bounded false for a read that has neither filter, ids nor page size
   */
  public boolean takeRequest(
      String account, String region, String action, boolean bounded, Instant now) {
    boolean apart = !bounded && BucketSize.isSplit(action);
    Key key = new Key(account, region, action, apart ? "unbounded" : "requests");
    BucketSize size = sizes.getOrDefault(action, BucketSize.ofRequests(action, bounded));
    return bucket(key, size, now).take(1, now);
  }

  /** Takes the tokens of the instances that a request touches; false as for requests. */
  public boolean takeResources(
      String account, String region, String action, int resources, Instant now) {
    Optional<BucketSize> size = BucketSize.ofResources(action);
    return size.isEmpty()
        || bucket(new Key(account, region, action, "resources"), size.get(), now)
            .take(resources, now);
  }

  private Shared bucket(Key key, BucketSize size, Instant now) {
    return buckets.computeIfAbsent(key, k -> new Shared(size, strangersShare, now));
  }
}
