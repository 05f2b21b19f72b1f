package io.tidemark.kubernetes.events;

import java.util.OptionalInt;

/**
 * One request: the Event as it is to be.
 *
 * @param creates whether it is to be made; else it is to be changed
 * @param name of the Event, the same for the same subject and kind
 * @param open whether the problem is still open; a solved one is shown as normal
 * @param count how often it was reported; empty to leave what the server has
 * @param firstMillis wall time at which it was first reported
 * @param lastMillis wall time at which it was last reported or solved
 * @param edit of the problem, so that what changes while this travels is sent again
 */
record EventWrite(
    boolean creates,
    EventSubject subject,
    String name,
    ProblemKind kind,
    boolean open,
    String message,
    OptionalInt count,
    long firstMillis,
    long lastMillis,
    long edit) {}
