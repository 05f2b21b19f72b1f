package io.tidemark.resource;

import java.util.Objects;

/** How {@link NodeResourceStore#catchUp} ended. */
public sealed interface CatchUp {
  /** What is known is not older than the moment of the call. */
  record Done() implements CatchUp {}

  /** The home could not be read; what was learned until then stays. */
  record Failed(String detail) implements CatchUp {
    public Failed {
      Objects.requireNonNull(detail, "detail");
    }
  }
}
