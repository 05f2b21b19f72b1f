package io.tidemark.datastore;

import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a store, said with lists and searches: an address of a block is assigned, or it was
 * released less than the period ago, or it is free.
 */
final class StoreModel {
  /** So far apart two instants are not confused, whichever of an event's was noted. */
  static final long FUZZ = Duration.ofMillis(100).toNanos();

  final CidrKind mode;
  final Map<Cidr, Block> blocks = new TreeMap<>();

  /** When each was added. */
  final Map<String, Long> enis = new TreeMap<>();

  final Set<String> excluded = new HashSet<>();
  final Set<String> draining = new HashSet<>();
  final Set<Cidr> returning = new HashSet<>();
  final Map<IpAddress, String> assigned = new TreeMap<>();
  final List<Held> orphans = new ArrayList<>();
  final Map<IpAddress, Freed> released = new HashMap<>();

  /** Of them those that an earlier start, or rule, may have taken for free. */
  final Set<IpAddress> unsure = new HashSet<>();

  boolean growable = true;
  long noAddress;
  long forceRemovedEnis;
  long forceRemovedAddresses;
  long cutShort;
  CooldownRule rule;

  /** The blocks of an interface. */
  record Block(String eni, CidrKind kind) {}

  /** An address of a sandbox. */
  record Held(IpAddress ip, String pod) {}

  /**
   * When an address was released.
   *
   * @param nanos in memory: when that was durable
   * @param noted in the file: when it was asked for, by both clocks
   */
  record Freed(long nanos, long noted, long notedEpochMillis) {}

  StoreModel(CidrKind mode, CooldownRule rule) {
    this.mode = mode;
    this.rule = rule;
  }

  StoreCounters counters() {
    return new StoreCounters(noAddress, forceRemovedEnis, forceRemovedAddresses, cutShort);
  }

  // ---- what there is

  static List<IpAddress> addresses(Cidr block) {
    List<IpAddress> all = new ArrayList<>();
    for (long i = 0; i < block.sizeSaturated(); i++) {
      all.add(block.address(i));
    }
    return all;
  }

  boolean isHere(IpAddress ip) {
    return blocks.keySet().stream().anyMatch(block -> block.contains(ip));
  }

  long inUse(Cidr block) {
    return assigned.keySet().stream().filter(block::contains).count();
  }

  /** How many addresses of an interface sandboxes have. */
  int inUse(String eni) {
    return (int) blocksOf(eni).mapToLong(this::inUse).sum();
  }

  Stream<Cidr> blocksOf(String eni) {
    return blocks.entrySet().stream()
        .filter(each -> each.getValue().eni().equals(eni))
        .map(Map.Entry::getKey);
  }

  /** The sandbox's address; null when it has none. */
  @Nullable IpAddress of(String pod) {
    return assigned.entrySet().stream()
        .filter(each -> each.getValue().equals(pod))
        .map(Map.Entry::getKey)
        .findFirst()
        .orElse(null);
  }

  // ---- what changes

  void assign(String pod, IpAddress ip) {
    hold(pod, ip);
    forget(pod);
  }

  private void hold(String pod, IpAddress ip) {
    assigned.put(ip, pod);
    released.remove(ip);
    unsure.remove(ip);
  }

  /** The sandbox has no address that is not here. */
  void forget(String pod) {
    orphans.removeIf(each -> each.pod().equals(pod));
  }

  /** The sandbox has ended: an address of it that is not here cools, if nobody else has it. */
  void releaseOrphans(String pod, Freed freed) {
    for (Held each : orphans) {
      if (each.pod().equals(pod) && !assigned.containsKey(each.ip())) {
        released.merge(each.ip(), freed, StoreModel::later);
      }
    }
    forget(pod);
  }

  /** Of an address that two sandboxes had: memory has the later release, the file the last one. */
  private static Freed later(Freed before, Freed last) {
    return new Freed(Math.max(before.nanos(), last.nanos()), last.noted(), last.notedEpochMillis());
  }

  void release(IpAddress ip, Freed freed) {
    assigned.remove(ip);
    released.put(ip, freed);
  }

  /** A block leaves; what sandboxes have of it is kept in mind. */
  void unplace(Cidr block, Freed freed) {
    blocks.remove(block);
    returning.remove(block);
    for (IpAddress ip : addresses(block)) {
      String pod = assigned.get(ip);
      if (pod != null) {
        orphans.add(new Held(ip, pod));
        release(ip, freed);
      }
    }
  }

  /** An interface leaves, with what it has. */
  void removeEni(String eni, Freed freed) {
    blocksOf(eni).toList().forEach(block -> unplace(block, freed));
    enis.remove(eni);
    excluded.remove(eni);
    draining.remove(eni);
  }

