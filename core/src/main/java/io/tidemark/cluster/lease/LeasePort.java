package io.tidemark.cluster.lease;

import java.util.Map;
import java.util.Optional;

/** The requests about the lease, each exactly one and blocking; what fails is thrown. */
public interface LeasePort {
  /** Where the lease is kept, for people. */
  String server();

  /** The lease; empty when there is none. */
  Optional<LeaseRecord> read();

  /**
   * Makes it.
   *
   * @return empty when another process created it first
   */
  Optional<LeaseRecord> create(Claim claim);

  /**
   * Writes it.
   *
   * @return empty when it was written since {@code version}
   */
  Optional<LeaseRecord> write(String version, Claim claim);

  /**
   * The content of a write.
   *
   * @param holder empty text to release the lease
   * @param began whether the holder is a new one
   * @param transitions how often the holder changed, this time included
   * @param notes by name; notes of the lease that are not named here stay
   */
  record Claim(
      String holder,
      LeaseTiming timing,
      boolean began,
      int transitions,
      Map<String, String> notes) {
    public Claim {
      notes = Map.copyOf(notes);
    }
  }
}
