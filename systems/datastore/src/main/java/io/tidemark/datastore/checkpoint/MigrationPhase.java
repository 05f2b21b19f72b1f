package io.tidemark.datastore.checkpoint;

import io.tidemark.ip.IpAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Where assignments are read from and written to, on the way from the container runtime to the
 * file. The container runtime knows its sandboxes by itself, so nothing writes to it.
 */
public enum MigrationPhase {
  /** Version 1.6 and earlier: nothing is written. */
  RUNTIME,
  /** Versions 1.7 to 1.11: read from the container runtime, written to the file at once. */
  RUNTIME_THEN_FILE,
  /** Versions from 1.12. */
  FILE_BESIDE_RUNTIME,
  /** The container runtime is not asked. */
  FILE;

  /**
   * A sandbox that is ready and has a network namespace.
   *
   * @param addresses none for a sandbox in the network of the host
   */
  public record Sandbox(String id, List<IpAddress> addresses) {}

  /**
   * The phase of a number.
   *
   * @throws IllegalArgumentException when the number is not 0 to 3
   */
  public static MigrationPhase of(int number) {
    if (number < 0 || number >= values().length) {
      throw new IllegalArgumentException("checkpoint-phase is " + number + "; expected 0 to 3");
    }
    return values()[number];
  }

  /** Whether assignments are read from the file. */
  public boolean readsFile() {
    return compareTo(FILE_BESIDE_RUNTIME) >= 0;
  }

  /** The sandboxes of the container runtime, as a checkpoint. */
  public static CheckpointData checkpoint(List<Sandbox> sandboxes) {
    List<CheckpointEntry> entries = new ArrayList<>();
    for (Sandbox each : sandboxes) {
      IpamKey key = IpamKey.migrated(each.id());
      for (IpAddress address : each.addresses()) {
        entries.add(CheckpointEntry.of(key, address, 0, IpamMetadata.NONE));
      }
    }
    return new CheckpointData(entries, Optional.empty(), "");
  }
}
