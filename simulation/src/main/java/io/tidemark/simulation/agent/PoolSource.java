package io.tidemark.simulation.agent;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.Ipv4Address;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.PodIpPool;
import io.tidemark.resource.UsedAddress;
import java.util.Arrays;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Addresses from {@code spec.ipam.pool}, given back by the release handshake (node-manager 4.8). An
 * address that was promised is handed out again only when the operator has withdrawn its mark.
 */
final class PoolSource implements AddressSource {
  private static final AddressSet NONE = AddressSet.of();

  private final Set<String> foreignInterfaces;
  private final Set<IpAddress> promised = new TreeSet<>();
  private PodIpPool pool = PodIpPool.EMPTY;
  private SortedMap<IpAddress, HandshakeState> wire = Collections.emptySortedMap();
  private int[] free = new int[64];
  private int freeCount;

  /**
   * A source that has seen nothing.
   *
   * @param foreignInterfaces interfaces of an earlier instance of the same name, never used
   */
  PoolSource(Set<String> foreignInterfaces) {
    this.foreignInterfaces = Set.copyOf(foreignInterfaces);
  }

  @Override
  public boolean seen(NodeResource resource, SortedMap<IpAddress, Pod> used, int waiting) {
    pool = resource.pool();
    SortedMap<IpAddress, HandshakeState> now = resource.releaseIps();
    if (now.isEmpty() && wire.isEmpty()) {
      return false;
    }
    wire = now;
    if (!promised.isEmpty()) {
      promised.removeIf(address -> !now.containsKey(address));
    }
    return !answers(now, used).equals(now);
  }

  /** The handshake with our answers; promises what it promises. Only with a pool (NM-J5). */
  private SortedMap<IpAddress, HandshakeState> answers(
      SortedMap<IpAddress, HandshakeState> asked, SortedMap<IpAddress, Pod> used) {
    if (asked.isEmpty() || pool.isEmpty()) {
      return asked;
    }
    SortedMap<IpAddress, HandshakeState> answers = new TreeMap<>(asked);
    asked.forEach(
        (address, state) -> {
          boolean inPool = pool.contains(address);
          switch (state) {
            case MARKED_FOR_RELEASE -> {
              boolean refused = used.containsKey(address) || !inPool;
              if (!refused) {
                promised.add(address);
              }
              answers.put(
                  address,
                  refused ? HandshakeState.DO_NOT_RELEASE : HandshakeState.READY_FOR_RELEASE);
            }
            case READY_FOR_RELEASE -> promised.add(address);
            case RELEASED -> {
              if (!inPool) {
                answers.remove(address);
              }
            }
            case DO_NOT_RELEASE -> promised.remove(address);
          }
        });
    return answers;
  }

  @Override
  public Optional<IpAddress> pick(SortedMap<IpAddress, Pod> used, SplittableRandom random) {
    freeCount = 0;
    for (Map.Entry<String, AddressSet> each : pool.byResource().entrySet()) {
      if (!foreignInterfaces.contains(each.getKey())) {
        each.getValue().forEachIpv4(this::note);
      }
    }
    while (freeCount > 0) {
      int at = random.nextInt(freeCount);
      IpAddress address = new Ipv4Address(free[at]);
      if (!used.containsKey(address) && !promised.contains(address) && mayBeGiven(address)) {
        return Optional.of(address);
      }
      free[at] = free[--freeCount];
    }
    return Optional.empty();
  }

  private void note(int bits) {
    if (freeCount == free.length) {
      free = Arrays.copyOf(free, freeCount * 2);
    }
    free[freeCount++] = bits;
  }

  private boolean mayBeGiven(IpAddress address) {
    HandshakeState state = wire.get(address);
    return state == null || state == HandshakeState.DO_NOT_RELEASE;
  }

  @Override
  public NodeResource answered(NodeResource base, SortedMap<IpAddress, Pod> used, int waiting) {
    PodIpPool inPool = base.pool();
    SortedMap<IpAddress, UsedAddress> before = base.usedEntries();
    SortedMap<IpAddress, UsedAddress> entries = new TreeMap<>();
    for (Map.Entry<IpAddress, Pod> each : used.entrySet()) {
      UsedAddress entry = before.get(each.getKey());
      String owner = each.getValue().fullName();
      boolean stands =
          entry != null
              && entry.owner().equals(owner)
              && inPool.byResource().getOrDefault(entry.resource(), NONE).contains(each.getKey());
      entries.put(
          each.getKey(),
          entry != null && stands
              ? entry
              : new UsedAddress(owner, inPool.resource(each.getKey()).orElse("")));
    }
    NodeResource changed = base.withUsed(entries);
    SortedMap<IpAddress, HandshakeState> asked = base.releaseIps();
    return asked.isEmpty() ? changed : changed.withReleaseIps(answers(asked, used));
  }

  @Override
  public boolean writesSpec() {
    return false;
  }

  @Override
  public OptionalLong usableAtNanos() {
    return OptionalLong.empty();
  }

  @Override
  public void restarted() {
    promised.clear();
    pool = PodIpPool.EMPTY;
    wire = Collections.emptySortedMap();
  }
}
