package io.tidemark.datastore.cloud;

/** How a request to the cloud ended. */
public sealed interface CloudAnswer<T> {
  /** As it was asked. */
  record Done<T>(T value) implements CloudAnswer<T> {}

  /**
   * Nothing has changed.
   *
   * @param text what the cloud says, for people
   */
  record Refused<T>(Reason reason, String text) implements CloudAnswer<T> {}

  /** It may have happened, or not: the answer was lost, or only a part succeeded. */
  record Unknown<T>(String text) implements CloudAnswer<T> {}

  /** Why the cloud refuses. */
  enum Reason {
    /** The subnet has no address or no block of addresses left. */
    SUBNET_FULL,
    /** The interface or the instance has as many as it can have. */
    LIMIT_REACHED,
    /** The cloud does not know what was named. */
    NOT_FOUND,
    /** The cloud serves no such request at present, for example because it limits their rate. */
    UNAVAILABLE,
    /** Anything else, such as a missing permission or too large a request. */
    OTHER
  }
}
