package io.tidemark.provider.azure.ipam;

import java.util.Locale;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The first spelling of each id: Azure spells an id differently in different answers, and the
 * status of a node must not change because of that (Z40). Thread-safe; bounded.
 */
final class Spellings {
  private static final int IDS_MAX = 200_000;

  private final ConcurrentHashMap<String, String> first = new ConcurrentHashMap<>();

  String first(String id) {
    if (first.size() >= IDS_MAX) {
      first.clear();
    }
    String before = first.putIfAbsent(id.toLowerCase(Locale.ROOT), id);
    return before == null ? id : before;
  }

  void forget(String id) {
    first.remove(id.toLowerCase(Locale.ROOT));
  }
}
