package io.tidemark.kubernetes.leader;

import java.util.List;
import java.util.Optional;

/**
 * Whether the operator that leads answered. Immutable.
 *
 * @param leases of the operators that exist, in the order of the modes; several modes may run
 * @param leader that answered; empty when none did
 * @param reason why none did, for people, without a full stop; empty text when one did
 */
public record LeaderAnswer(List<OperatorLease> leases, Optional<Leader> leader, String reason) {
  public LeaderAnswer {
    leases = List.copyOf(leases);
  }

  /**
   * An operator that leads.
   *
   * @param pod namespace and name
   * @param lease that it holds; empty when its Pod cannot be told from the lease, or it needs none
   * @param status its {@code /status}, a JSON object
   */
  public record Leader(String pod, Optional<OperatorLease> lease, String status) {}

  /** Where the facts come from, for people. */
  public String origin() {
    return leader
        .map(
            it ->
                "from the leader "
                    + it.pod()
                    + it.lease()
                        .map(held -> ", lease renewed " + held.secondsSinceRenewal() + " s ago")
                        .orElse(""))
        .orElseGet(() -> "no operator answers, so the objects are read: " + reason);
  }
}
