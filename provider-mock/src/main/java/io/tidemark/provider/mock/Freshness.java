package io.tidemark.provider.mock;

import io.tidemark.provider.mock.OwnWrite.Added;
import io.tidemark.provider.mock.OwnWrite.AssignLost;
import io.tidemark.provider.mock.OwnWrite.AttachLost;
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
 * began {@code horizon} after it, or one that shows the effect. A read that is believed about a
 * lost write is believed about everything before it, because only the read knows the outcome. What
 * a read has shown counts as confirmed: the next read may be one of an earlier state.
 *
 * @param overlayExpiry how long an own write is remembered (node-manager 13 D-4)
 * @param horizon how far a read of this cloud may lie behind
 */
record Freshness(Duration overlayExpiry, Duration horizon) {
  Freshness {
    Objects.requireNonNull(overlayExpiry, "overlayExpiry");
    Objects.requireNonNull(horizon, "horizon");
  }

  /**
   * What is known after a read.
   *
   * @param interfaces as read, with the writes made that the read may not know of
   * @param remembered the writes that the next read may not know of either
   */
  record Merged(List<Eni> interfaces, List<OwnWrite> remembered) {
    Merged {
      interfaces = List.copyOf(interfaces);
      remembered = List.copyOf(remembered);
    }
  }

  /** Reads and writes together. */
  Merged merge(List<Eni> read, List<OwnWrite> writes, ReadMark mark) {
    List<OwnWrite> unknown = unknownTo(mark, writes);
    List<Eni> merged = read;
    for (OwnWrite write : unknown) {
      merged = write.replay(merged);
    }
    List<Eni> seen = merged;
    List<OwnWrite> remembered =
        unknown.stream()
            .map(write -> shows(read, seen, write, unknown, mark) ? write.confirmedBy(seen) : write)
            .toList();
    return new Merged(merged, remembered);
  }

  /** Whether it is still in doubt what an assignment or attachment has added. */
  static boolean doubtful(List<OwnWrite> writes) {
    return writes.stream()
        .anyMatch(
            write -> write.change() instanceof AssignLost || write.change() instanceof AttachLost);
  }

  /** Whether nothing is left to be found out about a request whose answer was lost. */
  static boolean settled(List<OwnWrite> writes) {
    return writes.stream().allMatch(write -> write.certain() || write.change() instanceof Unclear);
  }

  private List<OwnWrite> unknownTo(ReadMark mark, List<OwnWrite> writes) {
    long believedUpTo =
        writes.stream()
            .filter(write -> !write.certain() && !overrides(write, mark))
            .mapToLong(OwnWrite::generation)
            .max()
            .orElse(Long.MIN_VALUE);
    return writes.stream()
        .filter(write -> write.generation() > believedUpTo && overrides(write, mark))
        .toList();
  }

  private boolean overrides(OwnWrite write, ReadMark mark) {
    Duration believed = write.certain() ? overlayExpiry : horizon;
    return write.generation() > mark.generation()
        || mark.nanos() - write.nanos() < believed.toNanos();
  }

  /** Whether a read within the horizon shows already what became of a lost request. */
  private static boolean shows(
      List<Eni> read, List<Eni> merged, OwnWrite write, List<OwnWrite> unknown, ReadMark mark) {
    if (write.certain() || write.generation() > mark.generation()) {
      return false;
    }
    if (write.change() instanceof AssignLost lost) {
      return merged.stream()
              .anyMatch(eni -> eni.id().equals(lost.on()) && eni.slotsTaken() > lost.slotsBefore())
          && !mayHaveBroughtBack(lost, read, write, unknown);
    }
    if (write.change() instanceof AttachLost lost) {
      return merged.stream().anyMatch(eni -> eni.id().equals(lost.eni()));
    }
    if (write.change() instanceof Removed removed) {
      boolean cameLately =
          unknown.stream()
              .anyMatch(each -> each.change() instanceof Added added && removed.concerns(added));
      return !cameLately && read.stream().noneMatch(removed::remainsOn);
    }
    return false;
  }

  /**
   * Whether the read shows, on the interface of a lost assignment, what we took from it before: the
   * read may be older than that, or the assignment has brought it back, and its count is unknown.
   */
  private static boolean mayHaveBroughtBack(
      AssignLost lost, List<Eni> read, OwnWrite write, List<OwnWrite> unknown) {
    return unknown.stream()
        .filter(earlier -> earlier.generation() < write.generation())
        .anyMatch(
            earlier ->
                earlier.change() instanceof Removed removed
                    && removed.on().equals(lost.on())
                    && read.stream().anyMatch(removed::remainsOn));
  }
}
