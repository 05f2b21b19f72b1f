package io.tidemark.kubernetes.leader;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A lease of an operator. Immutable.
 *
 * @param name one per mode
 * @param host of the holder; empty text when nobody holds it, or the holder has no time of renewal,
 *     which counts as expired
 * @param sinceRenewal by the clock of this machine; zero where nobody has renewed it
 * @param duration how long a holder that does not renew keeps it
 */
public record OperatorLease(
    String namespace, String name, String host, Duration sinceRenewal, Duration duration) {
  /** The identity of a holder is {@code PID@HOST_UUID}. */
  static OperatorLease of(Lease lease, Instant now) {
    var spec = Optional.ofNullable(lease.getSpec());
    String identity =
        spec.filter(it -> it.getRenewTime() != null).map(it -> it.getHolderIdentity()).orElse("");
    int at = identity.indexOf('@');
    int end = identity.lastIndexOf('_');
    return new OperatorLease(
        lease.getMetadata().getNamespace(),
        lease.getMetadata().getName(),
        at >= 0 && end > at ? identity.substring(at + 1, end) : identity,
        spec.map(it -> it.getRenewTime())
            .map(renewed -> Duration.between(renewed.toInstant(), now))
            .orElse(Duration.ZERO),
        Duration.ofSeconds(spec.map(it -> it.getLeaseDurationSeconds()).orElse(0)));
  }

  /** Whether an operator holds it, by the clock of this machine. */
  public boolean isHeld() {
    return !host.isEmpty() && sinceRenewal.compareTo(duration) <= 0;
  }

  /** Whole seconds; none by a clock that is behind that of the holder. */
  public long secondsSinceRenewal() {
    return Math.max(0, sinceRenewal.toSeconds());
  }

  /** Whether the holder runs there: a Pod on the network of its host has the host's name. */
  boolean isHeldBy(Pod pod) {
    boolean hostNetwork = Boolean.TRUE.equals(pod.getSpec().getHostNetwork());
    String name = hostNetwork ? pod.getSpec().getNodeName() : pod.getMetadata().getName();
    return !host.isEmpty() && name != null && shortName(name).equals(shortName(host));
  }

  /** With or without a domain, it is the same machine. */
  private static String shortName(String name) {
    int dot = name.indexOf('.');
    return dot < 0 ? name : name.substring(0, dot);
  }

  /** For people. */
  public String place() {
    return namespace + '/' + name;
  }
}
