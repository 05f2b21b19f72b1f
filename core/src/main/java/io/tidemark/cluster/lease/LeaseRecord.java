package io.tidemark.cluster.lease;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The content of the lease.
 *
 * @param uid of the object, the same as long as it exists
 * @param version of the object, with which it may be written
 * @param holder identity of the leader; empty text if it released the lease
 * @param lease how long others wait for the holder
 * @param renewals changes with every renewal; compared, never read as a time
 * @param transitions how often the holder changed
 * @param writtenAt when it was last written, in whole seconds by the server's clock; empty where
 *     the server does not record that
 * @param notes texts that leaders leave for the next one, by name
 */
public record LeaseRecord(
    String uid,
    String version,
    String holder,
    Duration lease,
    String renewals,
    int transitions,
    Optional<Instant> writtenAt,
    Map<String, String> notes) {
  public LeaseRecord {
    notes = Map.copyOf(notes);
  }

  /** The notes once these were written: those that are not named stay. */
  public Map<String, String> notesAfter(Map<String, String> written) {
    Map<String, String> after = new HashMap<>(notes);
    after.putAll(written);
    return Map.copyOf(after);
  }

  /** Whether nothing was written between the two. */
  boolean isAsOldAs(LeaseRecord other) {
    return holder.equals(other.holder)
        && renewals.equals(other.renewals)
        && transitions == other.transitions;
  }
}
