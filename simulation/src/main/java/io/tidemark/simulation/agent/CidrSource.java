package io.tidemark.simulation.agent;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.AddressDemand;
import io.tidemark.resource.IpamSpec;
import io.tidemark.resource.NodeResource;
import io.tidemark.simulation.cloud.SimulatedCloud.ShownInterface;
import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Addresses from CIDRs that a multi-pool agent adopts and drops (node-manager 2.8, 4.9). A CIDR is
 * used only when the object shows that we hold it. A dropped one is adopted again when pods need it
 * and it is still attached, and is not used before a release can no longer be under way.
 */
final class CidrSource implements AddressSource {
  private static final int PRE_ALLOCATE = 8;

  /** Longer than a release can take that began before our adoption was seen. */
  private static final Duration QUARANTINE = Duration.ofMinutes(4);

  private final Set<String> foreignInterfaces;
  private final Function<NodeResource, Map<String, ShownInterface>> shown;
  private final TimeSource time;
  private final long promptNanos;
  private final SortedMap<Cidr, Long> adoptedAt = new TreeMap<>();
  private final SortedMap<Cidr, Long> usableFrom = new TreeMap<>();
  private final Set<Cidr> dropped = new TreeSet<>();
  private final Set<Cidr> reclaimed = new TreeSet<>();
  private int preAllocate = PRE_ALLOCATE;

  /**
   * A source that has seen nothing.
   *
   * @param foreignInterfaces interfaces of an earlier instance of the same name, never used
   * @param shown the interfaces that an object shows, by id
   * @param prompt an adoption confirmed within this time comes before any release of the CIDR
   */
  CidrSource(
      Set<String> foreignInterfaces,
      Function<NodeResource, Map<String, ShownInterface>> shown,
      TimeSource time,
      Duration prompt) {
    this.foreignInterfaces = Set.copyOf(foreignInterfaces);
    this.shown = shown;
    this.time = time;
    this.promptNanos = prompt.toNanos();
  }

  @Override
  public boolean seen(NodeResource resource, SortedMap<IpAddress, Pod> used, int waiting) {
    IpamSpec ipam = resource.ipam();
    preAllocate = ipam.preAllocate() == 0 ? PRE_ALLOCATE : ipam.preAllocate();
    long now = time.nanos();
    Set<Cidr> attached = attached(resource);
    dropped.retainAll(attached);
    adoptedAt.keySet().removeIf(cidr -> !attached.contains(cidr) && isFree(cidr, used));
    usableFrom.keySet().retainAll(adoptedAt.keySet());
    reclaimed.retainAll(adoptedAt.keySet());
    for (Cidr cidr : attached) {
      if (!dropped.contains(cidr)) {
        adoptedAt.putIfAbsent(cidr, now);
      }
    }
    int needed = used.size() + waiting + preAllocate;
    reclaim(needed, now);
    for (Map.Entry<Cidr, Long> each : adoptedAt.entrySet()) {
      if (ipam.allocatedCidrs().contains(each.getKey())) {
        boolean prompt = !reclaimed.contains(each.getKey()) && now - each.getValue() <= promptNanos;
        usableFrom.putIfAbsent(each.getKey(), prompt ? now : now + QUARANTINE.toNanos());
      }
    }
    dropSurplus(needed, used);
    return !ipam.allocatedCidrs().equals(adoptedAt.keySet())
        || ipam.requested().map(AddressDemand::ipv4).orElse(-1) != needed;
  }

  private Set<Cidr> attached(NodeResource resource) {
    Set<Cidr> attached = new TreeSet<>();
    shown
        .apply(resource)
        .forEach(
            (id, one) -> {
              if (!foreignInterfaces.contains(id)) {
                attached.addAll(one.blocks());
                for (IpAddress address : one.addresses()) {
                  if (one.blocks().stream().noneMatch(block -> block.contains(address))) {
                    attached.add(Cidr.single(address));
                  }
                }
              }
            });
    return attached;
  }

  /** Takes up what was dropped as far as all that we hold is too little. */
  private void reclaim(int needed, long now) {
    long lacking = needed - size(adoptedAt.keySet());
    for (Cidr cidr : List.copyOf(dropped)) {
      if (lacking > 0) {
        lacking -= cidr.sizeSaturated();
        dropped.remove(cidr);
        reclaimed.add(cidr);
        adoptedAt.put(cidr, now);
      }
    }
  }

  private void dropSurplus(int needed, SortedMap<IpAddress, Pod> used) {
    long surplus = size(usableFrom.keySet()) - needed;
    for (Cidr cidr : List.copyOf(usableFrom.keySet())) {
      if (surplus >= cidr.sizeSaturated() && isFree(cidr, used)) {
        surplus -= cidr.sizeSaturated();
        usableFrom.remove(cidr);
        adoptedAt.remove(cidr);
        dropped.add(cidr);
      }
    }
  }

  private static long size(Set<Cidr> cidrs) {
    return cidrs.stream().mapToLong(Cidr::sizeSaturated).sum();
  }

  private static boolean isFree(Cidr cidr, SortedMap<IpAddress, Pod> used) {
    SortedMap<IpAddress, Pod> from = used.tailMap(cidr.first());
    return from.isEmpty() || !cidr.contains(from.firstKey());
  }

  @Override
  public Optional<IpAddress> pick(SortedMap<IpAddress, Pod> used, SplittableRandom random) {
    List<IpAddress> free = new ArrayList<>();
    for (Map.Entry<Cidr, Long> each : usableFrom.entrySet()) {
      if (time.nanos() - each.getValue() >= 0) {
        for (IpAddress address : AddressSet.ofRange(each.getKey())) {
          if (!used.containsKey(address)) {
            free.add(address);
          }
        }
      }
    }
    return free.isEmpty() ? Optional.empty() : Optional.of(free.get(random.nextInt(free.size())));
  }

  @Override
  public NodeResource answered(NodeResource base, SortedMap<IpAddress, Pod> used, int waiting) {
    IpamSpec ipam = base.ipam();
    return base.withIpam(
        new IpamSpec(
            ipam.preAllocate(),
            ipam.minAllocate(),
            ipam.maxAllocate(),
            ipam.maxAboveWatermark(),
            ipam.staticIpTags(),
            Optional.of(
                new AddressDemand(
                    used.size() + waiting + preAllocate,
                    ipam.requested().map(AddressDemand::ipv6).orElse(0))),
            adoptedAt.keySet()));
  }

  @Override
  public boolean writesSpec() {
    return true;
  }

  @Override
  public OptionalLong usableAtNanos() {
    long now = time.nanos();
    return usableFrom.values().stream().mapToLong(Long::longValue).filter(at -> at > now).min();
  }

  /** What it adopted and dropped is in its checkpoint. */
  @Override
  public void restarted() {}
}
