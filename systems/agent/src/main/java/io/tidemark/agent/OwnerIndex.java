package io.tidemark.agent;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The addresses in use by owner: a hash table whose chains run through the records, so that adding
 * and removing one takes constant time and makes no object. The lock of the shard guards it.
 */
final class OwnerIndex {
  private static final int FIRST_SLOTS = 16;

  private @Nullable AddressRecord[] heads = new @Nullable AddressRecord[FIRST_SLOTS];
  private int size;

  int size() {
    return size;
  }

  /** Adds an address, whose owner does not change until it is removed. */
  void add(AddressRecord used) {
    if (size == heads.length) {
      grow();
    }
    link(used);
    size++;
  }

  private void link(AddressRecord used) {
    int slot = slot(used.owner);
    AddressRecord second = heads[slot];
    if (second != null) {
      second.previous = used;
    }
    used.next = second;
    heads[slot] = used;
  }

  void remove(AddressRecord used) {
    AddressRecord before = used.previous;
    AddressRecord after = used.next;
    if (before == null) {
      heads[slot(used.owner)] = after;
    } else {
      before.next = after;
    }
    if (after != null) {
      after.previous = before;
    }
    used.previous = null;
    used.next = null;
    size--;
  }

  List<AddressRecord> of(String owner) {
    List<AddressRecord> own = new ArrayList<>();
    for (AddressRecord each = heads[slot(owner)]; each != null; each = each.next) {
      if (each.owner.equals(owner)) {
        own.add(each);
      }
    }
    return own;
  }

  private int slot(String owner) {
    int hash = owner.hashCode();
    return (hash ^ hash >>> 16) & (heads.length - 1);
  }

  private void grow() {
    @Nullable AddressRecord[] before = heads;
    heads = new @Nullable AddressRecord[2 * before.length];
    for (AddressRecord head : before) {
      for (AddressRecord each = head; each != null; ) {
        AddressRecord after = each.next;
        each.previous = null;
        link(each);
        each = after;
      }
    }
  }
}
