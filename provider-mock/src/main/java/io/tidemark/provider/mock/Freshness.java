package io.tidemark.provider.mock;

import io.tidemark.provider.mock.OwnWrite.AssignLost;
import io.tidemark.provider.mock.OwnWrite.Removed;
import io.tidemark.provider.mock.OwnWrite.Unclear;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/**
 * How much a read is believed against our own writes. Pure.
 *
 * <p>A write that the cloud confirmed wins over every read that began less than {@code
 * overlayExpiry} after it. Of a write whose answer was lost nothing is believed until a read that
 * began {@code horizon} after it, or one that shows the effect.
 *
 * @param overlayExpiry how long an own write is remembered (node-manager 13 D-4)
 * @param horizon how far a read of this cloud may lie behind
 */
record Freshness(Duration overlayExpiry, Duration horizon) {
  Freshness {
    Objects.requireNonNull(overlayExpiry, "overlayExpiry");
    Objects.requireNonNull(horizon, "horizon");
  }

  /** Whether the read may not know of the write. */
  boolean overrides(OwnWrite write, ReadMark read) {
    Duration believed = write.certain() ? overlayExpiry : horizon;
    return write.generation() > read.generation()
        || read.nanos() - write.nanos() < believed.toNanos();
  }

  /** The interfaces as read, with the writes made that the read may not know of. */
  List<Eni> merge(List<Eni> read, List<OwnWrite> writes, ReadMark mark) {
    List<Eni> merged = read;
    for (OwnWrite write : writes) {
      if (overrides(write, mark)) {
        merged = write.replay(merged);
      }
    }
    return merged;
  }

  /** The writes that must still be remembered after this read. */
  List<OwnWrite> remembered(List<OwnWrite> writes, List<Eni> read, ReadMark mark) {
    return writes.stream()
        .filter(write -> overrides(write, mark) && !shows(read, write, mark))
        .toList();
  }

  /** Whether an assignment is still in doubt. */
  static boolean doubtful(List<OwnWrite> writes) {
    return writes.stream().anyMatch(write -> write.change() instanceof AssignLost);
  }

  /** Whether nothing is left to be found out about a request whose answer was lost. */
  static boolean settled(List<OwnWrite> writes) {
    return writes.stream().allMatch(write -> write.certain() || write.change() instanceof Unclear);
  }

  /** Whether the effect of a lost request is seen, so that nothing remains to be waited for. */
  private static boolean shows(List<Eni> read, OwnWrite write, ReadMark mark) {
    if (write.certain() || write.generation() > mark.generation()) {
      return false;
    }
    if (write.change() instanceof AssignLost lost) {
      return read.stream()
          .anyMatch(eni -> eni.id().equals(lost.on()) && eni.slotsTaken() > lost.slotsBefore());
    }
    if (write.change() instanceof Removed removed) {
      return read.stream()
          .filter(eni -> eni.id().equals(removed.on()))
          .noneMatch(
              eni ->
                  eni.singles().intersects(removed.singles())
                      || removed.prefixes().stream().anyMatch(eni.prefixes()::contains));
    }
    return false;
  }
}
