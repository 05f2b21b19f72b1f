package io.tidemark.cluster.lease;

import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Texts by name that leaders leave to each other in the lease. Thread-safe; never blocks. */
public interface LeaderNotes {
  /** The notes of former leaders; none before the lease is held. */
  Map<String, String> inherited();

  /** Takes the source of notes for the next leader; those that it does not name stay. */
  void writeFrom(Supplier<Map<String, String>> source);

  /**
   * Writes the notes now, as they are from this call on.
   *
   * @return ends with whether they are stored, never exceptionally
   */
  CompletionStage<Boolean> publish();
}
