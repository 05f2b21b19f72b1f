package io.tidemark.resilience;

/**
 * Which class gets the next token (performance E2.3), as a value. The more urgent class goes first,
 * with two exceptions, so that no class starves:
 *
 * <ul>
 *   <li>while somebody below the watermark waits, {@link Urgency#PODS_WAITING} gets at most every
 *       second token;
 *   <li>of the tokens of the class below the watermark, who was lifted into it by waiting gets
 *       every fourth: an endless supply of larger deficits would hold it off for ever otherwise.
 * </ul>
 *
 * @param podsWereLast whether the last token went to {@link Urgency#PODS_WAITING}
 * @param sinceLifted tokens that went below the watermark since one went to {@link Urgency#LIFTED}
 */
record FairnessPolicy(boolean podsWereLast, int sinceLifted) {
  /** Of the tokens of the class below the watermark, one in so many is for the lifted. */
  static final int LIFTED_SHARE = 4;

  static final FairnessPolicy FIRST = new FairnessPolicy(false, 0);

  /** The class to serve of those that wait; {@code waiting} is a set of {@link Urgency#bit}s. */
  Urgency next(int waiting) {
    if (arePods(waiting)) {
      return Urgency.PODS_WAITING;
    }
    if (has(waiting, Urgency.LIFTED) && sinceLifted >= LIFTED_SHARE - 1) {
      return Urgency.LIFTED;
    }
    return Urgency.first(waiting & ~Urgency.PODS_WAITING.bit());
  }

  /** Whether waiting pods are next. */
  boolean arePods(int waiting) {
    boolean others = has(waiting, Urgency.BELOW_WATERMARK) || has(waiting, Urgency.LIFTED);
    return has(waiting, Urgency.PODS_WAITING) && !(podsWereLast && others);
  }

  /** After {@code served} got a token. */
  FairnessPolicy after(Urgency served) {
    return switch (served) {
      case PODS_WAITING -> new FairnessPolicy(true, sinceLifted);
      case BELOW_WATERMARK -> new FairnessPolicy(false, Math.min(LIFTED_SHARE, sinceLifted + 1));
      case LIFTED -> new FairnessPolicy(false, 0);
      default -> new FairnessPolicy(false, sinceLifted);
    };
  }

  private static boolean has(int waiting, Urgency urgency) {
    return (waiting & urgency.bit()) != 0;
  }
}
