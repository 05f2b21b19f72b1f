package io.tidemark.resource;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * {@code spec.ipam.pool}: the addresses a node may hand out, by the interface they belong to. Only
 * the operator writes it. Immutable; an interface without addresses does not appear.
 *
 * <p>An address may be reserved for an owner. Reservations are read and never written: an operator
 * that replaces the pool keeps those of addresses that stay.
 */
public final class PodIpPool {
  /** No addresses. */
  public static final PodIpPool EMPTY =
      new PodIpPool(new TreeMap<>(), Collections.emptySortedMap());

  private final SortedMap<String, AddressSet> byResource;
  private final SortedMap<IpAddress, String> reserved;

  private PodIpPool(
      SortedMap<String, AddressSet> byResource, SortedMap<IpAddress, String> reserved) {
    this.byResource = byResource;
    this.reserved = reserved;
  }

  /** Addresses by interface id; interface ids may be empty, address sets must be disjoint. */
  public static PodIpPool of(Map<String, AddressSet> byResource) {
    SortedMap<String, AddressSet> kept = new TreeMap<>();
    byResource.forEach(
        (resource, addresses) -> {
          if (!addresses.isEmpty()) {
            kept.put(resource, addresses);
          }
        });
    return kept.isEmpty() ? EMPTY : new PodIpPool(kept, Collections.emptySortedMap());
  }

  /** The same addresses; of the reservations those that are of an address of the pool. */
  PodIpPool withReserved(SortedMap<IpAddress, String> owners) {
    if (owners.isEmpty()) {
      return reserved.isEmpty() ? this : new PodIpPool(byResource, Collections.emptySortedMap());
    }
    SortedMap<IpAddress, String> kept = new TreeMap<>(owners);
    kept.keySet().removeIf(address -> !contains(address));
    return new PodIpPool(byResource, Collections.unmodifiableSortedMap(kept));
  }

  /** Addresses by interface id, ids ascending; unmodifiable. */
  public SortedMap<String, AddressSet> byResource() {
    return Collections.unmodifiableSortedMap(byResource);
  }

  /** The owner of each address that is reserved, ascending by address; unmodifiable. */
  public SortedMap<IpAddress, String> reserved() {
    return reserved;
  }

  /** Number of addresses. */
  public int size() {
    int size = 0;
    for (AddressSet each : byResource.values()) {
      size += each.size();
    }
    return size;
  }

  /** Whether there is no address. */
  public boolean isEmpty() {
    return byResource.isEmpty();
  }

  /** Whether {@code address} may be handed out. */
  public boolean contains(IpAddress address) {
    return resource(address).isPresent();
  }

  /** The interface of {@code address}; empty when it is not in the pool. */
  public Optional<String> resource(IpAddress address) {
    for (Map.Entry<String, AddressSet> each : byResource.entrySet()) {
      if (each.getValue().contains(address)) {
        return Optional.of(each.getKey());
      }
    }
    return Optional.empty();
  }

  /** All addresses. */
  public AddressSet addresses() {
    AddressSet all = AddressSet.of();
    for (AddressSet each : byResource.values()) {
      all = all.plus(each);
    }
    return all;
  }

  /** Addresses that {@code other} does not have under the same interface. */
  public AddressSet notIn(PodIpPool other) {
    AddressSet elsewhere = AddressSet.of();
    for (Map.Entry<String, AddressSet> each : byResource.entrySet()) {
      AddressSet there = other.byResource.getOrDefault(each.getKey(), AddressSet.of());
      elsewhere = elsewhere.plus(each.getValue().minus(there));
    }
    return elsewhere;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof PodIpPool that
        && byResource.equals(that.byResource)
        && reserved.equals(that.reserved);
  }

  /** Of the addresses alone, which are the operator's; see {@link NodeResource#operatorHash}. */
  @Override
  public int hashCode() {
    return Objects.hash(byResource);
  }

  @Override
  public String toString() {
    return "PodIpPool" + byResource;
  }
}
