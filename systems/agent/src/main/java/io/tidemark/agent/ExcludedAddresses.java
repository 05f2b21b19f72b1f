package io.tidemark.agent;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.util.BitSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The blocks of one family that are never handed out, and who reserved each. Not thread-safe. */
final class ExcludedAddresses {
  private final SortedMap<Cidr, String> owners = new TreeMap<>();

  /** The prefix lengths that occur: a look-up asks for one block of each. */
  private final BitSet lengths = new BitSet();

  /** Adds a block; a new owner takes the place of the earlier one. */
  void put(Cidr block, String owner) {
    owners.put(block, owner);
    lengths.set(block.prefixLength());
  }

  /** Removes exactly this block; false when it was not reserved. */
  boolean remove(Cidr block) {
    if (owners.remove(block) == null) {
      return false;
    }
    int length = block.prefixLength();
    lengths.set(length, owners.keySet().stream().anyMatch(each -> each.prefixLength() == length));
    return true;
  }

  /** Who reserved the narrowest block with this address; null when nobody did. */
  @Nullable String ownerOf(IpAddress ip) {
    for (int length = lengths.length() - 1;
        length >= 0;
        length = lengths.previousSetBit(length - 1)) {
      String owner = owners.get(Cidr.containing(ip, length));
      if (owner != null) {
        return owner;
      }
    }
    return null;
  }

  List<String> allOwners() {
    return List.copyOf(new TreeSet<>(owners.values()));
  }

  SortedMap<Cidr, String> copy() {
    return new TreeMap<>(owners);
  }
}
