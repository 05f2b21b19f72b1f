package io.tidemark.datastore;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a store must do, said with lists and searches: an address of a block is assigned, or it was
 * released less than the period ago, or it is free.
 */
final class StoreModel {
  /** A write takes milliseconds, and a release counts from its beginning or its end. */
  private static final long FUZZ = 1_000_000_000;

  final Map<Cidr, String> blocks = new TreeMap<>();
  final Set<String> excluded = new HashSet<>();
  final Map<IpAddress, String> assigned = new TreeMap<>();
  final Map<IpAddress, String> orphans = new TreeMap<>();
  final Map<IpAddress, Long> released = new HashMap<>();
  boolean growable = true;
  private final CooldownRule rule;

  StoreModel(CooldownRule rule) {
    this.rule = rule;
  }

  List<IpAddress> addresses(Cidr block) {
    List<IpAddress> all = new ArrayList<>();
    for (long i = 0; i < block.sizeSaturated(); i++) {
      all.add(block.address(i));
    }
    return all;
  }

  boolean isHere(IpAddress ip) {
    return blocks.keySet().stream().anyMatch(block -> block.contains(ip));
  }

  boolean isUsed(Cidr block) {
    return assigned.keySet().stream().anyMatch(block::contains);
  }

  /** The key's address; null when it has none. */
  @Nullable IpAddress of(String key) {
    return assigned.entrySet().stream()
        .filter(each -> each.getValue().equals(key))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(null);
  }

  void assign(String key, IpAddress ip) {
    assigned.put(ip, key);
    released.remove(ip);
    orphans.values().removeIf(key::equals);
  }

  void release(String key, long now) {
    for (IpAddress ip : List.copyOf(assigned.keySet())) {
      if (key.equals(assigned.get(ip))) {
        assigned.remove(ip);
        released.put(ip, now);
      }
    }
  }

  /** A block leaves by force. */
  void unplace(Cidr block, long now) {
    blocks.remove(block);
    for (IpAddress ip : List.copyOf(assigned.keySet())) {
      if (block.contains(ip)) {
        orphans.put(ip, assigned.getOrDefault(ip, ""));
        assigned.remove(ip);
        released.put(ip, now);
      }
    }
  }

  /** A block comes, and orphans with its addresses are assigned again. */
  void place(Cidr block, String eni) {
    blocks.put(block, eni);
    for (IpAddress ip : List.copyOf(orphans.keySet())) {
      if (block.contains(ip)) {
        assigned.put(ip, orphans.getOrDefault(ip, ""));
        orphans.remove(ip);
        released.remove(ip);
      }
    }
  }

  private boolean isOfOpenEni(IpAddress ip) {
    return blocks.entrySet().stream()
        .anyMatch(each -> each.getKey().contains(ip) && !excluded.contains(each.getValue()));
  }

  /**
   * Whether a sandbox may get an address now.
   *
   * @param alone whether no other request was under way, which may have had a free address then
   */
  boolean mayBeAssigned(IpAddress ip, long now, boolean alone) {
    long age = now - released.getOrDefault(ip, now - Long.MAX_VALUE / 2);
    boolean cooled =
        !rule.cools(age)
            || (!growable && age >= rule.floor().toNanos() && !(alone && anyFree(now)));
    return isOfOpenEni(ip) && !assigned.containsKey(ip) && cooled;
  }

  /** Whether there certainly is an address that neither is assigned nor cools. */
  boolean anyFree(long now) {
    return blocks.keySet().stream()
        .flatMap(block -> addresses(block).stream())
        .filter(this::isOfOpenEni)
        .filter(ip -> !assigned.containsKey(ip))
        .anyMatch(
            ip ->
                now - released.getOrDefault(ip, now - Long.MAX_VALUE / 2)
                    > rule.period().toNanos() + FUZZ);
  }
}
