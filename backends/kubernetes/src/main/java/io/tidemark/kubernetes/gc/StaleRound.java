package io.tidemark.kubernetes.gc;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The deletions of one round of {@link StaleNodes}. Immutable and pure.
 *
 * @param due names, in the order of their deletion
 * @param waiting stale objects that were due, too, and are left for later rounds
 * @param objects all objects of the cluster
 */
record StaleRound(List<String> due, int waiting, int objects) {
  /** Deletions in a round: more than a tenth at once is a mistake, or can wait. */
  private static final int SHARE = 10;

  private static final int DELETIONS_MAX = 100;

  StaleRound {
    due = List.copyOf(due);
  }

  /**
   * Of what two rounds in a row found.
   *
   * @param before found by the round before
   * @param stale found now
   * @param objects all objects, 0 or more
   */
  static StaleRound of(Set<String> before, Set<String> stale, int objects) {
    List<String> twice = stale.stream().filter(before::contains).sorted().toList();
    int deleted = Math.min(twice.size(), Math.max(1, Math.min(DELETIONS_MAX, objects / SHARE)));
    return new StaleRound(twice.subList(0, deleted), twice.size() - deleted, objects);
  }

  /** The message to people when not all stale objects are deleted at once. */
  Optional<String> tooMany() {
    return waiting == 0
        ? Optional.empty()
        : Optional.of(
            (due.size() + waiting)
                + " of "
                + objects
                + " CiliumNodes have no Kubernetes Node; "
                + due.size()
                + " are deleted now, the others in later rounds");
  }
}
