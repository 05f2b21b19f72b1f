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
 * Decides which Event to send when. Pure: the time is a parameter. Not thread-safe.
 *
 * <ul>
 *   <li>A problem, one kind on one object, is one Event: reported again, it counts up; solved, it
 *       turns normal.
 *   <li>Of one object at most {@link #BURST} requests at once, then one per {@link #PACE}; what is
 *       reported meanwhile goes into the next.
 *   <li>A problem that stays open is shown again before a server forgets it.
 *   <li>One request at a time. While the server refuses or does not answer, nothing is sent for a
 *       pause that grows.
 *   <li>At most {@code problemsMax} are known. Solved ones make room; when there are none, what is
 *       new is dropped.
 * </ul>
 */
final class EventBook {
  static final int BURST = 6;
  static final Duration PACE = Duration.ofMinutes(2);

  /** Between two updates of one open problem; a server forgets Events after an hour by default. */
  static final Duration SHOWN_AGAIN = Duration.ofMinutes(45);

  /** So long a solved problem that is reported again counts up the Event it had. */
  static final Duration REMEMBERED = Duration.ofMinutes(50);

  static final Duration FORBIDDEN_PAUSE = Duration.ofMinutes(5);
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);
  private static final int DOUBLINGS = 7;

  /** Signs of many problems must not fall together. */
  private static final long SPREAD_SECONDS = 300;

  /**
   * One object: its problems, and when its next request may go when all were spent.
   *
   * <p>Over any span at most {@code BURST + span / PACE} requests begin.
   */
  private static final class Page {
    private final Map<String, ReportedProblem> problems = new HashMap<>();
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

  private final int problemsMax;
  private final Map<String, Page> pages = new HashMap<>();
  private final TreeSet<ReportedProblem> line = new TreeSet<>(ReportedProblem.BY_DUE);
  private @Nullable ReportedProblem underWay;
  private long numbers;
  private boolean pausing;
  private long pauseEndsNanos;
  private int failures;

  EventBook(int problemsMax) {
    this.problemsMax = problemsMax;
  }

  /**
   * A problem was reported.
   *
   * @return whether it is known now; false when it was dropped
   */
  boolean met(EventSubject subject, ProblemKind kind, String message, long now, long wallMillis) {
    ReportedProblem known = find(subject, kind);
    if (known != null && !known.subject().equals(subject)) {
      forget(known); // another incarnation
      known = null;
    }
    if (known == null) {
      if (line.size() >= problemsMax && !makeRoom()) {
        return false;
      }
      known = new ReportedProblem(subject, kind, numbers++, wallMillis);
      pages.computeIfAbsent(subject.key(), key -> new Page()).problems.put(kind.key(), known);
    }
    known.met(message, wallMillis);
    due(known, now);
    return true;
  }

  /** A problem is solved; what was never shown is not mentioned. */
  void solved(EventSubject subject, ProblemKind kind, String message, long now, long wallMillis) {
    ReportedProblem known = find(subject, kind);
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
  void gone(EventSubject subject, ProblemKind kind) {
    ReportedProblem known = find(subject, kind);
    if (known != null) {
      forget(known);
    }
  }

  /** The write to send now, if any; {@link #ended} must follow. */
  Optional<EventWrite> take(long now, long wallMillis) {
    while (underWay == null && !line.isEmpty() && !isPausing(now)) {
      ReportedProblem first = line.first();
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

  void ended(EventWrite write, EventEnd end, long now) {
    ReportedProblem problem = underWay;
    underWay = null;
    if (problem == null) {
      return;
    }
    boolean kept = problem.equals(find(problem.subject(), problem.kind()));
    boolean again = !(end instanceof EventEnd.Failed failed) || learn(problem, write, failed, now);
    if (end instanceof EventEnd.Stored stored) {
      problem.stored(write, stored.count());
    } else if (end instanceof EventEnd.Exists) {
      problem.exists();
    } else if (end instanceof EventEnd.Forgotten) {
      problem.forgotten();
    }
    if (again) {
      failures = 0;
    }
    if (kept) {
      due(problem, now + (problem.isDirty() ? 0 : restNanos(problem)));
    }
  }

  /** Whether the server works and refuses this one only. */
  private boolean learn(
      ReportedProblem problem, EventWrite write, EventEnd.Failed failed, long now) {
    Kind kind = failed.failure().kind();
    if (kind == Kind.INVALID) {
      problem.refused(write);
      return true;
    }
    failures = Math.min(DOUBLINGS, failures + 1);
    long pause = Math.min(LONGEST_PAUSE.toNanos(), FIRST_PAUSE.toNanos() << (failures - 1));
    pausing = true;
    pauseEndsNanos = now + (kind == Kind.FORBIDDEN ? FORBIDDEN_PAUSE.toNanos() : pause);
    return false;
  }

  private static long restNanos(ReportedProblem problem) {
    if (!problem.isOpen()) {
      return REMEMBERED.toNanos();
    }
    long spread = Math.floorMod(problem.subject().name().hashCode(), SPREAD_SECONDS);
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

  private @Nullable ReportedProblem find(EventSubject subject, ProblemKind kind) {
    Page page = pages.get(subject.key());
    return page == null ? null : page.problems.get(kind.key());
  }

  private Page page(ReportedProblem problem) {
    return pages.computeIfAbsent(problem.subject().key(), key -> new Page());
  }

  private void due(ReportedProblem problem, long nanos) {
    if (problem.equals(underWay)) {
      return; // its end decides
    }
    line.remove(problem);
    problem.due(nanos);
    line.add(problem);
  }

  private void forget(ReportedProblem problem) {
    line.remove(problem);
    Page page = page(problem);
    page.problems.remove(problem.kind().key(), problem);
    if (page.problems.isEmpty()) {
      pages.remove(problem.subject().key());
    }
  }

  private boolean makeRoom() {
    for (ReportedProblem each : line) {
      if (!each.isOpen() && !each.isDirty()) {
        forget(each);
        return true;
      }
    }
    return false;
  }
}
