package io.tidemark.kubernetes;

import io.tidemark.config.ConfigProblems;
import io.tidemark.config.ConfigReader;
import io.tidemark.config.DurationText;
import java.time.Duration;
import java.util.Optional;

/**
 * Settings of leader election (node-manager 5.9).
 *
 * @param enabled whether a lease is used
 * @param namespace of the lease; empty for the namespace that the program runs in
 * @param leaseDuration how long a leader that does not renew keeps the lease; whole seconds
 * @param renewDeadline how long a leader tries to renew before it gives up; below leaseDuration
 * @param retryPeriod pause between two attempts; with its jitter of a fifth below renewDeadline
 */
public record LeaderElectionConfig(
    boolean enabled,
    Optional<String> namespace,
    Duration leaseDuration,
    Duration renewDeadline,
    Duration retryPeriod) {
  LeaderElectionConfig disabled() {
    return new LeaderElectionConfig(false, namespace, leaseDuration, renewDeadline, retryPeriod);
  }

  static LeaderElectionConfig read(ConfigReader reader) {
    String namespace = KubernetesKey.LEADER_ELECTION_NAMESPACE.read(reader);
    LeaderElectionConfig config =
        new LeaderElectionConfig(
            KubernetesKey.LEADER_ELECTION.read(reader),
            namespace.isEmpty() ? Optional.empty() : Optional.of(namespace),
            KubernetesKey.LEADER_ELECTION_LEASE_DURATION.read(reader),
            KubernetesKey.LEADER_ELECTION_RENEW_DEADLINE.read(reader),
            KubernetesKey.LEADER_ELECTION_RETRY_PERIOD.read(reader));
    config.check(reader);
    return config;
  }

  private void check(ConfigReader reader) {
    ConfigProblems problems = reader.problems();
    if (leaseDuration.toNanosPart() != 0) {
      problems.invalid(
          reader.source(),
          KubernetesKey.LEADER_ELECTION_LEASE_DURATION.key(),
          "whole seconds, as leases count them");
    }
    if (leaseDuration.compareTo(renewDeadline) <= 0) {
      problems.contradiction(
          reader.source(),
          KubernetesKey.LEADER_ELECTION_LEASE_DURATION.key(),
          KubernetesKey.LEADER_ELECTION_RENEW_DEADLINE.key(),
          "a leader must give up ("
              + DurationText.print(renewDeadline)
              + ") before others may take the lease ("
              + DurationText.print(leaseDuration)
              + ")");
    }
    if (renewDeadline.compareTo(retryPeriod.multipliedBy(6).dividedBy(5)) <= 0) {
      problems.contradiction(
          reader.source(),
          KubernetesKey.LEADER_ELECTION_RENEW_DEADLINE.key(),
          KubernetesKey.LEADER_ELECTION_RETRY_PERIOD.key(),
          "within "
              + DurationText.print(renewDeadline)
              + " there must be time for a second try after "
              + DurationText.print(retryPeriod)
              + " and a fifth");
    }
  }
}
