package io.tidemark.provider.kit;

import io.tidemark.provider.kit.Change.AssignLost;
import io.tidemark.provider.kit.Change.AttachLost;
import io.tidemark.provider.kit.Change.Removed;
import java.time.Duration;
import java.util.List;

/**
 * How far a read is trusted against own writes. Pure.
 *
 * <p>A confirmed write takes precedence over every read that began less than {@code overlayExpiry}
 * after it. The result of a write with a lost response stays unknown until a read that began {@code
 * horizon} after it, or one that shows the effect. A read that is trusted about a lost write is
 * trusted about everything before it, because only the read knows the outcome. What a read has
 * shown counts as confirmed, because the next read can show an earlier state.
 *
 * @param overlayExpiry how long an own write is remembered (node-manager 13 D-4)
 * @param horizon how far a read of this cloud can lag behind
 */
record Freshness(Duration overlayExpiry, Duration horizon) {

  /**
   * The state after a read.
   *
   * @param interfaces as read, with the writes that the read may not include
   * @param remembered the writes that the next read may not include either
   */
  record Merged<I extends CachedInterface<I>>(List<I> interfaces, List<OwnWrite<I>> remembered) {
    Merged {
      interfaces = List.copyOf(interfaces);
      remembered = List.copyOf(remembered);
    }
  }

  <I extends CachedInterface<I>> Merged<I> merge(
      List<I> read, List<OwnWrite<I>> writes, ReadMark mark) {
    List<OwnWrite<I>> unknown = unknownTo(mark, writes);
    List<I> merged = read;
    for (OwnWrite<I> write : unknown) {
      merged = write.change().replay(merged);
    }
    List<I> seen = merged;
    List<OwnWrite<I>> remembered =
        unknown.stream()
            .map(write -> shows(read, seen, write, unknown, mark) ? write.confirmedBy(seen) : write)
            .toList();
    return new Merged<>(merged, remembered);
  }

  /** Whether the result of an assignment or attachment is still unknown. */
  static <I extends CachedInterface<I>> boolean doubtful(List<OwnWrite<I>> writes) {
    return writes.stream()
        .anyMatch(
            write ->
                write.change() instanceof AssignLost<I> || write.change() instanceof AttachLost<I>);
  }

  /** Whether no request with a lost response is still unresolved. */
  static <I extends CachedInterface<I>> boolean settled(List<OwnWrite<I>> writes) {
    return writes.stream().allMatch(Freshness::settled);
  }

  /** Whether its result is known, or does not matter. */
  static boolean settled(OwnWrite<?> write) {
    return write.certain() || write.change() instanceof Change.Unclear<?>;
  }

  private <I extends CachedInterface<I>> List<OwnWrite<I>> unknownTo(
      ReadMark mark, List<OwnWrite<I>> writes) {
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

  private boolean overrides(OwnWrite<?> write, ReadMark mark) {
    Duration believed = write.certain() ? overlayExpiry : horizon;
    return write.generation() > mark.generation()
        || mark.nanos() - write.nanos() < believed.toNanos();
  }

  /** Whether a read within the horizon shows already what became of a lost request. */
  private static <I extends CachedInterface<I>> boolean shows(
      List<I> read, List<I> merged, OwnWrite<I> write, List<OwnWrite<I>> unknown, ReadMark mark) {
    if (write.certain() || write.generation() > mark.generation()) {
      return false;
    }
    if (write.change() instanceof AssignLost<I> lost) {
      return merged.stream()
              .anyMatch(
                  each -> each.id().equals(lost.on()) && each.slotsTaken() > lost.slotsBefore())
          && !mayHaveBroughtBack(lost, read, write, unknown);
    }
    if (write.change() instanceof AttachLost<I> lost) {
      return merged.stream().anyMatch(each -> each.id().equals(lost.id()));
    }
    if (write.change() instanceof Removed<I> removed) {
      boolean cameLately = unknown.stream().anyMatch(each -> removed.concerns(each.change()));
      return !cameLately && read.stream().noneMatch(removed::remainsOn);
    }
    return false;
  }

  /**
   * Whether the read shows, on the interface of a lost assignment, what we took from it before: the
   * read may be older than that, or the assignment has brought it back, and its count is unknown.
   */
  private static <I extends CachedInterface<I>> boolean mayHaveBroughtBack(
      AssignLost<I> lost, List<I> read, OwnWrite<I> write, List<OwnWrite<I>> unknown) {
    return unknown.stream()
        .filter(earlier -> earlier.generation() < write.generation())
        .anyMatch(
            earlier ->
                earlier.change() instanceof Removed<I> removed
                    && removed.on().equals(lost.on())
                    && read.stream().anyMatch(removed::remainsOn));
  }
}
