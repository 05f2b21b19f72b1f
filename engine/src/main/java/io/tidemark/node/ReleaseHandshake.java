package io.tidemark.node;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.HandshakeState;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The operator's view of the release handshake of one node (node-manager 4): state × event → state.
 * Immutable and pure; times are monotonic nanoseconds.
 *
 * <p>An agent's answer counts only after our own mark was seen back in the object (D-5); what is
 * not attached any more is {@code released} until the agent has dropped it (D-6). One file, because
 * the machine is read as a whole: what an address may become, and what makes it so.
 */
final class ReleaseHandshake {
  /** Nothing adopted yet: the first object and inventory decide. Publishes what it finds. */
  static final ReleaseHandshake UNADOPTED = new ReleaseHandshake(new TreeMap<>(), false);

  /** Nothing to follow. */
  static final ReleaseHandshake NONE = new ReleaseHandshake(new TreeMap<>(), true);

  /** How far one address is. */
  enum Phase {
    /** Surplus for a while; not on the wire. */
    CANDIDATE(null),
    /** We asked the agent. */
    MARKED(HandshakeState.MARKED_FOR_RELEASE),
    /** The agent promised not to use it. */
    READY(HandshakeState.READY_FOR_RELEASE),
    /** The agent refused. */
    REFUSED(HandshakeState.DO_NOT_RELEASE),
    /** No longer attached. */
    RELEASED(HandshakeState.RELEASED);

    private final @Nullable HandshakeState wire;

    Phase(@Nullable HandshakeState wire) {
      this.wire = wire;
    }

    /** What stands in the object; empty when nothing does. */
    Optional<HandshakeState> wire() {
      return Optional.ofNullable(wire);
    }
  }

  /**
   * One address.
   *
   * @param sinceNanos when it was first continuously surplus
   * @param seen our state was seen back in the object
   */
  record Entry(Phase phase, long sinceNanos, boolean seen) {}

  private final SortedMap<IpAddress, Entry> entries;
  private final boolean adopted;

  private ReleaseHandshake(SortedMap<IpAddress, Entry> entries, boolean adopted) {
    this.entries = entries;
    this.adopted = adopted;
  }

  private static ReleaseHandshake of(SortedMap<IpAddress, Entry> entries) {
    return entries.isEmpty() ? NONE : new ReleaseHandshake(entries, true);
  }

  /** Whether there is nothing to follow. */
  boolean isEmpty() {
    return entries.isEmpty();
  }

  /** Whether the next step of some address is the operator's. */
  boolean isOurTurn() {
    for (Entry entry : entries.values()) {
      if (entry.phase() != Phase.MARKED && entry.phase() != Phase.RELEASED) {
        return true;
      }
    }
    return false;
  }

  /** Entries by address; for reports. */
  SortedMap<IpAddress, Entry> entries() {
    return java.util.Collections.unmodifiableSortedMap(entries);
  }

  /**
   * Takes over what an earlier process left in the object (D-6, N13): the first read counts as our
   * mark seen; what is not attached any more is released. Does nothing after the first time.
   */
  ReleaseHandshake adopt(
      SortedMap<IpAddress, HandshakeState> wire, Predicate<IpAddress> attached, long now) {
    if (adopted) {
      return this;
    }
    SortedMap<IpAddress, Entry> next = new TreeMap<>();
    wire.forEach(
        (address, state) -> {
          if (state == HandshakeState.RELEASED) {
            next.put(address, new Entry(Phase.RELEASED, now, true));
          } else if (!attached.test(address)) {
            next.put(address, new Entry(Phase.RELEASED, now, false));
          } else if (state == HandshakeState.MARKED_FOR_RELEASE) {
            next.put(address, new Entry(Phase.MARKED, now, true));
          } else if (state == HandshakeState.READY_FOR_RELEASE) {
            next.put(address, new Entry(Phase.READY, now, true));
          } else {
            next.put(address, new Entry(Phase.REFUSED, now, true));
          }
        });
    return of(next);
  }

