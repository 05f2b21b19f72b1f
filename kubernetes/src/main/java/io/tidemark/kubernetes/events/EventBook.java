package io.tidemark.kubernetes.events;

import io.tidemark.kubernetes.ApiFailure.Kind;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which Event is to be sent when. Pure: the moment is a parameter. Not thread-safe.
 *
 * <ul>
 *   <li>A matter, one reason of one object, is one Event: met again, it counts up; solved, it turns
 *       normal.
 *   <li>Of one object at most {@link #BURST} requests at once, then one per {@link #PACE}; what is
 *       met meanwhile goes into the next.
 *   <li>A matter that stays open is shown again before a server forgets it.
 *   <li>One request at a time. While the server refuses or does not answer, nothing is sent for a
 *       growing while.
 *   <li>At most {@code mattersMax} are known. Solved ones make room; when there are none, what is
 *       new is dropped.
 * </ul>
 */
final class EventBook {
  static final int BURST = 6;
  static final Duration PACE = Duration.ofMinutes(2);

  /** Between two updates of one open problem; a server forgets Events after an hour by default. */
  static final Duration SHOWN_AGAIN = Duration.ofMinutes(45);

  /** So long a solved matter met again counts up the Event it had. */
  static final Duration REMEMBERED = Duration.ofMinutes(50);

  static final Duration FORBIDDEN_PAUSE = Duration.ofMinutes(5);
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);
  private static final int DOUBLINGS = 7;

  /** Signs of many matters must not fall together. */
  private static final long SPREAD_SECONDS = 300;

  /**
   * One object: its matters, and when its next request may go when all were spent.
   *
   * <p>Over any span at most {@code BURST + span / PACE} requests begin.
   */
  private static final class Page {
    private final Map<String, EventMatter> matters = new HashMap<>();
    private long spentUntilNanos;
    private boolean spent;

    long allowedNanos(long now) {
      return spent ? spentUntilNanos - PACE.toNanos() * (BURST - 1) : now;
    }

    void spend(long now) {
      long from = spent && spentUntilNanos - now > 0 ? spentUntilNanos : now;
      spentUntilNanos = from + PACE.toNanos();
      spent = true;
    }
  }

  private final int mattersMax;
  private final Map<String, Page> pages = new HashMap<>();
  private final TreeSet<EventMatter> line = new TreeSet<>(EventMatter.BY_DUE);
  private @Nullable EventMatter underWay;
  private long numbers;
  private long dropped;
  private boolean pausing;
  private long pauseEndsNanos;
  private int failures;

  EventBook(int mattersMax) {
    this.mattersMax = mattersMax;
  }

  /**
   * A matter was met.
   *
   * @return whether it is known now; false when it was dropped
   */
  boolean met(EventSubject subject, String reason, String message, long now, long wallMillis) {
    EventMatter known = find(subject, reason);
    if (known != null && !known.subject().equals(subject)) {
      forget(known); // another incarnation
      known = null;
    }
    if (known == null) {
      if (line.size() >= mattersMax && !makeRoom()) {
        dropped++;
        return false;
      }
      known = new EventMatter(subject, reason, numbers++, wallMillis);
      pages.computeIfAbsent(subject.key(), key -> new Page()).matters.put(reason, known);
    }
    known.met(message, wallMillis);
    due(known, now);
    return true;
  }

  /** A matter is solved; what was never shown is not mentioned. */
  void solved(EventSubject subject, String reason, String message, long now, long wallMillis) {
    EventMatter known = find(subject, reason);
    if (known == null) {
      return;
    }
    if (!known.subject().equals(subject)) {
      forget(known); // another incarnation
      return;
    }
    if (!known.isShownOpen() && !known.equals(underWay)) {
      known.passed();
      due(known, now + REMEMBERED.toNanos());
      return;
    }
    known.solved(message, wallMillis);
    due(known, now);
  }

  /** The object is gone, and its Events end with it. */
  void gone(EventSubject subject, String reason) {
    EventMatter known = find(subject, reason);
    if (known != null) {
      forget(known);
    }
  }

  /** What is to be sent now, if anything; {@link #ended} must follow. */
  Optional<EventWrite> take(long now, long wallMillis) {
    while (underWay == null && !line.isEmpty() && !isPausing(now)) {
      EventMatter first = line.first();
      if (first.dueNanos() - now > 0) {
        return Optional.empty();
      }
      if (!first.isDirty() && !first.isOpen()) {
        forget(first); // solved, long ago
        continue;
      }
      Page page = page(first);
      if (page.allowedNanos(now) - now > 0) {
        due(first, page.allowedNanos(now));
        continue;
      }
      if (!first.isDirty()) {
        first.met(first.message(), wallMillis);
      }
      page.spend(now);
      line.remove(first);
      underWay = first;
      return Optional.of(first.write());
    }
    return Optional.empty();
  }

  /** How what {@link #take} gave out ended. */
  void ended(EventWrite write, EventEnd end, long now) {
    EventMatter matter = underWay;
    underWay = null;
    if (matter == null) {
      return;
    }
    boolean kept = matter.equals(find(matter.subject(), matter.reason()));
    boolean again = !(end instanceof EventEnd.Failed failed) || learn(matter, write, failed, now);
    if (end instanceof EventEnd.Stored stored) {
      matter.stored(write, stored.count());
    } else if (end instanceof EventEnd.Exists) {
      matter.exists();
    } else if (end instanceof EventEnd.Forgotten) {
      matter.forgotten();
    }
    if (again) {
      failures = 0;
    }
    if (kept) {
      due(matter, now + (matter.isDirty() ? 0 : restNanos(matter)));
    }
  }

  /** Whether the server works and refuses this one only. */
  private boolean learn(EventMatter matter, EventWrite write, EventEnd.Failed failed, long now) {
    Kind kind = failed.failure().kind();
    if (kind == Kind.INVALID) {
      matter.refused(write);
      return true;
    }
    failures = Math.min(DOUBLINGS, failures + 1);
    long pause = Math.min(LONGEST_PAUSE.toNanos(), FIRST_PAUSE.toNanos() << (failures - 1));
    pausing = true;
    pauseEndsNanos = now + (kind == Kind.FORBIDDEN ? FORBIDDEN_PAUSE.toNanos() : pause);
    return false;
  }

  private static long restNanos(EventMatter matter) {
    if (!matter.isOpen()) {
      return REMEMBERED.toNanos();
    }
    long spread = Math.floorMod(matter.subject().name().hashCode(), SPREAD_SECONDS);
    return SHOWN_AGAIN.toNanos() + Duration.ofSeconds(spread).toNanos();
  }

  private boolean isPausing(long now) {
    pausing = pausing && pauseEndsNanos - now > 0;
    return pausing;
  }

  /** When {@link #take} is to be asked again; empty while a request is under way or none waits. */
  OptionalLong dueNanos() {
    if (underWay != null || line.isEmpty()) {
      return OptionalLong.empty();
    }
    long due = line.first().dueNanos();
    return OptionalLong.of(pausing && pauseEndsNanos - due > 0 ? pauseEndsNanos : due);
  }

  /** How many were dropped for want of room. */
  long dropped() {
    return dropped;
  }

  /** How many matters are known. */
  int size() {
    return line.size() + (underWay == null ? 0 : 1);
  }

  private @Nullable EventMatter find(EventSubject subject, String reason) {
    Page page = pages.get(subject.key());
    return page == null ? null : page.matters.get(reason);
  }

  private Page page(EventMatter matter) {
    return pages.computeIfAbsent(matter.subject().key(), key -> new Page());
  }

  private void due(EventMatter matter, long nanos) {
    if (matter.equals(underWay)) {
      return; // its end decides
    }
    line.remove(matter);
    matter.due(nanos);
    line.add(matter);
  }

  private void forget(EventMatter matter) {
    line.remove(matter);
    Page page = page(matter);
    page.matters.remove(matter.reason(), matter);
    if (page.matters.isEmpty()) {
      pages.remove(matter.subject().key());
    }
  }

  private boolean makeRoom() {
    for (EventMatter each : line) {
      if (!each.isOpen() && !each.isDirty()) {
        forget(each);
        return true;
      }
    }
    return false;
  }
}
