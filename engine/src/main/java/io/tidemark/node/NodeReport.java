package io.tidemark.node;

import io.tidemark.spi.Blocked;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * One row of a report: how a node stands, as an immutable snapshot.
 *
 * @param available attached and usable addresses, used ones included
 * @param used addresses that pods hold
 * @param needed missing addresses, 0 or more
 * @param excess surplus addresses, 0 or more
 * @param interfaces attached interfaces
 * @param capacity pod addresses that the node can ever hold, 0 while nothing is known of it
 * @param maxPods pods that its kubelet takes, those on the host's network included; empty when not
 *     known
 * @param blocked why it cannot go on, or waits
 * @param settled nothing is queued, running, unwritten or due; the next step is somebody else's
 */
public record NodeReport(
    String name,
    int available,
    int used,
    int needed,
    int excess,
    int interfaces,
    int capacity,
    OptionalInt maxPods,
    NodeState state,
    Optional<Blocked> blocked,
    boolean settled) {
  public NodeReport {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(maxPods, "maxPods");
    Objects.requireNonNull(state, "state");
    Objects.requireNonNull(blocked, "blocked");
  }
}
