package io.tidemark.emulator.ec2.imds;

import io.tidemark.emulator.ec2.model.Ids;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/** The session tokens that are good for a while. Not thread-safe. */
final class ImdsTokens {
  static final int TTL_LEAST = 1;
  static final int TTL_MOST = 21_600;

  /** The oldest are forgotten when there are more. */
  private static final int KEPT_MAX = 10_000;

  private static final int LENGTH = 54;
  private static final String ALPHABET =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

  private final SplittableRandom random;
  private final Map<String, Instant> ends = new LinkedHashMap<>();

  ImdsTokens(SplittableRandom random) {
    this.random = random;
  }

  /** A new token that is good for so long from now on. */
  String issue(Duration ttl, Instant now) {
    String issued = Ids.text(random, ALPHABET, LENGTH) + "==";
    ends.put(issued, now.plus(ttl));
    if (ends.size() > KEPT_MAX) {
      ends.remove(ends.keySet().iterator().next());
    }
    return issued;
  }

  /** How long this token is still good; empty when it is not. */
  Optional<Duration> left(String token, Instant now) {
    return Optional.ofNullable(ends.get(token))
        .filter(now::isBefore)
        .map(end -> Duration.between(now, end));
  }
}
