package io.tidemark.emulator.arm.gate;

import io.tidemark.emulator.arm.request.Refusal;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/** The access tokens that were given out. Not thread-safe. */
public final class Tokens {
  private static final int TOKENS_MAX = 10_000;

  private record Given(String principal, Instant until) {}

  private final SplittableRandom random;
  private final Map<String, Given> given = new HashMap<>();

  public Tokens(SplittableRandom random) {
    this.random = random;
  }

  /** A new token of this principal. */
  public String give(String principal, Duration life, Instant now) {
    given.values().removeIf(each -> !each.until().isAfter(now));
    Refusal.when(
        given.size() >= TOKENS_MAX,
        429,
        "TooManyRequests",
        "There are %s tokens in use.",
        TOKENS_MAX);
    String token =
        "arm-" + Long.toHexString(random.nextLong()) + Long.toHexString(random.nextLong());
    given.put(token, new Given(principal, now.plus(life)));
    return token;
  }

  /** Ends every token that was given out. */
  public void revoke() {
    given.clear();
  }

  /**
   * The principal of an Authorization header. A token {@code static-NAME} is NAME's, always.
   *
   * @throws Refusal when there is none that is valid
   */
  public String principal(Optional<String> authorization, Instant now) {
    String header =
        authorization.orElseThrow(
            () ->
                Refusal.of(
                    401,
                    "AuthenticationFailed",
                    "Authentication failed. The 'Authorization' header is missing."));
    String token = header.startsWith("Bearer ") ? header.substring("Bearer ".length()) : "";
    if (token.matches("static-[A-Za-z0-9-]{1,64}")) {
      return token.substring("static-".length());
    }
    Given found = given.get(token);
    if (found == null) {
      throw Refusal.of(401, "InvalidAuthenticationToken", "The access token is invalid.");
    }
    Refusal.when(
        !found.until().isAfter(now),
        401,
        "ExpiredAuthenticationToken",
        "The access token expired.");
    return found.principal();
  }
}
