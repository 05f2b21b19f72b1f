package io.tidemark.resource;

/** How {@link NodeResourceStore#catchUp} ended. */
public sealed interface CatchUp {
  /** The known state is at least as new as the call. */
  record Done() implements CatchUp {}

  /** The backend could not be read; the objects read so far are kept. */
  record Failed(String detail) implements CatchUp {}
}
