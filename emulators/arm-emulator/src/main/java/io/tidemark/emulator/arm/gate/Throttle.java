package io.tidemark.emulator.arm.gate;

import io.tidemark.emulator.arm.request.ArmError;
import io.tidemark.emulator.arm.request.ArmId;
import io.tidemark.emulator.arm.request.ArmReply;
import io.tidemark.emulator.arm.request.Operation;
import io.tidemark.emulator.arm.request.Refusal;
import io.tidemark.emulator.kit.pace.BucketSize;
import io.tidemark.emulator.kit.pace.TokenBucket;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Who may ask how often: first Resource Manager counts, by subscription and principal, then the
 * resource provider ("Understand how Azure Resource Manager throttles requests"; "Troubleshooting
 * API throttling errors", Azure Virtual Machines). A refusal tells in whole seconds when there is a
 * token; a request that comes before is refused and told the rest of that time. Not thread-safe.
 */
public final class Throttle {
  private static final BucketSize ARM_READS = new BucketSize(250, 25);
  private static final BucketSize ARM_WRITES = new BucketSize(200, 10);

  /** The network provider counts in windows. */
  private static final Duration NETWORK_WINDOW = Duration.ofMinutes(5);

  private static final int NETWORK_READS = 10_000;
  private static final int NETWORK_WRITES = 1_000;

  /** The allowance of a policy of the compute provider: of one machine, and of a subscription. */
  private record Policy(String name, Optional<BucketSize> machine, BucketSize subscription) {}

  private static final Policy GET_SET_VM = policy("GetVMScaleSetVM", 12, 2_000);
  private static final Policy PUT_SET_VM = policy("UpdateVMScaleSetVM", 4, 500);
  private static final Policy GET_VM = policy("GetVM", 12, 8_000);
  private static final Policy GET_OPERATION = policy("GetOperation", 15, 5_000);
  private static final Policy GET_SET = policy("GetVMScaleSet", 12, 800);
  private static final Policy LIST_SETS =
      new Policy("HighCostGetVMScaleSet", Optional.empty(), perMinute(360));
  private static final Policy VIEW_SET = policy(LIST_SETS.name, 10, 360);
  private static final Policy LIST_VMS =
      new Policy("HighCostGetVM", Optional.empty(), perMinute(300));

  private static Policy policy(String name, int machine, int subscription) {
    return new Policy(name, Optional.of(perMinute(machine)), perMinute(subscription));
  }

  /** A bucket holds three times what one minute brings. */
  private static BucketSize perMinute(int requests) {
    return new BucketSize(3 * requests, requests / 60.0);
  }

  private static final class Bucket {
    /**
     * The time that refilling may lose by rounding; a client that waited as it was told gets its
     * token.
     */
    private static final Duration ROUNDING = Duration.ofNanos(1_000);

    private final TokenBucket tokens;
    private final double refillPerSecond;
    private Instant closedUntil = Instant.MIN;

    Bucket(BucketSize size, Instant now) {
      this.tokens = new TokenBucket(size, now);
      this.refillPerSecond = size.refillPerSecond();
    }

    /** How long to wait when there is no token; zero when one was taken. */
    Duration take(Instant now) {
      if (!now.isBefore(closedUntil)) {
        Duration wait = tokens.untilToken(now);
        if (wait.compareTo(ROUNDING) <= 0) {
          tokens.drain(1, now);
          return Duration.ZERO;
        }
        closedUntil = now.plus(ArmReply.wholeSeconds(wait));
      }
      return Duration.between(now, closedUntil);
    }
  }

  private static final class Window {
    private Instant begin = Instant.MIN;
    private int count;

    Duration take(int most, Instant now) {
      if (begin.equals(Instant.MIN) || !now.isBefore(begin.plus(NETWORK_WINDOW))) {
        begin = now;
        count = 0;
      }
      return ++count <= most ? Duration.ZERO : Duration.between(now, begin.plus(NETWORK_WINDOW));
    }
  }

  private final boolean on;
  private final Map<String, Bucket> buckets = new HashMap<>();
  private final Map<String, Window> windows = new HashMap<>();

  /**
   * All buckets full.
   *
   * @param on false to refuse nobody
   */
  public Throttle(boolean on) {
    this.on = on;
  }

  /**
   * Counts a request.
   *
   * @param machine the machine that an operation which is asked for works on; its own path else
   * @param headers gets what the response tells of the buckets, a refusal's too
   * @throws Refusal when it came too early; it is not counted by those behind
   */
  public void take(
      Operation operation,
      ArmId path,
      ArmId machine,
      boolean write,
      String principal,
      Instant now,
      Map<String, String> headers) {
    if (!on) {
      return;
    }
    String subscription = path.subscription().toLowerCase(Locale.ROOT);
    String kind = write ? "writes" : "reads";
    Bucket arm =
        bucket(
            "arm " + kind + " " + subscription + " " + principal,
            write ? ARM_WRITES : ARM_READS,
            now);
    Duration wait = arm.take(now);
    headers.put(
        "x-ms-ratelimit-remaining-subscription-global-" + kind,
        Integer.toString(arm.tokens.tokens(now)));
    if (!wait.isZero()) {
      throw new Refusal(
          ArmError.of(
                  429,
                  "SubscriptionRequestsThrottled",
                  "Number of requests for subscription '%s' exceeded the limit."
                      + " Please try again after %s seconds.",
                  subscription,
                  ArmReply.wholeSeconds(wait).toSeconds())
              .after(wait));
    }
    ArmId one = path.name().equalsIgnoreCase("instanceView") ? path.owner() : path;
    switch (operation) {
      case SCALE_SET_VMS_GET, SCALE_SET_VMS_GET_INSTANCE_VIEW, SCALE_SET_VMS_LIST ->
          compute(GET_SET_VM, subscription, one, now, headers);
      case SCALE_SET_VMS_UPDATE -> compute(PUT_SET_VM, subscription, one, now, headers);
      case VIRTUAL_MACHINES_GET, VIRTUAL_MACHINES_INSTANCE_VIEW ->
          compute(GET_VM, subscription, one, now, headers);
      case VIRTUAL_MACHINES_LIST, VIRTUAL_MACHINES_LIST_ALL ->
          compute(LIST_VMS, subscription, one, now, headers);
      case SCALE_SETS_GET -> compute(GET_SET, subscription, one, now, headers);
      case SCALE_SETS_GET_INSTANCE_VIEW -> compute(VIEW_SET, subscription, one, now, headers);
      case SCALE_SETS_LIST, SCALE_SETS_LIST_ALL ->
          compute(LIST_SETS, subscription, one, now, headers);
      case OPERATIONS_GET, OPERATION_RESULTS_GET -> {
        if (path.isOf("Microsoft.Network")) {
          network(NETWORK_READS, kind, subscription, now);
        } else {
          compute(GET_OPERATION, subscription, machine, now, headers);
        }
      }
      case PERMISSIONS_LIST -> {}
      default -> network(write ? NETWORK_WRITES : NETWORK_READS, kind, subscription, now);
    }
  }

  /** Others of this principal use what so many seconds bring to the buckets of its requests. */
  public void neighboursTake(String principal, double seconds, Instant now) {
    buckets.forEach(
        (key, bucket) -> {
          if (key.startsWith("arm ") && key.endsWith(" " + principal)) {
            bucket.tokens.drain(seconds * bucket.refillPerSecond, now);
          }
        });
  }

  private void network(int most, String kind, String subscription, Instant now) {
    Duration wait =
        windows.computeIfAbsent(kind + " " + subscription, key -> new Window()).take(most, now);
    if (!wait.isZero()) {
      throw new Refusal(
          ArmError.of(
                  429,
                  "TooManyRequests",
                  "The request is being throttled: more than %s %s in 5 minutes.",
                  most,
                  kind)
              .after(wait));
    }
  }

  private void compute(
      Policy policy, String subscription, ArmId machine, Instant now, Map<String, String> headers) {
    Map<String, Bucket> all = new LinkedHashMap<>();
    policy.machine.ifPresent(
        size ->
            all.put(
                "Resource",
                bucket(policy.name + " " + machine.text().toLowerCase(Locale.ROOT), size, now)));
    all.put("Subscription", bucket(policy.name + " in " + subscription, policy.subscription, now));
    Duration wait = Duration.ZERO;
    for (Bucket each : all.values()) {
      wait = wait.isZero() ? each.take(now) : wait;
    }
    List<String> left = new ArrayList<>();
    all.forEach(
        (level, bucket) ->
            left.add("Microsoft.Compute/" + policy.name + level + ";" + bucket.tokens.tokens(now)));
    headers.put("x-ms-ratelimit-remaining-resource", String.join(",", left));
    if (!wait.isZero()) {
      throw new Refusal(
          ArmError.of(
                  429,
                  "OperationNotAllowed",
                  "The server rejected the request because too many requests have been received.")
              .because("TooManyRequests", "The policy %s was exceeded.", policy.name)
              .after(wait));
    }
    if (!policy.name.equals(GET_OPERATION.name)) {
      headers.put("x-ms-request-charge", "1");
    }
  }

  private Bucket bucket(String key, BucketSize size, Instant now) {
    return buckets.computeIfAbsent(key, k -> new Bucket(size, now));
  }
}
