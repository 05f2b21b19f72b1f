package io.tidemark.resource;

import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;

/** How one request to a {@link NodeResourceStore} ended. */
public sealed interface StoreResult {
  /** The stored object, with its new version. */
  record Stored(NodeResource resource) implements StoreResult {
    public Stored {
      Objects.requireNonNull(resource, "resource");
    }
  }

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
  record Refused(String detail) implements StoreResult {
    public Refused {
      Objects.requireNonNull(detail, "detail");
    }
  }

  /** The backend cannot be reached or failed; the effect is unknown. */
  record Failed(String detail) implements StoreResult {
    public Failed {
      Objects.requireNonNull(detail, "detail");
    }
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
