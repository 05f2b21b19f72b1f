package io.tidemark.kubernetes.leader;

import java.util.List;
import java.util.Optional;

/** Whether the operator that leads answered. Immutable. */
public sealed interface LeaderAnswer {
  /** The leases of the operators that exist, in the order of the modes; several modes may run. */
  List<OperatorLease> leases();

  /**
   * It answered.
   *
   * @param pod namespace and name
   * @param lease that it holds; empty when its Pod cannot be told from the lease, or it needs none
   * @param status its {@code /status}, a JSON object
   */
  record Answered(
      List<OperatorLease> leases, String pod, Optional<OperatorLease> lease, String status)
      implements LeaderAnswer {
    public Answered {
      leases = List.copyOf(leases);
    }
  }

  /**
   * No operator answered as the leader.
   *
   * @param reason for people, without a full stop
   */
  record Unanswered(List<OperatorLease> leases, String reason) implements LeaderAnswer {
    public Unanswered {
      leases = List.copyOf(leases);
    }
  }
}
