package io.tidemark.provider.aws.eni;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/** Where instances are looked for. Thread-safe. */
public interface Whereabouts {
  /** For those who look in one place alone. */
  Whereabouts UNKNOWN =
      new Whereabouts() {
        @Override
        public String text() {
          return "the region";
        }

        @Override
        public CompletionStage<?> noneExists() {
          return CompletableFuture.completedStage(null);
        }
      };

  /** Region and account for people, as far as they are known. */
  String text();

  /**
   * No instance that a node names is there. Tells a person once, with the account, which is found
   * out for it; the stage ends soon and never exceptionally, whether that worked or not.
   */
  CompletionStage<?> noneExists();
}
