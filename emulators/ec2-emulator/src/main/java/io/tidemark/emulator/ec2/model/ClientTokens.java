package io.tidemark.emulator.ec2.model;

import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.emulator.ec2.protocol.Ec2Refusal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The client tokens that were used: the same token with the same request gets the same answer, with
 * another request {@code IdempotentParameterMismatch} (EC2 API, "Ensuring idempotency"). A token is
 * remembered for a day; only a request that succeeded is. Not thread-safe.
 */
final class ClientTokens {
  private static final Duration KEPT = Duration.ofDays(1);

  /** Documented for ClientToken: up to 64 ASCII characters. */
  private static final int LENGTH_MAX = 64;

  private record Key(String account, String action, String token) {}

  private record Used(String fingerprint, Answer answer) {}

  private record Aging(Key key, Instant until) {}

  private final Map<Key, Used> used = new HashMap<>();
  private final Deque<Aging> aging = new ArrayDeque<>();

  /** The answer that this request got before; empty when the token is new. */
  Optional<Answer> earlier(Caller caller, String action, String token, String fingerprint) {
    if (token.length() > LENGTH_MAX || !token.chars().allMatch(c -> c > ' ' && c < 0x7f)) {
      throw Ec2Refusal.of("InvalidClientToken", "The client token '" + token + "' is not valid");
    }
    @Nullable Used found = used.get(new Key(caller.account(), action, token));
    if (found == null) {
      return Optional.empty();
    }
    if (!found.fingerprint().equals(fingerprint)) {
      throw Ec2Refusal.of(
          "IdempotentParameterMismatch",
          "Arguments on this idempotent request are inconsistent with arguments used in previous"
              + " request(s).");
    }
    return Optional.of(found.answer());
  }

  void remember(
      Caller caller, String action, String token, String fingerprint, Answer answer, Instant now) {
    Key key = new Key(caller.account(), action, token);
    used.put(key, new Used(fingerprint, answer));
    aging.add(new Aging(key, now.plus(KEPT)));
  }

  void forgetOld(Instant now) {
    while (!aging.isEmpty() && aging.peek().until().isBefore(now)) {
      used.remove(aging.remove().key());
    }
  }
}
