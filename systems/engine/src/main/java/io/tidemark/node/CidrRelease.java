package io.tidemark.node;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpFamily;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Release without a handshake, for multi-pool agents (node-manager 4.9): a CIDR that the agent
 * drops and does not take back for the delay is given back, down to min-allocate. Immutable and
 * pure; monotonic nanoseconds.
 *
 * @param previouslyAllocated the CIDRs that the agent held at the last look; empty before the first
 * @param unoffered unwanted CIDRs that the object did not offer at the last look
 * @param timers CIDRs on their way out, with the time their timer began
 * @param shown addresses on the object that the agent wrote last
 */
record CidrRelease(
    Optional<Set<Cidr>> previouslyAllocated,
    Set<Cidr> unoffered,
    SortedMap<Cidr, Long> timers,
    AddressSet shown) {
  private static final int NAMED_MAX = 8;

  /** How long an agent may leave an offer alone. */
  private static final Duration OFFER_GRACE = Duration.ofMinutes(1);

  static final CidrRelease UNSEEDED =
      new CidrRelease(Optional.empty(), Set.of(), new TreeMap<>(), AddressSet.of());

  /** Of an agent that was no multi-pool one when the node was first looked at: all is new to it. */
  static final CidrRelease NOTHING_BEFORE =
      new CidrRelease(Optional.of(Set.of()), Set.of(), new TreeMap<>(), AddressSet.of());

  /**
   * Blocks on offer that a multi-pool agent does not list, although it wants more than it lists
   * (A79).
   *
   * @param cidrs none when all is well
   * @param sinceNanos when the first of them was seen in this state
   */
  record OfferNotTaken(Set<Cidr> cidrs, long sinceNanos) {
    static final OfferNotTaken NONE = new OfferNotTaken(Set.of(), 0);

    /** As {@link CidrRelease#observe}; {@code demanded} are the addresses that the agent wants. */
    OfferNotTaken observe(
        Set<Cidr> allocated, Set<Cidr> attached, AddressSet offered, long demanded, long now) {
      long lacking = demanded;
      Set<Cidr> left = new TreeSet<>();
      for (Cidr cidr : attached) {
        if (cidr.family() == IpFamily.IPV4 && isHeld(cidr, allocated)) {
          lacking -= cidr.sizeSaturated();
        } else if (cidr.family() == IpFamily.IPV4 && containsAll(offered, cidr)) {
          left.add(cidr);
        }
      }
      if (lacking <= 0 || left.isEmpty()) {
        return NONE;
      }
      return new OfferNotTaken(left, cidrs.isEmpty() ? now : sinceNanos);
    }

    long addresses() {
      return cidrs.stream().mapToLong(Cidr::sizeSaturated).sum();
    }

    boolean isOverdue(long now) {
      return !cidrs.isEmpty() && now - sinceNanos >= OFFER_GRACE.toNanos();
    }

    /** When it will be overdue; only instants to come. */
    OptionalLong graceEnd(long now) {
      OptionalLong end = OptionalLong.of(sinceNanos + OFFER_GRACE.toNanos());
      return cidrs.isEmpty()
          ? OptionalLong.empty()
          : NodeEnvironment.earlier(OptionalLong.empty(), end, now);
    }

    /** For people, with its age. */
    String text(long now) {
      long seconds = Duration.ofNanos(now - sinceNanos).toSeconds();
      return addresses() + " for " + seconds + " s: " + named();
    }

    /** The problem of the agent. */
    Blocked warning() {
      return new Blocked(
          BlockedReason.OFFER_NOT_TAKEN,
          "the agent wants more addresses than it lists in spec.ipam.pools.allocated, and leaves"
              + " out "
              + addresses()
              + " that are on offer: "
              + named());
    }

    /** The blocks by name, if they are few. */
    private String named() {
      String named =
          cidrs.stream().limit(NAMED_MAX).map(Cidr::toString).collect(Collectors.joining(", "));
      int more = cidrs.size() - NAMED_MAX;
      return more > 0 ? named + " and " + more + " more" : named;
    }
  }

  /**
   * The agent wrote on an object that offers these: what of them it leaves out, it does not want,
   * whether it was seen to hold it or not, and whether the cloud has shown it yet or not.
   */
  CidrRelease wroteSeeing(AddressSet offered) {
    return new CidrRelease(previouslyAllocated, unoffered, timers, offered);
  }

  /**
   * Compares what the agent holds with what it held (NM-C1…C4), or could have taken up. A timer
   * runs only while the object offers the CIDR, and from its start when another operator had it
   * taken away meanwhile: the agent must have the delay to take it up.
   *
   * @param allocated CIDRs the agent holds
   * @param attached CIDRs attached in the cloud
   * @param offered addresses that the object offers
   */
  CidrRelease observe(Set<Cidr> allocated, Set<Cidr> attached, AddressSet offered, long now) {
    Set<Cidr> before = previouslyAllocated.orElse(attached);
    Set<Cidr> waiting = new TreeSet<>();
    SortedMap<Cidr, Long> next = new TreeMap<>();
    for (Cidr cidr : attached) {
      if (!isHeld(cidr, allocated)) {
        Long since = timers.get(cidr);
        boolean leftOut = containsAll(shown, cidr);
        boolean unwanted =
            since != null || leftOut || isHeld(cidr, before) || unoffered.contains(cidr);
        if (unwanted && containsAll(offered, cidr)) {
          next.put(cidr, since == null ? now : since);
        } else if (unwanted) {
          waiting.add(cidr);
        }
      }
    }
    return new CidrRelease(Optional.of(Set.copyOf(allocated)), waiting, next, shown);
  }

  /**
   * Whether an agent that lists these holds this one, or a part of it: where the object shows a
   * block by its addresses alone, the agent lists these one by one (NM-C9).
   */
  static boolean isHeld(Cidr cidr, Set<Cidr> listed) {
    return listed.contains(cidr)
        || (!cidr.isSingle() && listed.stream().anyMatch(each -> cidr.contains(each.first())));
  }

  private static boolean containsAll(AddressSet addresses, Cidr cidr) {
    return addresses.countIn(cidr) == cidr.sizeSaturated();
  }

  /**
   * The CIDRs that may go, now or when their delay is over: the oldest first, as long as {@code
   * minAllocate} stays attached. An agent that holds less than it demands gets others for what it
   * left alone, whatever the floor.
   *
   * @param releasable what can go at all
   * @param available attached addresses
   * @param needed addresses that are missing and asked for
   * @param demanded addresses that the agent wants to hold
   */
  Set<Cidr> spare(Set<Cidr> releasable, int available, int needed, int minAllocate, long demanded) {
    long aboveFloor = (long) available - minAllocate;
    long lacking = demanded - available - needed;
    for (Cidr cidr : timers.keySet()) {
      lacking += cidr.sizeSaturated();
    }
    Set<Cidr> spare = new TreeSet<>();
    for (Cidr cidr : oldestFirst()) {
      if (releasable.contains(cidr) && (cidr.sizeSaturated() <= aboveFloor || lacking > 0)) {
        spare.add(cidr);
        aboveFloor -= cidr.sizeSaturated();
        lacking -= cidr.sizeSaturated();
      }
    }
    return spare;
  }

  private List<Cidr> oldestFirst() {
    return timers.entrySet().stream()
        .sorted((a, b) -> Long.signum(a.getValue() - b.getValue()))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** CIDRs timed for {@code delayNanos} or more (NM-C5). */
  Set<Cidr> due(long now, long delayNanos) {
    Set<Cidr> due = new TreeSet<>(timers.keySet());
    due.removeIf(cidr -> now - timers.getOrDefault(cidr, now) < delayNanos);
    return due;
  }

  /** When the next timer is due; only instants to come. */
  OptionalLong nextDueNanos(long now, long delayNanos) {
    OptionalLong due = OptionalLong.empty();
    for (long since : timers.values()) {
      due = NodeEnvironment.earlier(due, OptionalLong.of(since + delayNanos), now);
    }
    return due;
  }

  /** These were given back; only they lose their timer (NM-C6). When one returns it is new. */
  CidrRelease released(Set<Cidr> cidrs) {
    SortedMap<Cidr, Long> next = new TreeMap<>(timers);
    next.keySet().removeAll(cidrs);
    AddressSet stillShown = shown;
    for (Cidr cidr : cidrs) {
      stillShown = stillShown.minus(shown.within(cidr));
    }
    return new CidrRelease(previouslyAllocated, unoffered, next, stillShown);
  }
}
