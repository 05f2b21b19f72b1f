package io.tidemark.datastore;

import io.tidemark.ip.AddressBitmap;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.time.ReleaseTimes;

/** A secondary address or prefix of an interface in a {@link StorePool}. */
final class CidrState {
  /** Of a larger block only the first addresses are assigned; no node has as many pods. */
  static final int WINDOW = 1 << 16;

  /** How many of the lowest addresses of a large block are taken for used before. */
  private static final int LIKELY_USED = 1024;

  final EniState eni;
  final Cidr cidr;
  final CidrKind kind;

  /** An address that is assigned or cools is taken. */
  final AddressBitmap addresses;

  final ReleaseTimes released;

  /** Its slot in the list of its interface. */
  int slot;

  /** The free addresses that the lists count. */
  int room;

  int inUse;
  int cooling;

  /** It is about to be given back to the cloud. */
  boolean returning;

  CidrState(EniState eni, Cidr cidr, CidrKind kind) {
    this.eni = eni;
    this.cidr = cidr;
    this.kind = kind;
    this.addresses = AddressBitmap.ofCapacity((int) Math.min(cidr.sizeSaturated(), WINDOW));
    this.released = new ReleaseTimes(addresses.capacity());
  }

  /** Where it has one of its addresses; -1 for one that is not assigned from it. */
  int position(IpAddress address) {
    long index = cidr.indexOf(address);
    return index < addresses.capacity() ? (int) index : -1;
  }

  /** Whether nothing of it is assigned or cools, so that the cloud can have it back. */
  boolean isWhole() {
    return inUse == 0 && cooling == 0;
  }

  /**
   * How many of its first addresses may have been in use at any time: all, but of a large block the
   * lowest, which are assigned first.
   */
  int likelyUsed() {
    int all = addresses.capacity();
    if (all <= LIKELY_USED) {
      return all;
    }
    int highest = -1;
    for (int at = addresses.nextTaken(0); at >= 0; at = addresses.nextTaken(at + 1)) {
      highest = at;
    }
    return Math.min(all, Math.max(LIKELY_USED, 2 * (highest + 1)));
  }
}
