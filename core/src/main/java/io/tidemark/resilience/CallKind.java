package io.tidemark.resilience;

import java.util.Objects;

/**
 * One kind of request of one cloud API, which has a token bucket of its own in the cloud.
 *
 * @param name the cloud's name of it, such as {@code AssignPrivateIpAddresses}; bounded set, used
 *     as metric label and as the name of crash points
 * @param effect what repeating it would do
 */
public record CallKind(String name, Effect effect) {
  /** Decides what may be repeated after a lost answer. */
  public enum Effect {
    /** Changes nothing. */
    READ,
    /** Changes something, and doing it twice is the same as doing it once. */
    REPEATABLE,
    /** Carries a request token, by which the cloud recognises a repetition. */
    TOKENED,
    /** Must never be repeated before reading back what the first attempt did. */
    ONCE
  }

  public CallKind {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(effect, "effect");
  }

  @Override
  public String toString() {
    return name;
  }
}
