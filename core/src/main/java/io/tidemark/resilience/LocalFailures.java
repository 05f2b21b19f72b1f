package io.tidemark.resilience;

import io.tidemark.resilience.CallLayer.StopCause;
import io.tidemark.resilience.Failure.Kind;
import java.time.Duration;

/** The failures that no cloud reported: our own rules ended the call. */
final class LocalFailures {
  private LocalFailures() {}

  static Failure unknownKind(CallKind kind, String account) {
    return Failure.of(
        Kind.CONFIGURATION,
        "unknownOperation",
        kind + " has no limits in the call policy of " + account);
  }

  static Failure nothingAsked() {
    return Failure.of(
        Kind.CONFIGURATION, "unknownOperation", "admission was asked for no operation at all");
  }

  static Failure cancelled(Object call) {
    return Failure.of(Kind.CANCELLED, "cancelled", call + " was cancelled before it was sent");
  }

  static Failure fenced(Object call) {
    return Failure.of(
        Kind.CANCELLED, "notLeader", call + " was not sent: this operator does not lead any more");
  }

  static Failure deadlinePassed(Object call) {
    return Failure.of(
        Kind.TRANSIENT, Failure.DEADLINE_PASSED, call + " was not sent: its deadline had passed");
  }

  /** It was stopped before it began. */
  static Failure notStarted(Object call, StopCause cause) {
    return cause == StopCause.CANCELLED ? cancelled(call) : deadlinePassed(call);
  }

  /** It was stopped while it waited for a token. */
  static Failure notAdmitted(Object call, StopCause cause) {
    return cause == StopCause.CANCELLED ? cancelled(call) : noToken(call);
  }

  static Failure noToken(Object call) {
    return Failure.of(Kind.THROTTLED, Failure.NO_TOKEN, call + " got no token before its deadline");
  }

  static Failure queueFull(Object call) {
    return Failure.of(
        Kind.TRANSIENT, "queueFull", call + " was not queued: too many calls wait already");
  }

  static Failure circuitOpen(Object call) {
    return Failure.of(
        Kind.TRANSIENT,
        Failure.CIRCUIT_OPEN,
        call + " was not sent: the API failed too often just now");
  }

  static Failure notSent(Object call, Throwable why) {
    return Failure.of(Kind.TRANSIENT, "notSent", call + " was not sent: " + why);
  }

  static Failure noWorker(Object call) {
    return Failure.of(
        Kind.TRANSIENT, Failure.NO_WORKER, call + " was not sent: no worker before its deadline");
  }

  static Failure pollTimeout(Object call) {
    return Failure.of(
        Kind.TRANSIENT, "pollTimeout", call + " was repeated until its deadline without an end");
  }

  static Failure timeout(Object call, Duration after) {
    return Failure.of(Kind.LOST, "timeout", call + " was not answered within " + after);
  }

  static Failure givenUpOnWire(Object call, StopCause cause) {
    return cause == StopCause.CANCELLED
        ? Failure.of(Kind.LOST, "cancelledOnWire", call + " was cancelled in flight")
        : Failure.of(Kind.LOST, Failure.DEADLINE_ON_WIRE, call + " timed out");
  }

  static Failure unclassified(Object call, Throwable thrown, Throwable byClassifier) {
    return Failure.of(
        Kind.LOST,
        "unclassified",
        call + " failed with " + thrown + ", which the classifier cannot read: " + byClassifier);
  }

  static Failure noAnswer(Object call) {
    return Failure.of(Kind.LOST, "noAnswer", call + " was answered with nothing");
  }

  /** {@code last} came after an attempt whose effect is unknown, so the whole is unknown. */
  static Failure lostBefore(Object call, Failure last) {
    return Failure.of(
        Kind.LOST,
        last.condition(),
        call + " lost an earlier answer and then ended with: " + last.detail());
  }
}
