package io.tidemark.file;

/** How a change that was handed to a {@link GroupCommit} ended. */
public sealed interface Commit {
  /** It is on disk. */
  record Durable() implements Commit {}

  /**
   * The change does not count, and the caller must undo it. The file may still contain it until the
   * next write.
   *
   * @param reason for people
   */
  record Failed(String reason) implements Commit {}
}
