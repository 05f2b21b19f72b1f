package io.tidemark.kubernetes.events;

import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.UUID;

/**
 * One problem of one subject: what is known of it, and what the server has of that. Not
 * thread-safe.
 */
final class ReportedProblem {
  /** The one that is due first, first. */
  static final Comparator<ReportedProblem> BY_DUE =
      (left, right) -> {
        long apart = left.dueNanos - right.dueNanos;
        return apart != 0 ? Long.signum(apart) : Long.compare(left.number, right.number);
      };

  private static final int NAME_MAX = 200;
  private static final int MESSAGE_MAX = 1000;

  private final EventSubject subject;
  private final ProblemKind kind;
  private final long number;
  private final long firstMillis;
  private String message = "";
  private boolean open;
  private boolean shownOpen;
  private boolean dirty;
  private long lastMillis;
  private int unsent;
  private boolean onServer;
  private int serverCount;
  private long edit;
  private int sending;
  private long dueNanos;

  /**
   * A problem that was not reported yet.
   *
   * @param number orders problems that are due at the same moment
   */
  ReportedProblem(EventSubject subject, ProblemKind kind, long number, long wallMillis) {
    this.subject = subject;
    this.kind = kind;
    this.number = number;
    this.firstMillis = wallMillis;
  }

  EventSubject subject() {
    return subject;
  }

  ProblemKind kind() {
    return kind;
  }

  /** When it is due; changed only while it is in no sorted set. */
  long dueNanos() {
    return dueNanos;
  }

  void due(long nanos) {
    dueNanos = nanos;
  }

  String message() {
    return message;
  }

  boolean isOpen() {
    return open;
  }

  /** Whether the server shows it as open. */
  boolean isShownOpen() {
    return shownOpen;
  }

  /** Whether the server does not know all. */
  boolean isDirty() {
    return dirty;
  }

  void met(String text, long wallMillis) {
    open = true;
    message = cut(text);
    lastMillis = wallMillis;
    if (unsent < Integer.MAX_VALUE) {
      unsent++;
    }
    changed();
  }

  void solved(String text, long wallMillis) {
    open = false;
    message = cut(text);
    lastMillis = wallMillis;
    changed();
  }

  /** Solved before it was reported. */
  void passed() {
    open = false;
    dirty = false;
  }

  private void changed() {
    dirty = true;
    edit++;
  }

  EventWrite write() {
    sending = unsent;
    OptionalInt count;
    if (!onServer) {
      count = OptionalInt.of(Math.max(1, unsent));
    } else if (serverCount > 0) {
      count = OptionalInt.of(serverCount + unsent);
    } else {
      count = OptionalInt.empty();
    }
    return new EventWrite(
        !onServer, subject, eventName(), kind, open, message, count, firstMillis, lastMillis, edit);
  }

  void stored(EventWrite write, int count) {
    onServer = true;
    serverCount = count;
    unsent -= sending;
    shownOpen = write.open();
    dirty = write.edit() != edit;
  }

  /** The server has one of this name, with a count that is not known. */
  void exists() {
    onServer = true;
    serverCount = 0;
  }

  /** The server has none. */
  void forgotten() {
    onServer = false;
    serverCount = 0;
  }

  /** The server refuses {@code write} for what it says: only another text is worth a request. */
  void refused(EventWrite write) {
    unsent -= sending;
    dirty = write.edit() != edit;
  }

  /**
   * The same for the same incarnation and kind in every process, so that an operator that restarts
   * continues the Events of its predecessor.
   */
  private String eventName() {
    String whole = subject.key() + '/' + subject.uid() + '/' + kind.key();
    String name = subject.name();
    String front = name.length() > NAME_MAX ? name.substring(0, NAME_MAX) : name;
    String hash =
        UUID.nameUUIDFromBytes(whole.getBytes(StandardCharsets.UTF_8))
            .toString()
            .replace("-", "")
            .substring(0, 16);
    return front.toLowerCase(Locale.ROOT) + ".t" + hash;
  }

  private static String cut(String text) {
    return text.length() > MESSAGE_MAX + 3 ? text.substring(0, MESSAGE_MAX) + "..." : text;
  }
}
