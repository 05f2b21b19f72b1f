package io.tidemark.datastore;

import io.tidemark.datastore.AddressSlot.Use;
import io.tidemark.datastore.AssignOutcome.Reason;
import io.tidemark.datastore.PoolView.CidrView;
import io.tidemark.datastore.PoolView.EniView;
import io.tidemark.datastore.checkpoint.CheckpointEntry;
import io.tidemark.datastore.checkpoint.IpamKey;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.time.CoolingQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.ObjLongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The interfaces and addresses of one network card in memory. An address is free, or it has an
 * {@link AddressSlot}. Addresses of the fullest interface are assigned first, and there those of
 * the fullest prefix, the lowest first; so others become empty and can be given back.
 *
 * <p>Mutable and not thread-safe: the lock of a {@link DataStore} guards it. {@code now} is
 * monotonic time in nanoseconds.
 */
final class StorePool {
  /** How many of the lowest addresses of a large block are taken for used before. */
  private static final int LIKELY_USED = 1024;

  private final CidrKind mode;
  private final CooldownRule rule;
  private final SortedMap<String, EniState> enis = new TreeMap<>();
  private final NavigableMap<IpAddress, CidrState> cidrs = new TreeMap<>();
  private final Map<IpAddress, AddressSlot> slots = new HashMap<>();
  private final KeyIndex keys = new KeyIndex();
  private final CoolingQueue<AddressSlot> cooling = new CoolingQueue<>();
  private final RoomList<EniState> ipv4 = new RoomList<>();
  private final RoomList<EniState> ipv6 = new RoomList<>();

  /** When addresses that have left were released: they may come back. */
  private final Map<IpAddress, Long> gone = new HashMap<>();

  StorePool(CidrKind mode, CooldownRule rule) {
    this.mode = mode;
    this.rule = rule;
  }

  CidrKind mode() {
    return mode;
  }

  // ---- interfaces and what they have

  @Nullable EniState eni(String id) {
    return enis.get(id);
  }

  EniState addEni(EniSpec spec, long now) {
    EniState eni = new EniState(spec, now);
    enis.put(spec.id(), eni);
    eni.room(IpFamily.IPV4).slot = ipv4.add(eni);
    eni.room(IpFamily.IPV6).slot = ipv6.add(eni);
    return eni;
  }

  /** Removes an interface of which no address is in use. */
  void removeEni(EniState eni, long now) {
    List.copyOf(eni.cidrs).forEach(cidr -> removeCidr(cidr, now));
    ipv4.remove(eni.room(IpFamily.IPV4).slot);
    ipv6.remove(eni.room(IpFamily.IPV6).slot);
    enis.remove(eni.spec.id());
  }

  /** After a change of whether it takes pods. */
  void refresh(EniState eni) {
    refresh(eni, IpFamily.IPV4);
    refresh(eni, IpFamily.IPV6);
  }

  private void refresh(EniState eni, IpFamily family) {
    EniState.Room room = eni.room(family);
    long free = eni.takesPods() ? Math.min(room.free, CidrState.WINDOW) : 0;
    rooms(family).setFree(room.slot, (int) free);
  }

  private RoomList<EniState> rooms(IpFamily family) {
    return family == IpFamily.IPV4 ? ipv4 : ipv6;
  }

  /** What overlaps a block; null when nothing does. */
  @Nullable CidrState overlapping(Cidr cidr) {
    Map.Entry<IpAddress, CidrState> below = cidrs.floorEntry(cidr.last());
    return below != null && below.getValue().cidr.overlaps(cidr) ? below.getValue() : null;
  }

  /** The block with this address; null when none has it. */
  @Nullable CidrState cidrOf(IpAddress address) {
    Map.Entry<IpAddress, CidrState> below = cidrs.floorEntry(address);
    return below != null && below.getValue().cidr.contains(address) ? below.getValue() : null;
  }

  /** Adds a block that overlaps nothing; what of it was released not long ago cools. */
  CidrState addCidr(EniState eni, Cidr cidr, CidrKind kind, long now) {
    CidrState state = new CidrState(eni, cidr, kind);
    eni.cidrs.add(state);
    cidrs.put(cidr.first(), state);
    EniState.Room room = eni.room(cidr.family());
    state.slot = room.cidrs.add(state);
    for (IpAddress address : gone.keySet().stream().filter(cidr::contains).sorted().toList()) {
      long released = gone.getOrDefault(address, now);
      cool(address, now - released, now);
      gone.remove(address);
    }
    refresh(state);
    return state;
  }

  /** Removes a block of which no address is in use. */
  void removeCidr(CidrState state, long now) {
    gone.values().removeIf(released -> !rule.cools(now - released));
    forEachSlot(
        state,
        slot -> {
          cooling.remove(slot);
          gone.put(slot.address, slot.releasedNanos);
          free(slot);
        });
    state.returning = true;
    refresh(state);
    state.eni.room(state.cidr.family()).cidrs.remove(state.slot);
    state.eni.cidrs.remove(state);
    cidrs.remove(state.cidr.first());
  }

