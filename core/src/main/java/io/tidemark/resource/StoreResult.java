package io.tidemark.resource;

import java.util.function.Function;
import java.util.function.Supplier;

/** How one request to a {@link NodeResourceStore} ended. */
public sealed interface StoreResult {
  /** The stored object, with its new version. */
  record Stored(NodeResource resource) implements StoreResult {}

  /** The content was equal, so no request was made (NM-S3). */
  record Unchanged() implements StoreResult {}

  /** The object is newer than the version that was changed. Read it and apply the change again. */
  record Conflict() implements StoreResult {}

  /** There is no such object. */
  record NotFound() implements StoreResult {}

  /**
   * The backend refused the content by its schema or by a rule; nothing was changed. It would
   * refuse the same content again: a person has to correct the object or the rule.
   */
  record Refused(String detail) implements StoreResult {}

  /** The backend cannot be reached, failed, or did not take the request. */
  record Failed(String detail, Effect effect) implements StoreResult {
    /** Nothing is known of the effect. */
    public Failed(String detail) {
      this(detail, Effect.UNKNOWN);
    }
  }

  /** The effect of a failed write. */
  enum Effect {
    /** The write may have taken effect, or may do so later. */
    UNKNOWN,
    /**
     * Nothing changed: the backend takes no request of ours at present, or this process is not the
     * leader. The same request can be sent again after a pause.
     */
    ASKED_TO_WAIT,
    /** Nothing changed: a permission is missing, and the same will be refused again until then. */
    REFUSED
  }

  /** Calls the function of the case; those of refused and failed get the detail. */
  default <R> R match(
      Function<NodeResource, R> stored,
      Supplier<R> unchanged,
      Supplier<R> conflict,
      Supplier<R> notFound,
      Function<String, R> refused,
      Function<String, R> failed) {
    if (this instanceof Stored s) {
      return stored.apply(s.resource());
    }
    if (this instanceof Unchanged) {
      return unchanged.get();
    }
    if (this instanceof Conflict) {
      return conflict.get();
    }
    if (this instanceof NotFound) {
      return notFound.get();
    }
    if (this instanceof Refused r) {
      return refused.apply(r.detail());
    }
    return failed.apply(((Failed) this).detail());
  }
}
