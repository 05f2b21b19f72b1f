package io.tidemark.node;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.HandshakeState;
import io.tidemark.spi.ReleaseAction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;

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

  static final ReleaseHandshake NONE = new ReleaseHandshake(new TreeMap<>(), true);

  /** The agent uses the address, or one of the same block. */
  static final String REFUSED = "refused";

  /** The node misses addresses now. */
  static final String NEEDED = "needed";

  /** It is no surplus any more, or another interface is to give back. */
  static final String NOT_SURPLUS = "not-surplus";

  private final SortedMap<IpAddress, HandshakeEntry> entries;
  private final boolean adopted;

  private ReleaseHandshake(SortedMap<IpAddress, HandshakeEntry> entries, boolean adopted) {
    this.entries = entries;
    this.adopted = adopted;
  }

  private static ReleaseHandshake of(SortedMap<IpAddress, HandshakeEntry> entries) {
    return entries.isEmpty() ? NONE : new ReleaseHandshake(entries, true);
  }

  boolean isEmpty() {
    return entries.isEmpty();
  }

  /** Whether the next step of some address is the operator's. */
  boolean isOurTurn() {
    for (HandshakeEntry entry : entries.values()) {
      if (entry.phase() != HandshakeEntry.Phase.MARKED
          && entry.phase() != HandshakeEntry.Phase.RELEASED) {
        return true;
      }
    }
    return false;
  }

  /** Entries by address; for reports. */
  SortedMap<IpAddress, HandshakeEntry> entries() {
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
    SortedMap<IpAddress, HandshakeEntry> next = new TreeMap<>();
    wire.forEach(
        (address, state) -> {
          boolean released = state == HandshakeState.RELEASED;
          boolean held = !released && attached.test(address);
          next.put(
              address,
              held
                  ? new HandshakeEntry(HandshakeEntry.Phase.MARKED, now, true)
                      .seenMarked(Optional.of(state))
                  : new HandshakeEntry(HandshakeEntry.Phase.RELEASED, now, released));
        });
    return of(next);
  }

  /** The object was seen: by watch, or as the answer of a write (4.5 a, 4.5 d, D-5). */
  ReleaseHandshake seen(SortedMap<IpAddress, HandshakeState> wire, Predicate<IpAddress> attached) {
    if (entries.isEmpty()) {
      return this;
    }
    SortedMap<IpAddress, HandshakeEntry> next = new TreeMap<>();
    boolean changed = false;
    for (Map.Entry<IpAddress, HandshakeEntry> each : entries.entrySet()) {
      Optional<HandshakeState> state = Optional.ofNullable(wire.get(each.getKey()));
      Optional<HandshakeEntry> after = each.getValue().seen(state, attached.test(each.getKey()));
      after.ifPresent(entry -> next.put(each.getKey(), entry));
      changed |= !after.equals(Optional.of(each.getValue()));
    }
    return changed ? of(next) : this;
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
    SortedMap<IpAddress, HandshakeEntry> next = new TreeMap<>();
    entries.forEach(
        (address, entry) -> {
          boolean stays =
              entry.phase() == HandshakeEntry.Phase.RELEASED
                  || (listed.contains(address) && entry.phase() != HandshakeEntry.Phase.REFUSED);
          if (stays) {
            next.put(address, entry);
          }
        });
    for (IpAddress address : listed) {
      HandshakeEntry known = entries.get(address);
      HandshakeEntry entry =
          known == null ? new HandshakeEntry(HandshakeEntry.Phase.CANDIDATE, now, false) : known;
      if (entry.phase() == HandshakeEntry.Phase.CANDIDATE) {
        next.put(address, inObject.contains(address) ? entry : entry.due(now, delayNanos));
      }
    }
    return next.equals(entries) ? this : of(next);
  }

  /** Nothing is surplus: every handshake but the finished ones is given up (4.6). */
  ReleaseHandshake abort() {
    return candidates(AddressSet.of(), Set.of(), 0, 0);
  }

  /**
   * One step for a planned release (4.5).
   *
   * @param inObject addresses that have an entry in the object
   * @param used addresses in use, as the newest object says
   */
  Step step(
      ReleaseAction candidates,
      Set<IpAddress> inObject,
      AddressSet used,
      long now,
      long delayNanos) {
    AddressSet refused = refused();
    ReleaseHandshake left = this;
    if (!refused.isEmpty()) {
      for (Cidr block : candidates.blocks()) {
        if (refused.containsAny(block)) {
          left = left.without(AddressSet.ofRange(block));
        }
      }
    }
    ReleaseHandshake after = left.candidates(candidates.allAddresses(), inObject, now, delayNanos);
    AddressSet ready = after.ready().minus(used);
    if (ready.isEmpty()) {
      return new Step(after, Optional.empty());
    }
    List<Cidr> blocks =
        candidates.blocks().stream()
            .filter(block -> ready.countIn(block) == block.sizeSaturated())
            .toList();
    ReleaseAction releasable = candidates.only(candidates.addresses().intersect(ready), blocks);
    return new Step(after, Optional.of(releasable).filter(action -> !action.isEmpty()));
  }

  /**
   * The end of a step.
   *
   * @param releasable what may go to the cloud now: acknowledged, unused, blocks only whole (D-7)
   */
  record Step(ReleaseHandshake handshake, Optional<ReleaseAction> releasable) {}

  /**
   * Number of addresses whose handshake the decision that led to {@code after} gave up, by reason
   * (4.6, 7).
   *
   * @param candidates what the plan would give back; empty when it gives back nothing
   * @param needed addresses that are missing
   */
  Map<String, Integer> abortsTo(ReleaseHandshake after, AddressSet candidates, int needed) {
    Map<String, Integer> aborts = new TreeMap<>();
    entries.forEach(
        (address, entry) -> {
          boolean underWay =
              switch (entry.phase()) {
                case MARKED, READY, REFUSED -> true;
                case CANDIDATE, RELEASED -> false;
              };
          if (underWay && !after.entries.containsKey(address)) {
            boolean refused =
                entry.phase() == HandshakeEntry.Phase.REFUSED || candidates.contains(address);
            String otherwise = needed > 0 ? NEEDED : NOT_SURPLUS;
            aborts.merge(refused ? REFUSED : otherwise, 1, Integer::sum);
          }
        });
    return aborts;
  }

  /** Gives up these addresses; released ones stay. */
  ReleaseHandshake without(AddressSet addresses) {
    SortedMap<IpAddress, HandshakeEntry> next = new TreeMap<>();
    entries.forEach(
        (address, entry) -> {
          if (entry.phase() == HandshakeEntry.Phase.RELEASED || !addresses.contains(address)) {
            next.put(address, entry);
          }
        });
    return next.size() == entries.size() ? this : of(next);
  }

  ReleaseHandshake released(AddressSet addresses, long now) {
    SortedMap<IpAddress, HandshakeEntry> next = new TreeMap<>(entries);
    for (IpAddress address : addresses) {
      HandshakeEntry entry = entries.get(address);
      next.put(
          address,
          new HandshakeEntry(
              HandshakeEntry.Phase.RELEASED, entry == null ? now : entry.sinceNanos(), false));
    }
    return of(next);
  }

  AddressSet ready() {
    return inPhase(HandshakeEntry.Phase.READY);
  }

  AddressSet refused() {
    return inPhase(HandshakeEntry.Phase.REFUSED);
  }

  AddressSet inPhase(HandshakeEntry.Phase phase) {
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
    for (HandshakeEntry entry : entries.values()) {
      entry.phase().wire().ifPresent(state -> counts.merge(state, 1, Integer::sum));
    }
    return counts;
  }

  /** When the next candidate becomes due for its mark. */
  OptionalLong nextDueNanos(long delayNanos) {
    OptionalLong earliest = OptionalLong.empty();
    for (HandshakeEntry entry : entries.values()) {
      if (entry.phase() == HandshakeEntry.Phase.CANDIDATE) {
        long due = entry.sinceNanos() + delayNanos;
        if (earliest.isEmpty() || due - earliest.getAsLong() < 0) {
          earliest = OptionalLong.of(due);
        }
      }
    }
    return earliest;
  }

  /**
   * The required content of {@code release-ips} (4.7): our state, the agent's answer where it
   * replies to our mark, and {@code released} for what is in the object's pool but not attached.
   * Before adoption the object's own entries stay.
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
            default -> states.put(address, entry.published(wire.get(address)));
          }
        });
    for (IpAddress address : unattachedInPool) {
      states.put(address, HandshakeState.RELEASED);
    }
    return states;
  }

  @Override
  public String toString() {
    return "ReleaseHandshake" + entries;
  }
}
