package io.tidemark.emulator.kit.time;

import java.time.Instant;
import java.util.Optional;
import java.util.PriorityQueue;

/**
 * Events that will happen by themselves, for example a pending instance that starts to run. Not
 * thread-safe.
 */
public final class Agenda {
  public record Entry(Instant due, long serial, Runnable event) implements Comparable<Entry> {
    @Override
    public int compareTo(Entry other) {
      int byTime = due.compareTo(other.due);
      return byTime != 0 ? byTime : Long.compare(serial, other.serial);
    }
  }

  private final Ledger ledger;
  private final PriorityQueue<Entry> entries = new PriorityQueue<>();
  private long serials;

  public Agenda(Ledger ledger) {
    this.ledger = ledger;
  }

  /** Runs {@code event} at this instant; events of one instant in the order they were given. */
  public void at(Instant due, Runnable event) {
    Entry entry = new Entry(due, ++serials, event);
    entries.add(entry);
    ledger.note(() -> entries.remove(entry));
  }

  /** Takes the first event that is due; empty when none is. */
  public Optional<Entry> takeDue(Instant now) {
    Entry first = entries.peek();
    return first == null || first.due().isAfter(now)
        ? Optional.empty()
        : Optional.of(entries.remove());
  }

  /** When the next event is due. */
  public Optional<Instant> nextDue() {
    return Optional.ofNullable(entries.peek()).map(Entry::due);
  }
}
