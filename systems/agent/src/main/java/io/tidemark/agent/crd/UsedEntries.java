package io.tidemark.agent.crd;

import io.tidemark.ip.IpAddress;
import io.tidemark.resource.UsedAddress;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The entries of {@code status.ipam.used} as they are to be. Mostly they are what the object has
 * already: one pass over both finds what differs, and nothing else is made anew.
 */
final class UsedEntries {
  private final SortedMap<IpAddress, UsedAddress> before;
  private final Iterator<Map.Entry<IpAddress, UsedAddress>> following;
  private final SortedMap<IpAddress, UsedAddress> changed = new TreeMap<>();
  private final List<IpAddress> gone = new ArrayList<>();
  private Map.@Nullable Entry<IpAddress, UsedAddress> next;

  UsedEntries(SortedMap<IpAddress, UsedAddress> before) {
    this.before = before;
    this.following = before.entrySet().iterator();
    advance();
  }

  private void advance() {
    next = following.hasNext() ? following.next() : null;
  }

  /**
   * Adds an entry; ascending.
   *
   * @param resource the interface; empty for an address that left the pool, which keeps the
   *     interface that the object says
   */
  void add(IpAddress ip, String owner, String resource) {
    skipTo(ip);
    UsedAddress present = null;
    if (next != null && next.getKey().equals(ip)) {
      present = next.getValue();
      advance();
    }
    String wanted = resource.isEmpty() && present != null ? present.resource() : resource;
    if (present == null || !present.owner().equals(owner) || !present.resource().equals(wanted)) {
      changed.put(ip, new UsedAddress(owner, wanted));
    }
  }

  private void skipTo(IpAddress ip) {
    while (next != null && next.getKey().compareTo(ip) < 0) {
      gone.add(next.getKey());
      advance();
    }
  }

  /** All that were added; the object's own entries if nothing differs. */
  SortedMap<IpAddress, UsedAddress> all() {
    while (next != null) {
      gone.add(next.getKey());
      advance();
    }
    if (changed.isEmpty() && gone.isEmpty()) {
      return before;
    }
    NavigableMap<IpAddress, UsedAddress> all = new TreeMap<>(before);
    gone.forEach(all::remove);
    all.putAll(changed);
    return all;
  }
}
