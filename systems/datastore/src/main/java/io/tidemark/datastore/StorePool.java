package io.tidemark.datastore;

import io.tidemark.datastore.AddressSlot.Use;
import io.tidemark.datastore.PoolView.EniView;
import io.tidemark.datastore.checkpoint.CheckpointEntry;
import io.tidemark.datastore.checkpoint.IpamKey;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.ObjLongConsumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The addresses of one network card in memory. An address is free, or it has an {@link
 * AddressSlot}. Addresses of the fullest interface are assigned first, and there those of the
 * fullest prefix, the lowest first; so others become empty and can be given back.
 *
 * <p>Mutable and not thread-safe: the lock of a {@link DataStore} guards it. {@code now} is
 * monotonic time in nanoseconds.
 */
final class StorePool {
  final PoolBlocks blocks;

  private final CooldownRule rule;
  private final Map<IpAddress, AddressSlot> slots = new HashMap<>();

  /** The addresses of each sandbox: one, or one of each family, or more after a recovery. */
  private final Map<IpamKey, List<AddressSlot>> byKey = new HashMap<>();

  private final CoolingAddresses cooling;

  StorePool(CidrKind mode, CooldownRule rule) {
    this.blocks = new PoolBlocks(mode);
    this.rule = rule;
    this.cooling = new CoolingAddresses(rule);
  }

  // ---- interfaces and what they have

  /** Removes an interface of which no address is in use. */
  void removeEni(EniState eni, long now) {
    List.copyOf(eni.cidrs).forEach(cidr -> removeCidr(cidr, now));
    blocks.remove(eni);
  }

  /** Adds a block that overlaps no other; its recently released addresses cool. */
  CidrState addCidr(EniState eni, Cidr cidr, CidrKind kind, long now) {
    CidrState state = blocks.add(eni, cidr, kind);
    cooling.comeBack(cidr, (address, released) -> cool(address, now - released, now));
    return state;
  }

  /** Removes a block of which no address is in use. */
  void removeCidr(CidrState state, long now) {
    cooling.forgetEnded(now);
    forEachSlot(
        state,
        slot -> {
          cooling.leave(slot);
          free(slot);
        });
    blocks.remove(state);
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

  // ---- addresses

  List<AddressSlot> ofKey(IpamKey key) {
    return byKey.getOrDefault(key, List.of());
  }

  /** The address of a family that a sandbox has; null when it has none. */
  @Nullable AddressSlot ofKey(IpamKey key, IpFamily family) {
    for (AddressSlot slot : byKey.getOrDefault(key, List.of())) {
      if (slot.address.family() == family) {
        return slot;
      }
    }
    return null;
  }

  /** The address that is assigned next; empty when none is free. */
  Optional<IpAddress> next(IpFamily family, long now) {
    endPauses(now);
    CidrState state = blocks.fullest(family);
    return state == null
        ? Optional.empty()
        : Optional.of(state.cidr.address(state.addresses.nextFree(0).orElseThrow()));
  }

  /** The address that has cooled longest and may be assigned early; null when there is none. */
  @Nullable AddressSlot nextCooling(IpFamily family, long now) {
    return cooling.pollEarly(
        slot ->
            slot.address.family() == family
                && blocks.isAssignable(slot.cidr)
                && slot.cidr.eni.takesPods(),
        now);
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
    byKey.merge(
        entry.key(),
        List.of(slot),
        (before, more) -> Stream.concat(before.stream(), more.stream()).toList());
  }

  private void forget(AddressSlot slot) {
    byKey.computeIfPresent(
        slot.key(),
        (key, all) -> {
          List<AddressSlot> left = all.stream().filter(each -> each != slot).toList();
          return left.isEmpty() ? null : left;
        });
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
    slot.releasedNanos = releasedNanos;
    if (rule.cools(now - releasedNanos)) {
      slot.use = Use.COOLING;
      slot.cidr.cooling++;
      cooling.add(slot);
    } else {
      free(slot);
    }
  }

  /**
   * An address that was released {@code age} ago cools for the rest, here or when it comes; one
   * that cools already, since the later of its releases.
   */
  void cool(IpAddress address, long age, long now) {
    AddressSlot known = slots.get(address);
    CidrState state = blocks.of(address);
    if (!rule.cools(age) || (known != null && known.use != Use.COOLING)) {
      return;
    }
    if (known != null) {
      if (now - age - known.releasedNanos > 0) {
        cooling.remove(known);
        known.releasedNanos = now - age;
        cooling.add(known);
      }
    } else if (state == null) {
      cooling.noteGone(address, now - age);
    } else {
      AddressSlot slot = take(address);
      slot.use = Use.COOLING;
      slot.releasedNanos = now - age;
      state.cooling++;
      cooling.add(slot);
    }
  }

  /** Every address that is free and may have been in use was released {@code age} ago. */
  void coolAll(long age, long now) {
    for (CidrState state : blocks.all()) {
      int end = state.likelyUsed();
      for (int at = 0; at < end; at++) {
        cool(state.cidr.address(at), age, now);
      }
    }
  }

  /** Hands over what cools, here or since it has left, and when it was released. */
  void forEachCooling(ObjLongConsumer<IpAddress> visitor) {
    cooling.forEach(visitor);
  }

  private void endPauses(long now) {
    AddressSlot ended = cooling.pollEnded(now);
    while (ended != null) {
      free(ended);
      ended = cooling.pollEnded(now);
    }
  }

  private AddressSlot take(IpAddress address) {
    CidrState state = blocks.of(address);
    if (state == null) {
      throw new IllegalStateException(address + " is not here");
    }
    int position = state.position(address);
    if (position >= 0) {
      state.addresses.allocate(position);
    }
    AddressSlot slot = new AddressSlot(state, position, address, Use.ASSIGNED);
    slots.put(address, slot);
    blocks.refresh(state);
    return slot;
  }

  private void free(AddressSlot slot) {
    if (slot.use == Use.COOLING) {
      slot.cidr.cooling--;
    }
    slots.remove(slot.address);
    if (slot.position >= 0) {
      slot.cidr.addresses.free(slot.position);
      slot.cidr.released.put(slot.position, slot.releasedNanos);
    }
    blocks.refresh(slot.cidr);
  }

  @Nullable AddressSlot slot(IpAddress address) {
    return slots.get(address);
  }

  // ---- what it shows

  /** Whether something of a block is here, or cools since it has left. */
  boolean holds(Cidr cidr, long now) {
    cooling.forgetEnded(now);
    return blocks.overlapping(cidr) != null || cooling.hasLeft(cidr);
  }

  PoolView view(long now) {
    endPauses(now);
    return blocks.view(now);
  }

  EniView view(EniState eni, long now) {
    endPauses(now);
    return blocks.view(eni, now);
  }

  /**
   * The CIDRs that are not in use and do not cool, first those of the interfaces with the fewest
   * pods.
   */
  List<CidrState> wholeCidrs(long now) {
    endPauses(now);
    return blocks.whole();
  }

  /** Visits what is assigned, in the order of the addresses. */
  void forEachAssigned(Consumer<AddressSlot> visitor) {
    slots.values().stream()
        .filter(slot -> slot.entry != null)
        .sorted(Comparator.comparing(slot -> slot.address))
        .forEach(visitor);
  }
}