  /** The object was seen: by watch, or as the answer of a write (4.5 a, 4.5 d, D-5). */
  ReleaseHandshake seen(SortedMap<IpAddress, HandshakeState> wire, Predicate<IpAddress> attached) {
    if (entries.isEmpty()) {
      return this;
    }
    SortedMap<IpAddress, Entry> next = new TreeMap<>();
    boolean changed = false;
    for (Map.Entry<IpAddress, Entry> each : entries.entrySet()) {
      Optional<HandshakeState> state = Optional.ofNullable(wire.get(each.getKey()));
      Optional<Entry> after = seen(each.getValue(), state, attached.test(each.getKey()));
      after.ifPresent(entry -> next.put(each.getKey(), entry));
      changed |= !after.equals(Optional.of(each.getValue()));
    }
    return changed ? of(next) : this;
  }

  private static Optional<Entry> seen(
      Entry entry, Optional<HandshakeState> wire, boolean attached) {
    return switch (entry.phase()) {
      case CANDIDATE -> Optional.of(entry);
      case RELEASED -> seenReleased(entry, wire, attached);
      case MARKED, READY, REFUSED ->
          Optional.of(
              attached
                  ? seenMarked(entry, wire)
                  : new Entry(Phase.RELEASED, entry.sinceNanos(), false));
    };
  }

  /** Finished when the agent dropped it, or when the address is back (4.6, C-18). */
  private static Optional<Entry> seenReleased(
      Entry entry, Optional<HandshakeState> wire, boolean attached) {
    if (attached && entry.seen()) {
      return Optional.empty();
    }
    if (wire.isEmpty()) {
      return entry.seen() ? Optional.empty() : Optional.of(entry);
    }
    boolean published = wire.get() == HandshakeState.RELEASED;
    return Optional.of(
        published == entry.seen()
            ? entry
            : new Entry(Phase.RELEASED, entry.sinceNanos(), published || entry.seen()));
  }

  private static Entry seenMarked(Entry entry, Optional<HandshakeState> wire) {
    if (wire.isEmpty()) {
      // Somebody erased our mark: an answer that stood on it no longer binds the agent.
      return entry.phase() == Phase.MARKED && !entry.seen()
          ? entry
          : new Entry(Phase.MARKED, entry.sinceNanos(), false);
    }
    Phase phase =
        switch (wire.get()) {
          case READY_FOR_RELEASE -> entry.seen() ? Phase.READY : Phase.MARKED;
          case DO_NOT_RELEASE -> entry.seen() ? Phase.REFUSED : Phase.MARKED;
          default -> Phase.MARKED;
        };
    boolean seen = entry.seen() || wire.get() == HandshakeState.MARKED_FOR_RELEASE;
    return phase == entry.phase() && seen == entry.seen()
        ? entry
        : new Entry(phase, entry.sinceNanos(), seen);
  }

  /**
   * One pass listed these addresses as surplus (4.5 b–e, 4.6): times new ones, marks those surplus
   * for {@code delayNanos}, gives up what is not listed or was refused. Nothing is marked while the
   * object still shows an entry of it that was given up: that one's withdrawal may be under way,
   * and an answer to it is none to the new mark.
   *
   * @param inObject addresses that have an entry in the object
   */
  ReleaseHandshake candidates(
      AddressSet listed, Set<IpAddress> inObject, long now, long delayNanos) {
    if (entries.isEmpty() && listed.isEmpty()) {
      return this;
    }
    SortedMap<IpAddress, Entry> next = new TreeMap<>();
    entries.forEach(
        (address, entry) -> {
          boolean stays =
              entry.phase() == Phase.RELEASED
                  || (listed.contains(address) && entry.phase() != Phase.REFUSED);
          if (stays) {
            next.put(address, entry);
          }
        });
    for (IpAddress address : listed) {
      Entry known = entries.get(address);
      Entry entry = known == null ? new Entry(Phase.CANDIDATE, now, false) : known;
      if (entry.phase() == Phase.CANDIDATE) {
        next.put(address, inObject.contains(address) ? entry : due(entry, now, delayNanos));
      }
    }
    return next.equals(entries) ? this : of(next);
  }

