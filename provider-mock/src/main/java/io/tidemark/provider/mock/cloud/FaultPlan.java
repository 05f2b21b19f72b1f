package io.tidemark.provider.mock.cloud;

import io.tidemark.provider.mock.cloud.CloudException.Code;
import java.time.Duration;

/** Decides the fault of each request; called once per request. Thread-safe; must not block. */
@FunctionalInterface
public interface FaultPlan {
  /** The fault of the next request; the subject as {@link MockCloud#request} has it. */
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
   * A fault: with the answer of {@link Kind#REFUSE}, or the most that {@link Kind#PARTIAL} does.
   */
  record Fault(Kind kind, Code code, int atMost) {
    /** A request that works. */
    public static final Fault NONE = of(Kind.NONE);

    /** A fault without a parameter. */
    public static Fault of(Kind kind) {
      return new Fault(kind, Code.INTERNAL_ERROR, Integer.MAX_VALUE);
    }

    /** An error answer. */
    public static Fault refuse(Code code) {
      return new Fault(Kind.REFUSE, code, Integer.MAX_VALUE);
    }
  }
}
