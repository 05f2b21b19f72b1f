package io.tidemark.datastore;

import io.tidemark.ip.IpFamily;
import java.util.ArrayList;
import java.util.List;

/** An interface in a {@link StorePool}. */
final class EniState {
  static final class Room {
    final RoomList<CidrState> cidrs = new RoomList<>();

    /** Its slot in the list of interfaces. */
    int slot;

    /** Addresses that can be assigned now, if the interface takes pods. */
    long free;
  }

  final StoreEniSpec spec;
  final long addedNanos;
  final List<CidrState> cidrs = new ArrayList<>();
  private final Room ipv4 = new Room();
  private final Room ipv6 = new Room();

  /** No sandbox gets an address of it any more. */
  boolean excluded;

  /** It is about to be removed. */
  boolean draining;

  EniState(StoreEniSpec spec, long addedNanos) {
    this.spec = spec;
    this.addedNanos = addedNanos;
  }

  Room room(IpFamily family) {
    return family == IpFamily.IPV4 ? ipv4 : ipv6;
  }

  boolean takesPods() {
    return !excluded && !draining;
  }

  int inUse() {
    int count = 0;
    for (CidrState cidr : cidrs) {
      count += cidr.inUse;
    }
    return count;
  }
}
