package io.tidemark.datastore;

import java.util.Optional;

/** How a recovery ended. */
public sealed interface RecoveryOutcome {
  /**
   * The store serves requests.
   *
   * @param unwritten why the file could not be written anew; requests fail until it can
   */
  record Recovered(RecoveryReport report, Optional<String> unwritten) implements RecoveryOutcome {}

  /** The store serves no requests. */
  record Failed(StoreRefusal refusal) implements RecoveryOutcome {}
}