  /** Visits the slots of a block, in the order of the addresses. */
  void forEachSlot(CidrState state, Consumer<AddressSlot> visitor) {
    if (state.cidr.sizeSaturated() > CidrState.WINDOW) {
      slots.values().stream()
          .filter(slot -> slot.cidr == state)
          .sorted(Comparator.comparing(slot -> slot.address))
          .toList()
          .forEach(visitor);
      return;
    }
    int at = state.addresses.nextTaken(0);
    while (at >= 0) {
      AddressSlot slot = slots.get(state.cidr.address(at));
      if (slot != null) {
        visitor.accept(slot);
      }
      at = state.addresses.nextTaken(at + 1);
    }
  }

  /** After a change of its addresses or of whether it is returned. */
  void refresh(CidrState state) {
    IpFamily family = state.cidr.family();
    int free = isAssignable(state) ? state.addresses.freeCount() : 0;
    EniState.Room room = state.eni.room(family);
    room.free += free - state.room;
    state.room = free;
    room.cidrs.setFree(state.slot, free);
    refresh(state.eni, family);
  }

  private boolean isAssignable(CidrState state) {
    return state.kind == wanted(state.cidr.family()) && !state.returning;
  }

  /** What addresses of a family are assigned from. */
  private CidrKind wanted(IpFamily family) {
    return family == IpFamily.IPV4 ? mode : CidrKind.PREFIX;
  }

  // ---- addresses

  List<AddressSlot> ofKey(IpamKey key) {
    return keys.of(key);
  }

  /** The address of a family that a sandbox has; null when it has none. */
  @Nullable AddressSlot ofKey(IpamKey key, IpFamily family) {
    for (AddressSlot slot : keys.of(key)) {
      if (slot.address.family() == family) {
        return slot;
      }
    }
    return null;
  }

  /** The address that is assigned next; empty when none is free. */
  Optional<IpAddress> next(IpFamily family, long now) {
    endPauses(now);
    EniState eni = rooms(family).fullest();
    CidrState state = eni == null ? null : eni.room(family).cidrs.fullest();
    return state == null
        ? Optional.empty()
        : Optional.of(state.cidr.address(state.addresses.nextFree(0).orElseThrow()));
  }

  /** The address that has cooled longest and may be assigned early; null when there is none. */
  @Nullable AddressSlot nextCooling(IpFamily family, long now) {
    return cooling.poll(
        slot ->
            slot.address.family() == family
                && isAssignable(slot.cidr)
                && slot.cidr.eni.takesPods()
                && rule.isAboveFloor(now - slot.releasedNanos));
  }

  /** Gives a free address, which is here, to a sandbox. */
  AddressSlot hold(IpAddress address, CheckpointEntry entry) {
    AddressSlot slot = take(address);
    assign(slot, entry);
    slot.cidr.inUse++;
    return slot;
  }

  /** Gives an address, which is here, back to its sandbox; false when another one has it. */
  boolean reclaim(IpAddress address, CheckpointEntry entry) {
    AddressSlot slot = slots.get(address);
    if (slot == null) {
      hold(address, entry);
      return true;
    }
    if (slot.use != Use.COOLING) {
      return false;
    }
    cooling.remove(slot);
    hold(slot, entry);
    return true;
  }

  /** Gives a cooling address, which has left the queue, to a sandbox. */
  void hold(AddressSlot cooled, CheckpointEntry entry) {
    cooled.use = Use.ASSIGNED;
    assign(cooled, entry);
    cooled.cidr.cooling--;
    cooled.cidr.inUse++;
  }

  /** Notes another entry of an address that is in use, or the first one. */
  void assign(AddressSlot slot, CheckpointEntry entry) {
    if (slot.entry != null) {
      forget(slot);
    }
    slot.entry = entry;
    keys.add(entry.key(), slot);
  }

  private void forget(AddressSlot slot) {
    keys.remove(slot.key(), slot);
    slot.entry = null;
  }

  /** Takes an address from its sandbox, as if it had never had it; one that cooled cools on. */
  void undo(AddressSlot slot, boolean cooled, long now) {
    if (cooled) {
      release(slot, slot.releasedNanos, now);
    } else {
      forget(slot);
      slot.cidr.inUse--;
      free(slot);
    }
  }

  /** Takes an address from its sandbox; it cools since then. */
  void release(AddressSlot slot, long releasedNanos, long now) {
    forget(slot);
    slot.cidr.inUse--;
    if (rule.cools(now - releasedNanos)) {
      slot.use = Use.COOLING;
      slot.releasedNanos = releasedNanos;
      slot.cidr.cooling++;
      cooling.add(slot, releasedNanos);
    } else {
      free(slot);
    }
  }

