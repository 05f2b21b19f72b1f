package io.tidemark.resource;

import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;

/** How one request to a {@link NodeResourceStore} ended. */
public sealed interface StoreResult {
  /** The object as it now stands there, with its new version. */
  record Stored(NodeResource resource) implements StoreResult {
    public Stored {
      Objects.requireNonNull(resource, "resource");
    }
  }

  /** Nothing differed, so no request was made (NM-S3). */
  record Unchanged() implements StoreResult {}

  /** The object is newer than the version the change was made on. Read it and apply again. */
  record Conflict() implements StoreResult {}

  /** There is no such object. */
  record NotFound() implements StoreResult {}

  /**
   * The home was reached and does not take this content, by its schema or a rule of its own;
   * nothing was changed. The same would be refused again: a person must put the object or the rule
   * right.
   */
  record Refused(String detail) implements StoreResult {
    public Refused {
      Objects.requireNonNull(detail, "detail");
    }
  }

  /** The home cannot be reached, or failed; the effect is unknown. */
  record Failed(String detail) implements StoreResult {
    public Failed {
      Objects.requireNonNull(detail, "detail");
    }
  }

  /** One function per case; those of what is refused and what failed get its detail. */
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
