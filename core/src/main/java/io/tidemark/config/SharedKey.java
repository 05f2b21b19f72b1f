package io.tidemark.config;

import java.time.Duration;

/**
 * Settings of several owners. What the engine reads, it lists with its own settings; {@link
 * #CONSISTENCY_HORIZON} is listed by each provider that reads it.
 */
public final class SharedKey {
  private static final Options ALL = new Options();

  /** Which behaviour applies where Tidemark differs from the reference (D-21). */
  public enum Profile {
    /** Ours. */
    TIDEMARK,
    /** The reference's, without its bugs. */
    REFERENCE
  }

  public static final Option<Profile> IPAM_PROFILE =
      ALL.choice(
          "ipam-profile",
          Profile.TIDEMARK,
          "tidemark, or reference for the formulas, order and pauses of the operator it replaces");
  public static final Option<Integer> PARALLEL_ALLOC_WORKERS =
      ALL.integer(
          "parallel-alloc-workers",
          50,
          -1000,
          1000,
          "concurrent requests to the cloud, up to 1000; below 1 counts as 1");
  public static final Option<Duration> OVERLAY_EXPIRY =
      ALL.duration(
          "overlay-expiry",
          "2m",
          "0",
          "1h",
          "how long own writes take precedence over reads of the cloud that contradict them, {}");
  public static final Option<Integer> SYNC_ATTEMPTS =
      ALL.integer(
          "sync-attempts",
          2,
          1,
          10,
          "attempts to write a resource that others change at the same time, {}");
  public static final Option<Boolean> RELEASE_EXCESS_IPS =
      ALL.flag(
          "release-excess-ips",
          false,
          "release addresses above the watermarks",
          "aws-release-excess-ips");
  public static final Option<Boolean> ALLOCATE_NODE_CIDRS =
      ALL.flag(
          "allocate-node-cidrs", false, "assign CIDRs to Node objects; no other program may do so");

  public static final Option<Duration> CONSISTENCY_HORIZON =
      ALL.duration(
          "consistency-horizon",
          "60s",
          "1s",
          "10m",
          "how far the cloud's responses may lag behind, {}");

  private SharedKey() {}

  /** Concurrent requests to the cloud, 1 or more. */
  public static int workers(ConfigReader reader) {
    return Math.max(1, PARALLEL_ALLOC_WORKERS.read(reader));
  }
}
