package io.tidemark.manifests;

/**
 * How a read or write of one object of the folder ended.
 *
 * @param <T> the object
 */
sealed interface ObjectEnd<T> {
  /** The object as it is from now on, with its version. */
  record Stored<T>(T object) implements ObjectEnd<T> {}

  /** The object is newer than the version that was changed. */
  record Conflict<T>() implements ObjectEnd<T> {}

  /** There is no such object. */
  record NotFound<T>() implements ObjectEnd<T> {}

  /** This place takes no such change; nothing was changed. */
  record Refused<T>(String detail) implements ObjectEnd<T> {}

  /** The object cannot be read, or not be changed in its file; nothing was changed. */
  record Faulty<T>(String detail) implements ObjectEnd<T> {}

  /** The file system failed, or the file is being written; the effect is unknown. */
  record Failed<T>(String detail) implements ObjectEnd<T> {}
}
