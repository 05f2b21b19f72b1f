package io.tidemark.node;

import java.util.OptionalLong;

/** What a node waits for, of all that its parts may wait for. On the lane. */
record NodeWaits(
    NodeEnvironment environment,
    NodeView view,
    NodeWriting writing,
    MissingAddressWatch missing,
    InstanceReader reader,
    NodeBackoffs troubles,
    PreReleaseRead preReleaseRead) {
  /** Whether the next step is ours, sooner or later. */
  boolean expected() {
    return troubles.willRetry()
        || reader.isWaiting()
        || !environment.readiness().isReady()
        || writing.isWaiting()
        || missing.isWaiting()
        || view.releaseDue().isPresent()
        || preReleaseRead.pauses()
        || (environment.config().referenceCompatible() && view.handshake().isOurTurn());
  }

  /** When time alone makes something happen; only instants to come. */
  OptionalLong nextWakeUp() {
    long now = environment.now();
    OptionalLong due = Earliest.of(troubles.nextWakeUp(now), writing.nextWakeUp(), now);
    due = Earliest.of(due, preReleaseRead.nextWakeUp(), now);
    due = Earliest.of(due, missing.nextWakeUp(), now);
    return environment.config().referenceCompatible()
        ? due // surplus waits for the scan (D-21)
        : Earliest.of(due, view.releaseDue(), now);
  }
}
