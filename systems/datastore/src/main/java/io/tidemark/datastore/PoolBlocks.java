package io.tidemark.datastore;

import io.tidemark.datastore.AssignOutcome.Reason;
import io.tidemark.datastore.PoolView.CidrView;
import io.tidemark.datastore.PoolView.EniView;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The interfaces of a {@link StorePool} and their blocks, that is secondary addresses and prefixes:
 * which block has an address, and which has the address that is assigned next.
 *
 * <p>Mutable and not thread-safe, as the pool is.
 */
final class PoolBlocks {
  private final CidrKind mode;
  private final SortedMap<String, EniState> enis = new TreeMap<>();
  private final NavigableMap<IpAddress, CidrState> cidrs = new TreeMap<>();
  private final RoomList<EniState> ipv4 = new RoomList<>();
  private final RoomList<EniState> ipv6 = new RoomList<>();

  PoolBlocks(CidrKind mode) {
    this.mode = mode;
  }

  /** The kind of CIDR from which IPv4 addresses are assigned. */
  CidrKind mode() {
    return mode;
  }

  // ---- interfaces

  @Nullable EniState eni(String id) {
    return enis.get(id);
  }

  /** The interface, if there is no other. */
  Optional<StoreEniSpec> onlyEni() {
    return enis.size() == 1
        ? enis.values().stream().map(eni -> eni.spec).findFirst()
        : Optional.empty();
  }

  EniState addEni(StoreEniSpec spec, long now) {
    EniState eni = new EniState(spec, now);
    enis.put(spec.id(), eni);
    eni.room(IpFamily.IPV4).slot = ipv4.add(eni);
    eni.room(IpFamily.IPV6).slot = ipv6.add(eni);
    return eni;
  }

  /** Removes an interface that has no blocks any more. */
  void remove(EniState eni) {
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

  // ---- their blocks

  /** In the order of their addresses. */
  Collection<CidrState> all() {
    return Collections.unmodifiableCollection(cidrs.values());
  }

  /** The CIDR that overlaps a block; null when nothing does. */
  @Nullable CidrState overlapping(Cidr cidr) {
    Map.Entry<IpAddress, CidrState> below = cidrs.floorEntry(cidr.last());
    return below != null && below.getValue().cidr.overlaps(cidr) ? below.getValue() : null;
  }

  /** The block with this address; null when none has it. */
  @Nullable CidrState of(IpAddress address) {
    Map.Entry<IpAddress, CidrState> below = cidrs.floorEntry(address);
    return below != null && below.getValue().cidr.contains(address) ? below.getValue() : null;
  }

  /** Adds a block that overlaps nothing. */
  CidrState add(EniState eni, Cidr cidr, CidrKind kind) {
    CidrState state = new CidrState(eni, cidr, kind);
    eni.cidrs.add(state);
    cidrs.put(cidr.first(), state);
    state.slot = eni.room(cidr.family()).cidrs.add(state);
    refresh(state);
    return state;
  }

  /** Removes a block of which no address is in use or cools. */
  void remove(CidrState state) {
    state.returning = true;
    refresh(state);
    state.eni.room(state.cidr.family()).cidrs.remove(state.slot);
    state.eni.cidrs.remove(state);
    cidrs.remove(state.cidr.first());
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

  /** Whether addresses of a block are assigned, as far as its interface takes pods. */
  boolean isAssignable(CidrState state) {
    return state.kind == wanted(state.cidr.family()) && !state.returning;
  }

  /** The kind of CIDR from which addresses of a family are assigned. */
  private CidrKind wanted(IpFamily family) {
    return family == IpFamily.IPV4 ? mode : CidrKind.PREFIX;
  }

  /** The fullest block with a free address of the fullest interface; null when there is none. */
  @Nullable CidrState fullest(IpFamily family) {
    EniState eni = rooms(family).fullest();
    return eni == null ? null : eni.room(family).cidrs.fullest();
  }

  /** Why there is no {@link #fullest}. */
  Reason emptiness(IpFamily family) {
    Reason reason = Reason.EMPTY;
    for (CidrState state : cidrs.values()) {
      if (state.cidr.family() == family) {
        Reason one = emptiness(state);
        reason = one.compareTo(reason) > 0 ? one : reason;
      }
    }
    return reason;
  }

  private Reason emptiness(CidrState state) {
    if (state.kind != wanted(state.cidr.family())) {
      return Reason.WRONG_MODE;
    }
    if (!state.eni.takesPods() || state.returning) {
      return Reason.EXCLUDED;
    }
    return state.cooling == 0 ? Reason.ALL_ASSIGNED : Reason.ALL_COOLING;
  }

  /**
   * The CIDRs that are not in use and do not cool, first those of the interfaces with the fewest
   * pods.
   */
  List<CidrState> whole() {
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

  // ---- what it shows

  PoolView view(long now) {
    List<EniView> all = new ArrayList<>();
    for (EniState eni : enis.values()) {
      all.add(view(eni, now));
    }
    return new PoolView(mode, all);
  }

  EniView view(EniState eni, long now) {
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
}