  /** A block comes, and sandboxes have its addresses again. */
  void place(Cidr block, Block what) {
    blocks.put(block, what);
    for (Held each : List.copyOf(orphans)) {
      if (block.contains(each.ip()) && !assigned.containsKey(each.ip())) {
        hold(each.pod(), each.ip());
        orphans.remove(each);
      }
    }
  }

  // ---- what cools

  /** Whether it certainly cools. */
  boolean cools(IpAddress ip, long now) {
    Freed freed = released.get(ip);
    return freed != null && !unsure.contains(ip) && isWithin(rule, now - freed.nanos() + FUZZ);
  }

  static boolean isWithin(CooldownRule rule, long age) {
    return !rule.period().isZero() && age <= rule.period().toNanos();
  }

  /** Whether it certainly neither is assigned nor cools. */
  boolean isFree(IpAddress ip, long now) {
    Freed freed = released.get(ip);
    return !assigned.containsKey(ip)
        && (freed == null || !isWithin(rule, now - freed.nanos() - FUZZ));
  }

  // ---- what a sandbox may get

  boolean isOpen(Cidr block) {
    Block what = blocks.get(block);
    return what != null
        && what.kind() == mode
        && !returning.contains(block)
        && !excluded.contains(what.eni())
        && !draining.contains(what.eni());
  }

  /** The addresses here that could be assigned, if they are not yet and do not cool. */
  List<IpAddress> open() {
    return blocks.keySet().stream()
        .filter(this::isOpen)
        .flatMap(block -> addresses(block).stream())
        .filter(ip -> !assigned.containsKey(ip))
        .toList();
  }

  /**
   * The addresses of which a sandbox may get one that asks now.
   *
   * @param alone whether no other request is under way
   */
  Set<IpAddress> choice(long now, boolean alone) {
    List<IpAddress> open = open();
    if (alone && open.stream().allMatch(ip -> cools(ip, now) || isFree(ip, now))) {
      List<IpAddress> free = open.stream().filter(ip -> isFree(ip, now)).toList();
      if (!free.isEmpty()) {
        return packed(free);
      }
    }
    Set<IpAddress> choice = new TreeSet<>();
    open.stream().filter(ip -> !cools(ip, now)).forEach(choice::add);
    if (!growable && !(alone && open.stream().anyMatch(ip -> isFree(ip, now)))) {
      choice.addAll(early(open, now, alone));
    }
    return choice;
  }

  /** Whether one that asks now, and alone, must get one. */
  boolean mustServe(long now) {
    List<IpAddress> open = open();
    return open.stream().anyMatch(ip -> isFree(ip, now))
        || (!growable && open.stream().anyMatch(ip -> isAboveFloor(ip, now - FUZZ)));
  }

  /** The lowest free addresses of the fullest blocks of the fullest interfaces. */
  private Set<IpAddress> packed(List<IpAddress> free) {
    Map<String, Map<Cidr, List<IpAddress>>> rooms = new TreeMap<>();
    for (IpAddress ip : free) {
      blocks.forEach(
          (block, what) -> {
            if (block.contains(ip)) {
              rooms
                  .computeIfAbsent(what.eni(), eni -> new TreeMap<>())
                  .computeIfAbsent(block, each -> new ArrayList<>())
                  .add(ip);
            }
          });
    }
    Set<IpAddress> lowest = new TreeSet<>();
    for (Map<Cidr, List<IpAddress>> eni :
        least(rooms.values().stream().toList(), Comparator.comparingInt(StoreModel::size))) {
      least(eni.values().stream().toList(), Comparator.comparingInt(List::size))
          .forEach(block -> lowest.add(block.get(0)));
    }
    return lowest;
  }

  private static int size(Map<Cidr, List<IpAddress>> eni) {
    return eni.values().stream().mapToInt(List::size).sum();
  }

  private static <T> List<T> least(List<T> all, Comparator<T> order) {
    T least = all.stream().min(order).orElseThrow();
    return all.stream().filter(each -> order.compare(each, least) == 0).toList();
  }

  private boolean isAboveFloor(IpAddress ip, long now) {
    Freed freed = released.get(ip);
    return freed != null && now - freed.nanos() >= rule.floor().toNanos();
  }

  /** Those that may be assigned before their cooldown is over: the longest cooled first. */
  private List<IpAddress> early(List<IpAddress> open, long now, boolean alone) {
    List<IpAddress> above =
        open.stream().filter(ip -> cools(ip, now) && isAboveFloor(ip, now + FUZZ)).toList();
    long oldest = above.stream().mapToLong(this::since).min().orElse(0);
    return above.stream().filter(ip -> !alone || since(ip) <= oldest + FUZZ).toList();
  }

  private long since(IpAddress ip) {
    Freed freed = released.get(ip);
    return freed == null ? Long.MIN_VALUE : freed.nanos();
  }
}
