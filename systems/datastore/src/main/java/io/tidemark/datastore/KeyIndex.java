package io.tidemark.datastore;

import io.tidemark.datastore.checkpoint.IpamKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The addresses of each sandbox: one, or one of each family, or more after a recovery. */
final class KeyIndex {
  private final Map<IpamKey, List<AddressSlot>> slots = new HashMap<>();

  List<AddressSlot> of(IpamKey key) {
    return slots.getOrDefault(key, List.of());
  }

  void add(IpamKey key, AddressSlot slot) {
    slots.merge(key, List.of(slot), KeyIndex::both);
  }

  private static List<AddressSlot> both(List<AddressSlot> before, List<AddressSlot> more) {
    List<AddressSlot> all = new ArrayList<>(before);
    all.addAll(more);
    return List.copyOf(all);
  }

  void remove(IpamKey key, AddressSlot slot) {
    List<AddressSlot> left = of(key).stream().filter(each -> each != slot).toList();
    if (left.isEmpty()) {
      slots.remove(key);
    } else {
      slots.put(key, left);
    }
  }
}
