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
  /**
   * Decides whether a request is repeated after a lost response. A request that was throttled, or
   * that failed without a change, is repeated whatever its effect.
   */
  public enum Effect {
    /** Changes nothing; repeated. Also sent without the lease and in a dry run. */
    READ,
    /**
     * Changes something, but the same request again changes nothing more, such as the removal of
     * named addresses; repeated.
     */
    REPEATABLE,
    /**
     * Changes something, and the cloud recognizes a repetition by a token in the request; repeated
     * with the same token. The token is {@link CloudCalls.Attempt#requestToken} or the provider's.
     */
    TOKENED,
    /**
     * The same request again can change more, such as "add three addresses", or fails because of
     * the first, such as a list with a revision; not repeated. The provider reads before its next
     * change.
     */
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