  /** An address that was released {@code age} ago cools for the rest, here or when it comes. */
  void cool(IpAddress address, long age, long now) {
    CidrState state = cidrOf(address);
    if (!rule.cools(age) || slots.containsKey(address)) {
      return;
    }
    if (state == null) {
      gone.put(address, now - age);
    } else {
      AddressSlot slot = take(address);
      slot.use = Use.COOLING;
      slot.releasedNanos = now - age;
      state.cooling++;
      cooling.add(slot, slot.releasedNanos);
    }
  }

  /**
   * Every address that is free cools from now on. Of a large block those that may have been in use:
   * the lowest are assigned first.
   */
  void coolAll(long now) {
    for (CidrState state : cidrs.values()) {
      int end = state.addresses.capacity();
      if (end > LIKELY_USED) {
        int highest = -1;
        for (int at = state.addresses.nextTaken(0); at >= 0; ) {
          highest = at;
          at = state.addresses.nextTaken(at + 1);
        }
        end = Math.min(end, Math.max(LIKELY_USED, 2 * (highest + 1)));
      }
      for (int at = 0; at < end; at++) {
        cool(state.cidr.address(at), 0, now);
      }
    }
  }

  /** Hands over what cools, here or since it has left, and when it was released. */
  void forEachCooling(ObjLongConsumer<IpAddress> visitor) {
    cooling.forEach((slot, nanos) -> visitor.accept(slot.address, nanos));
    gone.forEach(visitor::accept);
  }

  private void endPauses(long now) {
    while (!cooling.isEmpty() && !rule.cools(now - cooling.headNanos())) {
      free(cooling.poll());
    }
  }

  private AddressSlot take(IpAddress address) {
    CidrState state = cidrOf(address);
    if (state == null) {
      throw new IllegalStateException(address + " is not here");
    }
    long index = state.cidr.indexOf(address);
    int position = index < state.addresses.capacity() ? (int) index : -1;
    if (position >= 0) {
      state.addresses.allocate(position);
    }
    AddressSlot slot = new AddressSlot(state, position, address, Use.ASSIGNED);
    slots.put(address, slot);
    refresh(state);
    return slot;
  }

  private void free(AddressSlot slot) {
    if (slot.use == Use.COOLING) {
      slot.cidr.cooling--;
    }
    slots.remove(slot.address);
    if (slot.position >= 0) {
      slot.cidr.addresses.free(slot.position);
    }
    refresh(slot.cidr);
  }

  @Nullable AddressSlot slot(IpAddress address) {
    return slots.get(address);
  }

  /** Why there is no {@link #next}. */
  Reason emptiness(IpFamily family) {
    Reason reason = Reason.EMPTY;
    for (CidrState state : cidrs.values()) {
      Reason one =
          state.cidr.family() != family
              ? Reason.EMPTY
              : state.kind != wanted(family)
                  ? Reason.WRONG_MODE
                  : !state.eni.takesPods() || state.returning
                      ? Reason.EXCLUDED
                      : state.cooling == 0 ? Reason.ALL_ASSIGNED : Reason.ALL_COOLING;
      reason = one.compareTo(reason) > 0 ? one : reason;
    }
    return reason;
  }

  // ---- what it shows

  PoolView view(long now) {
    endPauses(now);
    List<EniView> all = new ArrayList<>();
    for (EniState eni : enis.values()) {
      all.add(view(eni, now));
    }
    return new PoolView(mode, all);
  }

  EniView view(EniState eni, long now) {
    endPauses(now);
    List<CidrView> blocks = new ArrayList<>(eni.cidrs.size());
    for (CidrState each : eni.cidrs) {
      long size = each.cidr.sizeSaturated();
      blocks.add(
          new CidrView(each.cidr, each.kind, size, each.inUse, each.cooling, each.returning));
    }
    blocks.sort(Comparator.comparing(CidrView::cidr));
    Duration age = Duration.ofNanos(now - eni.addedNanos);
    return new EniView(eni.spec, eni.excluded, eni.draining, age, blocks);
  }

  /** What is not in use and does not cool, first that of the interfaces with the fewest pods. */
  List<CidrState> wholeCidrs(long now) {
    endPauses(now);
    Map<EniState, Integer> pods = new HashMap<>();
    enis.values().forEach(eni -> pods.put(eni, eni.inUse()));
    return cidrs.values().stream()
        .filter(each -> each.isWhole() && !each.returning)
        .sorted(
            Comparator.comparingInt((CidrState each) -> pods.getOrDefault(each.eni, 0))
                .thenComparing(each -> each.eni.spec.deviceNumber(), Comparator.reverseOrder())
                .thenComparing(each -> each.cidr))
        .toList();
  }

  /** Visits what is assigned, in the order of the addresses. */
  void forEachAssigned(Consumer<AddressSlot> visitor) {
    slots.values().stream()
        .filter(slot -> slot.entry != null)
        .sorted(Comparator.comparing(slot -> slot.address))
        .forEach(visitor);
  }
}
