package io.tidemark.node;

import io.tidemark.ip.Cidr;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Release without a handshake, for multi-pool agents (node-manager 4.9): a CIDR that the agent
 * drops and does not take back for the delay is given back. Immutable and pure; monotonic
 * nanoseconds.
 */
final class CidrRelease {
  /** Nothing observed yet. */
  static final CidrRelease UNSEEDED = new CidrRelease(Optional.empty(), new TreeMap<>());

  private final Optional<Set<Cidr>> previouslyAllocated;
  private final SortedMap<Cidr, Long> sinceNanos;

  private CidrRelease(Optional<Set<Cidr>> previouslyAllocated, SortedMap<Cidr, Long> sinceNanos) {
    this.previouslyAllocated = previouslyAllocated;
    this.sinceNanos = sinceNanos;
  }

  /** Whether an allocation of a multi-pool agent was observed before. */
  boolean seeded() {
    return previouslyAllocated.isPresent();
  }

  /** CIDRs on their way out, with the time their timer began. */
  SortedMap<Cidr, Long> timers() {
    return Collections.unmodifiableSortedMap(sinceNanos);
  }

  /**
   * Compares what the agent holds with what it held (NM-C1…C4).
   *
   * @param allocated CIDRs the agent holds; ignored for other agents
   * @param attached CIDRs attached in the cloud
   */
  CidrRelease observe(boolean multiPool, Set<Cidr> allocated, Set<Cidr> attached, long now) {
    if (!multiPool) {
      return this;
    }
    Set<Cidr> dropped = new TreeSet<>(previouslyAllocated.orElse(attached));
    dropped.removeAll(allocated);
    dropped.retainAll(attached);
    SortedMap<Cidr, Long> next = new TreeMap<>();
    for (Map.Entry<Cidr, Long> timer : sinceNanos.entrySet()) {
      if (attached.contains(timer.getKey()) && !allocated.contains(timer.getKey())) {
        next.put(timer.getKey(), timer.getValue());
      }
    }
    for (Cidr cidr : dropped) {
      next.putIfAbsent(cidr, now);
    }
    return new CidrRelease(Optional.of(Set.copyOf(allocated)), next);
  }

  /** CIDRs timed for {@code delayNanos} or more (NM-C5). */
  Set<Cidr> due(long now, long delayNanos) {
    Set<Cidr> due = new TreeSet<>();
    sinceNanos.forEach(
        (cidr, since) -> {
          if (now - since >= delayNanos) {
            due.add(cidr);
          }
        });
    return due;
  }

  /** When the next timer is due. */
  OptionalLong nextDueNanos(long delayNanos) {
    return sinceNanos.values().stream().mapToLong(since -> since + delayNanos).min();
  }

  /** These were given back; only they lose their timer (NM-C6). */
  CidrRelease released(Set<Cidr> cidrs) {
    SortedMap<Cidr, Long> next = new TreeMap<>(sinceNanos);
    next.keySet().removeAll(cidrs);
    return new CidrRelease(previouslyAllocated, next);
  }
}
