package io.tidemark.agent;

import io.tidemark.agent.PoolSnapshot.Held;
import io.tidemark.agent.PoolSnapshot.HeldAddress;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The rules of one family of one pool, said with lists and searches: an address is in use, or
 * reserved, or it was released less than the pause ago, or it is free.
 */
final class PoolModel {
  final PoolName pool;
  final List<IpAddress> addresses;
  final Map<IpAddress, Use> used = new HashMap<>();
  final Map<Cidr, String> reserved = new TreeMap<>();
  private final CoolingRule rule;
  private final Map<IpAddress, Released> released = new HashMap<>();
  private int cursor;
  private int turns;

  /** An address in use. */
  static final class Use {
    final String owner;
    @Nullable Lease lease;
    long due;

    /** Of leases that run out at the same instant, which started first. */
    int started;

    Use(String owner) {
      this.owner = owner;
    }
  }

  /** When an address was released, and which of several at the same instant it was. */
  private record Released(long nanos, int turn) {}

  PoolModel(PoolName pool, List<IpAddress> addresses, int cursor, CoolingRule rule) {
    this.pool = pool;
    this.addresses = addresses;
    this.cursor = cursor;
    this.rule = rule;
  }

  /** Forgets what a restart forgets. */
  void restart(int seed) {
    released.clear();
    used.values().forEach(use -> use.lease = null);
    cursor = Math.floorMod(seed, addresses.size());
  }

  /** The address that the next request gets; empty when none is left. */
  Optional<IpAddress> next(long now) {
    for (int i = 0; i < addresses.size(); i++) {
      int at = (cursor + i) % addresses.size();
      if (state(addresses.get(at), now).isEmpty()) {
        cursor = at + 1;
        return Optional.of(addresses.get(at));
      }
    }
    return addresses.stream()
        .filter(ip -> state(ip, now).equals(Optional.of(Held.COOLING)))
        .min(
            Comparator.comparingLong((IpAddress ip) -> at(ip).nanos())
                .thenComparingInt(ip -> at(ip).turn()))
        .filter(ip -> now - at(ip).nanos() >= rule.floor().toNanos());
  }

  /** Whether the next request gets an address. */
  boolean hasNext(long now) {
    return addresses.stream()
        .anyMatch(
            ip ->
                state(ip, now).isEmpty()
                    || (state(ip, now).equals(Optional.of(Held.COOLING))
                        && now - at(ip).nanos() >= rule.floor().toNanos()));
  }

  void use(IpAddress ip, String owner) {
    used.put(ip, new Use(owner));
    released.remove(ip);
  }

  /** The addresses of an owner, ascending. */
  List<IpAddress> usedBy(String owner) {
    return used.entrySet().stream()
        .filter(each -> each.getValue().owner.equals(owner))
        .map(Map.Entry::getKey)
        .sorted()
        .toList();
  }

  void release(IpAddress ip, long now) {
    if (used.remove(ip) != null) {
      released.put(ip, new Released(now, turns++));
    }
  }

  void include(Cidr block, long now) {
    if (reserved.remove(block) == null) {
      return;
    }
    for (IpAddress ip : addresses) {
      if (block.contains(ip) && state(ip, now).equals(Optional.of(Held.COOLING))) {
        released.put(ip, new Released(at(ip).nanos(), turns++));
      }
    }
  }

  /** Who reserved the narrowest block with this address. */
  Optional<String> reservedBy(IpAddress ip) {
    return reserved.entrySet().stream()
        .filter(each -> each.getKey().contains(ip))
        .max(Comparator.comparingInt(each -> each.getKey().prefixLength()))
        .map(Map.Entry::getValue);
  }

  /** Why an address is not free. */
  Optional<Held> state(IpAddress ip, long now) {
    if (used.containsKey(ip)) {
      return Optional.of(Held.IN_USE);
    }
    if (reservedBy(ip).isPresent()) {
      return Optional.of(Held.EXCLUDED);
    }
    boolean cools = released.containsKey(ip) && now - at(ip).nanos() < rule.pause().toNanos();
    return cools ? Optional.of(Held.COOLING) : Optional.empty();
  }

  /** Releases what leases release up to an instant, the earliest first. */
  void runOut(long now) {
    used.entrySet().stream()
        .filter(each -> each.getValue().lease != null && each.getValue().due - now <= 0)
        .sorted(
            Comparator.comparingLong((Map.Entry<IpAddress, Use> each) -> each.getValue().due)
                .thenComparingInt(each -> each.getValue().started))
        .map(each -> Map.entry(each.getKey(), each.getValue().due))
        .toList()
        .forEach(each -> release(each.getKey(), each.getValue()));
  }

  List<HeldAddress> held(long now) {
    List<HeldAddress> held = new ArrayList<>();
    for (IpAddress ip : addresses) {
      state(ip, now).ifPresent(state -> held.add(held(ip, state)));
    }
    return held;
  }

  private HeldAddress held(IpAddress ip, Held state) {
    Use use = used.get(ip);
    Lease lease = use == null ? null : use.lease;
    String owner =
        use != null ? use.owner : state == Held.COOLING ? "cooling" : reservedBy(ip).orElseThrow();
    return new HeldAddress(ip, state, owner, Optional.ofNullable(lease).map(Lease::id));
  }

  AddressCounts counts(long now) {
    Map<Held, Integer> counts = new HashMap<>();
    held(now).forEach(each -> counts.merge(each.state(), 1, Integer::sum));
    int inUse = counts.getOrDefault(Held.IN_USE, 0);
    int cooling = counts.getOrDefault(Held.COOLING, 0);
    int excluded = counts.getOrDefault(Held.EXCLUDED, 0);
    return new AddressCounts(
        addresses.size() - inUse - cooling - excluded, inUse, cooling, excluded);
  }

  @SuppressWarnings("NullAway") // asked of released addresses only
  private Released at(IpAddress ip) {
    return released.get(ip);
  }
}
