package io.tidemark.provider.mock.cloud;

import java.time.Duration;

/** Decides the fault of each request; called once per request. Thread-safe; must not block. */
@FunctionalInterface
public interface FaultPlan {
  /**
   * The fault of the next request.
   *
   * @param subject the instance concerned if known, else the interface or subnet; empty for
   *     listings
   */
  Fault faultOf(CloudOperation operation, String subject);

  /** How far the next read lies behind, from zero to {@link CloudSettings#stalenessMax()}. */
  default Duration lag() {
    return Duration.ZERO;
  }

  /** The way in which a request goes wrong. */
  enum Kind {
    NONE,
    /** It is answered with an error; nothing changes. */
    REFUSE,
    /** The connection breaks before the request is served. */
    LOST_REQUEST,
    /** The connection breaks after the request was served. */
    LOST,
    /** No answer ever comes; the request was not served. */
    HANG,
    /** No answer ever comes; the request was served. */
    HANG_DONE,
    /** Fewer addresses or blocks than wanted are given, or taken, as the case may be. */
    PARTIAL,
    /** The instance is stopped just before the request is served. */
    STOPPED,
    /** The instance is terminated just before the request is served. */
    TERMINATED
  }

  /**
   * A fault of one request.
   *
   * @param code the answer of {@link Kind#REFUSE}
   * @param atMost the most addresses or blocks that {@link Kind#PARTIAL} gives or takes
   */
  record Fault(Kind kind, CloudErrorCode code, int atMost) {
    /** A request that works. */
    public static final Fault NONE = of(Kind.NONE);

    /** A fault without a parameter. */
    public static Fault of(Kind kind) {
      return new Fault(kind, CloudErrorCode.INTERNAL_ERROR, Integer.MAX_VALUE);
    }

    /** An error answer. */
    public static Fault refuse(CloudErrorCode code) {
      return new Fault(Kind.REFUSE, code, Integer.MAX_VALUE);
    }
  }
}
