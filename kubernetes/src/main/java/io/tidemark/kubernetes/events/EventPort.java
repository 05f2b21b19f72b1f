package io.tidemark.kubernetes.events;

/** The requests about Events, each exactly one and blocking. */
@FunctionalInterface
interface EventPort {
  /** Sends it; a refusal is an answer. */
  EventEnd send(EventWrite write);
}
