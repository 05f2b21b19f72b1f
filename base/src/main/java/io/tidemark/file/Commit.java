package io.tidemark.file;

/** How a change that was handed to a {@link GroupCommit} ended. */
public sealed interface Commit {
  /** It is on disk. */
  record Durable() implements Commit {}

  /**
   * It does not count, and whoever handed it over takes it back. The file may have it all the same
   * until the next write.
   *
   * @param reason for people
   */
  record Failed(String reason) implements Commit {}
}
