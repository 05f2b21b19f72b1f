package io.tidemark.resilience;

import java.util.Objects;

/**
 * One kind of request of a cloud API, with its own token bucket in the cloud.
 *
 * @param name the cloud's name of it, such as {@code AssignPrivateIpAddresses}; bounded set, used
 *     as metric label and as the name of crash points
 * @param effect the effect of a repetition
 */
public record CallKind(String name, Effect effect) {
  /** Decides whether a request can be repeated after a lost response. */
  public enum Effect {
    /** Changes nothing. */
    READ,
    /** Changes something; a repetition has no further effect. */
    REPEATABLE,
    /** Carries a request token, by which the cloud recognises a repetition. */
    TOKENED,
    /** Must not be repeated before a read shows the effect of the first attempt. */
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
