package io.tidemark.emulator.ec2.pace;

import io.tidemark.emulator.kit.pace.BucketSize;
import io.tidemark.emulator.kit.pace.TokenBucket;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The request and resource buckets of every account and region, one per action. Noisy neighbours,
 * other programs of the same account, use a constant share of each bucket's refill and are never
 * throttled. Not thread-safe.
 */
public final class RequestBuckets {
  private record Key(String account, String region, String action, String kind) {}

  private static final class Shared {
    private final TokenBucket bucket;
    private final double refillPerSecond;
    private Instant neighboursAt;

    Shared(BucketSize size, Instant now) {
      this.bucket = new TokenBucket(size, now);
      this.refillPerSecond = size.refillPerSecond();
      this.neighboursAt = now;
    }

    boolean take(int tokens, double share, Instant now) {
      pass(share, now);
      return bucket.take(tokens, now);
    }

    /** Noisy neighbours have used this share until now. */
    void pass(double share, Instant now) {
      if (now.isAfter(neighboursAt)) {
        Duration since = Duration.between(neighboursAt, now);
        bucket.drain(refillPerSecond * share * since.toNanos() / 1e9, now);
        neighboursAt = now;
      }
    }
  }

  private final Map<String, BucketSize> sizes;
  private double neighboursShare;
  private final Map<Key, Shared> buckets = new HashMap<>();

  /**
   * Buckets of the documented sizes, except those in {@code sizes}.
   *
   * @param sizes by action, for accounts with other limits
   * @param neighboursShare 0 to 1 of each refill that goes to other programs
   */
  public RequestBuckets(Map<String, BucketSize> sizes, double neighboursShare) {
    this.sizes = Map.copyOf(sizes);
    this.neighboursShare = checked(neighboursShare);
  }

  public double neighboursShare() {
    return neighboursShare;
  }

  /**
   * Sets the share of noisy neighbours from now on.
   *
   * @throws IllegalArgumentException unless it is 0 to 1
   */
  public void useNeighbours(double share, Instant now) {
    double next = checked(share);
    buckets.values().forEach(bucket -> bucket.pass(neighboursShare, now));
    neighboursShare = next;
  }

  /** Noisy neighbours take at once what the action's bucket refills in {@code seconds}. */
  public void neighboursTake(
      String account, String region, String action, double seconds, Instant now) {
    BucketSize size = sizes.getOrDefault(action, DocumentedBuckets.ofRequests(action, true));
    bucket(new Key(account, region, action, "requests"), size, now)
        .bucket
        .drain(seconds * size.refillPerSecond(), now);
  }

  private static double checked(double share) {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException(
          "the share of noisy neighbours is " + share + "; expected 0 to 1");
    }
    return share;
  }

  /**
   * Takes the token of one request; false when it must be refused with RequestLimitExceeded.
   *
   * @param bounded false for a read that has neither filter, ids nor page size
   */
  public boolean takeRequest(
      String account, String region, String action, boolean bounded, Instant now) {
    boolean apart = !bounded && DocumentedBuckets.isSplit(action);
    Key key = new Key(account, region, action, apart ? "unbounded" : "requests");
    BucketSize size = sizes.getOrDefault(action, DocumentedBuckets.ofRequests(action, bounded));
    return bucket(key, size, now).take(1, neighboursShare, now);
  }

  /** Takes the tokens of the instances that a request touches; false as for requests. */
  public boolean takeResources(
      String account, String region, String action, int resources, Instant now) {
    Optional<BucketSize> size = DocumentedBuckets.ofResources(action);
    return size.isEmpty()
        || bucket(new Key(account, region, action, "resources"), size.get(), now)
            .take(resources, neighboursShare, now);
  }

  private Shared bucket(Key key, BucketSize size, Instant now) {
    return buckets.computeIfAbsent(key, k -> new Shared(size, now));
  }
}
