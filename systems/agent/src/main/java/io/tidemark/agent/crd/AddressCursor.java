package io.tidemark.agent.crd;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;

/**
 * The indices of addresses in a set, for callers that ask for them in ascending order: mostly one
 * is next to the one before. Not thread-safe.
 */
final class AddressCursor {
  private static final int NEAR = 8;

  private final AddressSet set;
  private int next;

  AddressCursor(AddressSet set) {
    this.set = set;
  }

  /** The index of any address; -1 when it is not in the set. */
  int indexOf(IpAddress ip) {
    int near = Math.min(next + NEAR, set.size());
    for (int at = next; at < near; at++) {
      if (set.at(at).equals(ip)) {
        next = at + 1;
        return at;
      }
    }
    int found = set.indexOf(ip);
    next = found < 0 ? -1 - found : found + 1;
    return Math.max(-1, found);
  }
}
