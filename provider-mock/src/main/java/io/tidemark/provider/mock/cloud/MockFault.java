package io.tidemark.provider.mock.cloud;

/**
 * A fault of one request.
 *
 * @param code the answer of {@link Kind#REFUSE}
 * @param atMost the most addresses or blocks that {@link Kind#PARTIAL} gives or takes
 */
public record MockFault(Kind kind, CloudErrorCode code, int atMost) {
  /** A request that works. */
  public static final MockFault NONE = of(Kind.NONE);

  /** The way in which a request goes wrong. */
  public enum Kind {
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

  public MockFault {
    if (atMost < 0) {
      throw new IllegalArgumentException("atMost is " + atMost + "; expected 0 or more");
    }
  }

  /** A fault without a parameter. */
  public static MockFault of(Kind kind) {
    return new MockFault(kind, CloudErrorCode.INTERNAL_ERROR, Integer.MAX_VALUE);
  }

  /** An error answer. */
  public static MockFault refuse(CloudErrorCode code) {
    return new MockFault(Kind.REFUSE, code, Integer.MAX_VALUE);
  }
}