  private static Entry due(Entry candidate, long now, long delayNanos) {
    return now - candidate.sinceNanos() >= delayNanos
        ? new Entry(Phase.MARKED, candidate.sinceNanos(), false)
        : candidate;
  }

  /** Gives up these addresses; released ones stay. */
  ReleaseHandshake without(AddressSet addresses) {
    SortedMap<IpAddress, Entry> next = new TreeMap<>();
    entries.forEach(
        (address, entry) -> {
          if (entry.phase() == Phase.RELEASED || !addresses.contains(address)) {
            next.put(address, entry);
          }
        });
    return next.size() == entries.size() ? this : of(next);
  }

  /** The cloud confirmed that these are gone. */
  ReleaseHandshake released(AddressSet addresses, long now) {
    SortedMap<IpAddress, Entry> next = new TreeMap<>(entries);
    for (IpAddress address : addresses) {
      Entry entry = entries.get(address);
      next.put(address, new Entry(Phase.RELEASED, entry == null ? now : entry.sinceNanos(), false));
    }
    return of(next);
  }

  /** Addresses whose agent promised not to use them. */
  AddressSet ready() {
    return inPhase(Phase.READY);
  }

  /** Addresses whose agent refused. */
  AddressSet refused() {
    return inPhase(Phase.REFUSED);
  }

  /** Addresses in {@code phase}. */
  AddressSet inPhase(Phase phase) {
    List<IpAddress> found = new ArrayList<>();
    entries.forEach(
        (address, entry) -> {
          if (entry.phase() == phase) {
            found.add(address);
          }
        });
    return AddressSet.copyOf(found);
  }

  /** Number of addresses by what the object says of them, or soon will. */
  Map<HandshakeState, Integer> countByWireState() {
    if (entries.isEmpty()) {
      return Map.of();
    }
    Map<HandshakeState, Integer> counts = new java.util.EnumMap<>(HandshakeState.class);
    for (Entry entry : entries.values()) {
      entry.phase().wire().ifPresent(state -> counts.merge(state, 1, Integer::sum));
    }
    return counts;
  }

  /** When the next candidate becomes due for its mark. */
  OptionalLong nextDueNanos(long delayNanos) {
    OptionalLong earliest = OptionalLong.empty();
    for (Entry entry : entries.values()) {
      if (entry.phase() == Phase.CANDIDATE) {
        long due = entry.sinceNanos() + delayNanos;
        if (earliest.isEmpty() || due - earliest.getAsLong() < 0) {
          earliest = OptionalLong.of(due);
        }
      }
    }
    return earliest;
  }

  /**
   * What {@code release-ips} shall say (4.7): our state, the agent's answer where it stands on our
   * mark, and {@code released} for what is in the object's pool but not attached. Before adoption
   * the object's own entries stay.
   *
   * @param wire the entries of the object about to be written
   * @param unattachedInPool addresses of that object's pool which are not attached
   */
  SortedMap<IpAddress, HandshakeState> publish(
      SortedMap<IpAddress, HandshakeState> wire, AddressSet unattachedInPool) {
    if (!adopted) {
      return wire;
    }
    SortedMap<IpAddress, HandshakeState> states = new TreeMap<>();
    entries.forEach(
        (address, entry) -> {
          switch (entry.phase()) {
            case CANDIDATE -> {}
            case RELEASED -> states.put(address, HandshakeState.RELEASED);
            default -> states.put(address, answerOrMark(entry, wire.get(address)));
          }
        });
    for (IpAddress address : unattachedInPool) {
      states.put(address, HandshakeState.RELEASED);
    }
    return states;
  }

  private static HandshakeState answerOrMark(Entry entry, @Nullable HandshakeState wire) {
    boolean answered =
        wire == HandshakeState.READY_FOR_RELEASE || wire == HandshakeState.DO_NOT_RELEASE;
    return answered && wire != null && entry.seen() ? wire : HandshakeState.MARKED_FOR_RELEASE;
  }

  @Override
  public String toString() {
    return "ReleaseHandshake" + entries;
  }
}
