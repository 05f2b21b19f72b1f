package io.tidemark.datastore;

import io.tidemark.ip.AddressBitmap;
import io.tidemark.ip.Cidr;

/** A secondary address or prefix of an interface in a {@link StorePool}. */
final class CidrState {
  /** Of a larger block only the first addresses are assigned; no node has as many pods. */
  static final int WINDOW = 1 << 16;

  final EniState eni;
  final Cidr cidr;
  final CidrKind kind;

  /** An address that is assigned or cools is taken. */
  final AddressBitmap addresses;

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
  }

  /** Whether nothing of it is assigned or cools, so that the cloud can have it back. */
  boolean isWhole() {
    return inUse == 0 && cooling == 0;
  }
}
