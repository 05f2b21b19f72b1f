package io.tidemark.resource;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * The result of reading one document.
 *
 * @param <T> the kind of object that was expected
 */
public sealed interface ParsedResource<T> {
  /** The document is one. */
  record Valid<T>(T resource) implements ParsedResource<T> {}

  /**
   * The document is none, or holds wrong values; all of them are named.
   *
   * @param name {@code metadata.name} as far as it could be read; empty otherwise
   * @param problems one or more
   */
  record Invalid<T>(Optional<String> name, List<ResourceProblem> problems)
      implements ParsedResource<T> {
    public Invalid {
      problems = List.copyOf(problems);
      if (problems.isEmpty()) {
        throw new IllegalArgumentException("an invalid document needs a problem");
      }
    }
  }

  /** The same of what the object is seen as. */
  default <R> ParsedResource<R> map(Function<T, R> view) {
    return match(
        object -> new Valid<>(view.apply(object)),
        invalid -> new Invalid<>(invalid.name(), invalid.problems()));
  }

  /** One function per case. */
  default <R> R match(Function<T, R> valid, Function<Invalid<T>, R> invalid) {
    if (this instanceof Valid<T> v) {
      return valid.apply(v.resource());
    }
    return invalid.apply((Invalid<T>) this);
  }
}
