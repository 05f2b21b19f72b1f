package io.tidemark.provider.mock.cloud;

import java.util.Objects;

/** A fault of one request. */
public sealed interface Fault {
  /** Nothing. */
  record None() implements Fault {}

  /** It is answered with an error; nothing changes. */
  record Refuse(CloudErrorCode code, String text) implements Fault {
    public Refuse {
      Objects.requireNonNull(code, "code");
      Objects.requireNonNull(text, "text");
    }
  }

  /** The connection breaks; {@code effectDone} says whether the request was served before. */
  record LoseAnswer(boolean effectDone) implements Fault {}

  /** No answer ever comes; {@code effectDone} says whether the request was served. */
  record Hang(boolean effectDone) implements Fault {}

  /** At most so many of the wanted addresses or blocks are given, or taken, as the case may be. */
  record Partial(int atMost) implements Fault {
    public Partial {
      if (atMost < 0) {
        throw new IllegalArgumentException("atMost is " + atMost + "; expected 0 or more");
      }
    }
  }

  /** Its instance is stopped just before the request is served. */
  record StopInstance() implements Fault {}

  /** Its instance is terminated just before the request is served. */
  record TerminateInstance() implements Fault {}

  /** A request that works. */
  static Fault none() {
    return new None();
  }
}
