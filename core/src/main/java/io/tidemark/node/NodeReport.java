package io.tidemark.node;

import io.tidemark.spi.Blocked;
import java.util.Objects;
import java.util.Optional;

/**
 * One row of a report: how a node stands, as an immutable snapshot.
 *
 * @param available attached and usable addresses, used ones included
 * @param used addresses that pods hold
 * @param needed missing addresses, 0 or more
 * @param excess surplus addresses, 0 or more
 * @param interfaces attached interfaces
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
    NodeState state,
    Optional<Blocked> blocked,
    boolean settled) {
  public NodeReport {
    Objects.requireNonNull(name, "name");
    Objects.requireNonNull(state, "state");
    Objects.requireNonNull(blocked, "blocked");
  }
}
