package io.tidemark.provider.aws.eni;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Region and account in which instances are searched, for messages. Thread-safe. */
public interface Whereabouts {
  /** For those who look in one place alone. */
  Whereabouts UNKNOWN = new Whereabouts() {};

  /** Region and account for people, as far as they are known. */
  default String text() {
    return "the region";
  }

  /**
   * Reads once what {@link #text} lacks. The stage ends soon and never exceptionally, also after a
   * failure.
   */
  default CompletionStage<?> find() {
    return CompletableFuture.completedStage(null);
  }

  /** No instance that a node names is there: reports it, once. */
  default void noneExists() {}
}
