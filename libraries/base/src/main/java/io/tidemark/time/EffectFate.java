package io.tidemark.time;

import java.time.Duration;

/**
 * The fate of one simulated request. Travel longer than the request's timeout is allowed: the
 * caller gives up, and the effect happens late.
 *
 * @param requestNanos from sending to the instant at which the leaf runs, 0 or more
 * @param answerNanos from there to the instant at which the stage ends, 0 or more
 * @param loss what never arrives; the stage then ends by the timeout
 */
public record EffectFate(long requestNanos, long answerNanos, Loss loss) {
  /** The message that the network loses. */
  public enum Loss {
    /** Request and answer arrive. */
    NOTHING,
    /** The request never arrives, the leaf does not run; also for a far end that hangs. */
    REQUEST,
    /** The leaf runs; its response never arrives. */
    ANSWER
  }

  /** Arrives and is answered. */
  public static EffectFate answered(Duration request, Duration answer) {
    return new EffectFate(request.toNanos(), answer.toNanos(), Loss.NOTHING);
  }

  /** Never arrives. */
  public static EffectFate requestLost() {
    return new EffectFate(0, 0, Loss.REQUEST);
  }

  /** The effect happens after {@code request}; its response is lost. */
  public static EffectFate answerLost(Duration request) {
    return new EffectFate(request.toNanos(), 0, Loss.ANSWER);
  }
}
