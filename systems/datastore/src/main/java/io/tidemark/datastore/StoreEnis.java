package io.tidemark.datastore;

import io.tidemark.datastore.AddressSlot.Use;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.time.TimeSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The interfaces of a store and what they have come and go. What leaves by force takes its
 * assignments along as orphans; when it comes back, they are assignments again.
 */
final class StoreEnis {
  private final StoreState state;
  private final StorePool pool;
  private final StoreChanges changes;
  private final TimeSource time;

  StoreEnis(StoreState state, StoreChanges changes, TimeSource time) {
    this.state = state;
    this.pool = state.pool;
    this.changes = changes;
    this.time = time;
  }

  Optional<StoreRefusal> addEni(StoreEniSpec spec) {
    synchronized (state) {
      if (pool.blocks.eni(spec.id()) != null) {
        return Optional.of(StoreRefusal.duplicateEni(spec.id()));
      }
      pool.blocks.addEni(spec, time.nanos());
      return Optional.empty();
    }
  }

  Optional<StoreRefusal> addCidr(String eniId, Cidr cidr, CidrKind kind) {
    if (kind == CidrKind.SECONDARY && !cidr.isSingle()) {
      throw new IllegalArgumentException(cidr + " is not a single address");
    }
    List<StoreChange> placed = new ArrayList<>();
    synchronized (state) {
      EniState eni = pool.blocks.eni(eniId);
      if (eni == null) {
        return Optional.of(StoreRefusal.addToUnknownEni(eniId));
      }
      CidrState other = pool.blocks.overlapping(cidr);
      if (other != null) {
        return Optional.of(StoreRefusal.duplicateAddress(cidr, other.cidr, other.eni.spec.id()));
      }
      pool.addCidr(eni, cidr, kind, time.nanos());
      for (Orphan orphan : List.copyOf(state.orphans)) {
        Optional<IpAddress> address = orphan.entry().address(cidr.family()).filter(cidr::contains);
        if (address.isPresent() && pool.reclaim(address.get(), orphan.entry())) {
          state.orphans.remove(orphan);
          placed.add(
              new StoreChange.Reclaimed(address.get(), new StoreChange.Written(orphan.entry())));
        }
      }
    }
    placed.forEach(changes::note);
    return Optional.empty();
  }

  Optional<StoreRefusal> removeCidr(String eniId, Cidr cidr, Removal removal) {
    List<StoreChange> unplaced = new ArrayList<>();
    synchronized (state) {
      EniState eni = pool.blocks.eni(eniId);
      if (eni == null) {
        return Optional.of(StoreRefusal.unknownEni(eniId));
      }
      CidrState block = pool.blocks.overlapping(cidr);
      if (block == null || block.eni != eni || !block.cidr.equals(cidr)) {
        return Optional.of(StoreRefusal.unknownAddress(cidr, eniId));
      }
      if (block.inUse > 0 && (removal == Removal.UNUSED_ONLY || isBeingWritten(block))) {
        return Optional.of(StoreRefusal.addressInUse(cidr, block.inUse));
      }
      state.forceRemovedAddresses += block.inUse;
      unplace(block, unplaced);
      pool.removeCidr(block, time.nanos());
    }
    unplaced.forEach(changes::note);
    return Optional.empty();
  }

  Optional<StoreRefusal> removeEni(String eniId, Removal removal) {
    List<StoreChange> unplaced = new ArrayList<>();
    synchronized (state) {
      EniState eni = pool.blocks.eni(eniId);
      if (eni == null) {
        return Optional.of(StoreRefusal.unknownEni(eniId));
      }
      int inUse = eni.inUse();
      boolean writing = eni.cidrs.stream().anyMatch(this::isBeingWritten);
      if (inUse > 0 && (removal == Removal.UNUSED_ONLY || writing)) {
        return Optional.of(StoreRefusal.eniInUse(eniId, inUse));
      }
      state.forceRemovedEnis += inUse > 0 ? 1 : 0;
      state.forceRemovedAddresses += inUse;
      eni.cidrs.forEach(cidr -> unplace(cidr, unplaced));
      pool.removeEni(eni, time.nanos());
    }
    unplaced.forEach(changes::note);
    return Optional.empty();
  }

  private boolean isBeingWritten(CidrState block) {
    boolean[] found = {false};
    pool.forEachSlot(
        block, slot -> found[0] |= slot.use == Use.ASSIGNING || slot.use == Use.RELEASING);
    return found[0];
  }

  /** The sandboxes of a block that leaves lose their addresses, which cool. */
  private void unplace(CidrState block, List<StoreChange> unplaced) {
    long now = time.nanos();
    List<AddressSlot> assigned = new ArrayList<>();
    pool.forEachSlot(
        block,
        slot -> {
          if (slot.entry != null) {
            assigned.add(slot);
          }
        });
    for (AddressSlot slot : assigned) {
      state.orphans.add(new Orphan(slot.entry(), Optional.of(slot.assignment()), now));
      unplaced.add(
          new StoreChange.Unplaced(
              slot.address, slot.entry(), time.epochMillis() * 1_000_000, now));
      pool.release(slot, now, now);
    }
  }

  Optional<StoreRefusal> exclude(String eniId, boolean excluded) {
    synchronized (state) {
      EniState eni = pool.blocks.eni(eniId);
      if (eni == null) {
        return Optional.of(StoreRefusal.unknownEni(eniId));
      }
      eni.excluded = excluded;
      pool.blocks.refresh(eni);
      return Optional.empty();
    }
  }
}
