package io.tidemark.resource;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/** What reading one document gave. */
public sealed interface ParsedResource {
  /** The document is a node resource. */
  record Valid(NodeResource resource) implements ParsedResource {
    public Valid {
      Objects.requireNonNull(resource, "resource");
    }
  }

  /**
   * The document is none, or holds wrong values; all of them are named.
   *
   * @param name {@code metadata.name} as far as it could be read; empty otherwise
   * @param problems one or more
   */
  record Invalid(Optional<String> name, List<ResourceProblem> problems) implements ParsedResource {
    public Invalid {
      Objects.requireNonNull(name, "name");
      problems = List.copyOf(problems);
      if (problems.isEmpty()) {
        throw new IllegalArgumentException("an invalid document needs a problem");
      }
    }
  }

  /** One function per case. */
  default <R> R match(Function<NodeResource, R> valid, Function<Invalid, R> invalid) {
    if (this instanceof Valid v) {
      return valid.apply(v.resource());
    }
    return invalid.apply((Invalid) this);
  }
}
