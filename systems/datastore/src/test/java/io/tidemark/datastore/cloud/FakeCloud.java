package io.tidemark.datastore.cloud;

import io.tidemark.datastore.CidrKind;
import io.tidemark.datastore.StoreEniSpec;
import io.tidemark.datastore.cloud.CloudAnswer.Reason;
import io.tidemark.datastore.cloud.CloudEni.CloudCidr;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The interfaces of one instance as the cloud has them, over crashes of the node's programs. */
final class FakeCloud {
  static final String PRIMARY = "eni-0";

  private static final IpAddress ADDRESSES = IpAddress.parse("10.0.0.4");
  private static final IpAddress PREFIXES = IpAddress.parse("10.1.0.0");
  private static final Cidr IPV6 = Cidr.parse("2001:db8::/64");
  private static final int PER_PREFIX = 16;

  final int slots;
  final int maxEnis;

  /** How many addresses or prefixes the subnet can still give. */
  int subnetRoom = 1_000;

  /** The CIDRs that others have added, removed or moved. */
  final Set<Cidr> touchedByOthers = new HashSet<>();

  /** Changes that the node has asked for, for people. */
  final List<String> changes = new ArrayList<>();

  /** Called before something goes that the node gives back. */
  Consumer<Cidr> givenBack = cidr -> {};

  private final TimeSource time;
  private final SortedMap<String, CloudEni> enis = new TreeMap<>();
  private final NavigableMap<Long, List<CloudEni>> past = new TreeMap<>();
  private int nextId = 1;

  FakeCloud(TimeSource time, int slots, int maxEnis) {
    this.time = time;
    this.slots = slots;
    this.maxEnis = maxEnis;
    put(eni(PRIMARY, 0, true), List.of());
  }

  private static CloudEni eni(String id, int device, boolean managed) {
    StoreEniSpec spec =
        new StoreEniSpec(
            id, device, device == 0, false, false, StoreEniSpec.routeTable(0, device), "subnet-1");
    return new CloudEni(spec, 0, "02:00:00:00:00:0" + device, managed, List.of());
  }

  private void put(CloudEni eni, List<CloudCidr> cidrs) {
    CloudEni now = new CloudEni(eni.spec(), eni.card(), eni.mac(), eni.managed(), cidrs);
    enis.put(eni.spec().id(), now);
    past.put(time.nanos(), now());
  }

  List<CloudEni> now() {
    return List.copyOf(enis.values());
  }

  /** The content of a read that lags behind. */
  List<CloudEni> before(Duration lag) {
    return past.floorEntry(Math.max(past.firstKey(), time.nanos() - lag.toNanos())).getValue();
  }

  private CloudEni get(String id) {
    CloudEni eni = enis.get(id);
    if (eni == null) {
      throw new IllegalStateException("no " + id);
    }
    return eni;
  }

  /** All that pods may get addresses of. */
  Set<Cidr> cidrs() {
    Set<Cidr> all = new HashSet<>();
    enis.values().stream()
        .filter(CloudEni::managed)
        .forEach(eni -> eni.cidrs().forEach(each -> all.add(each.cidr())));
    return all;
  }

  boolean has(IpAddress address) {
    return cidrs().stream().anyMatch(cidr -> cidr.contains(address));
  }

  /** Whether the instance has all that it can have. */
  boolean isFull() {
    return subnetRoom == 0
        || (enis.size() >= maxEnis
            && enis.values().stream()
                .allMatch(eni -> !eni.managed() || eni.cidrs().size() >= slots));
  }

  private void log(String change) {
    changes.add(Duration.ofNanos(time.nanos()) + " " + change);
  }

  // ---- what others do

  /** Another program gives an interface addresses. */
  List<Cidr> addByOthers(String eniId, CidrKind kind, int count) {
    List<Cidr> given = give(eniId, kind, count);
    touchedByOthers.addAll(given);
    return given;
  }

  /** Another program attaches an interface. */
  String attachByOthers(boolean managed) {
    CloudEni eni = newEni(managed);
    put(eni, List.of());
    return eni.spec().id();
  }

  void removeByOthers(String eniId, Cidr cidr) {
    CloudEni eni = get(eniId);
    touchedByOthers.add(cidr);
    put(eni, eni.cidrs().stream().filter(each -> !each.cidr().equals(cidr)).toList());
  }

  void detachByOthers(String eniId) {
    get(eniId).cidrs().forEach(each -> touchedByOthers.add(each.cidr()));
    enis.remove(eniId);
    past.put(time.nanos(), now());
  }

  // ---- what the node asks for

  CloudAnswer<CloudEni> createEni(CidrKind kind, int count) {
    if (enis.size() >= maxEnis || count > slots) {
      return new CloudAnswer.Refused<>(Reason.LIMIT_REACHED, "AttachmentLimitExceeded");
    }
    if (subnetRoom < count) {
      return new CloudAnswer.Refused<>(Reason.SUBNET_FULL, "InsufficientFreeAddressesInSubnet");
    }
    CloudEni eni = newEni(true);
    put(eni, List.of());
    give(eni.spec().id(), kind, count);
    log("+" + eni.spec().id() + " with " + count);
    return new CloudAnswer.Done<>(get(eni.spec().id()));
  }

  private CloudEni newEni(boolean managed) {
    int device = 0;
    for (int used = device; isUsed(used); used++) {
      device = used + 1;
    }
    return eni("eni-" + nextId++, device, managed);
  }

  private boolean isUsed(int device) {
    return enis.values().stream().anyMatch(eni -> eni.spec().deviceNumber() == device);
  }

  CloudAnswer<List<Cidr>> assign(String eniId, IpFamily family, CidrKind kind, int count) {
    if (!enis.containsKey(eniId)) {
      return notFound(eniId);
    }
    if (family == IpFamily.IPV6) {
      return new CloudAnswer.Done<>(List.of(giveIpv6(eniId)));
    }
    if (get(eniId).cidrs().size() + count > slots) {
      return new CloudAnswer.Refused<>(Reason.LIMIT_REACHED, "PrivateIpAddressLimitExceeded");
    }
    if (subnetRoom < count) {
      return new CloudAnswer.Refused<>(Reason.SUBNET_FULL, "InsufficientCidrBlocks");
    }
    log("+" + count + " on " + eniId);
    return new CloudAnswer.Done<>(give(eniId, kind, count));
  }

  private List<Cidr> give(String eniId, CidrKind kind, int count) {
    List<Cidr> given = new ArrayList<>();
    Set<Cidr> used = new HashSet<>();
    enis.values().forEach(eni -> eni.cidrs().forEach(each -> used.add(each.cidr())));
    for (int i = 0; given.size() < count; i++) {
      Cidr cidr =
          kind == CidrKind.SECONDARY
              ? Cidr.single(ADDRESSES.plus(i))
              : Cidr.containing(PREFIXES.plus((long) PER_PREFIX * i), 28);
      if (used.add(cidr)) {
        given.add(cidr);
      }
    }
    subnetRoom -= count;
    add(eniId, kind, given);
    return given;
  }

  private void add(String eniId, CidrKind kind, List<Cidr> cidrs) {
    List<CloudCidr> all = new ArrayList<>(get(eniId).cidrs());
    cidrs.forEach(cidr -> all.add(new CloudCidr(cidr, kind)));
    put(get(eniId), all);
  }

  private Cidr giveIpv6(String eniId) {
    long before = get(eniId).cidrs().stream().filter(each -> isIpv6(each.cidr())).count();
    Cidr prefix = IPV6.subnet(80, before);
    log("+" + prefix);
    add(eniId, CidrKind.PREFIX, List.of(prefix));
    return prefix;
  }

  private static boolean isIpv6(Cidr cidr) {
    return cidr.family() == IpFamily.IPV6;
  }

  CloudAnswer<List<Cidr>> unassign(String eniId, CidrKind kind, List<Cidr> cidrs) {
    CloudEni eni = enis.get(eniId);
    Set<Cidr> there = new HashSet<>();
    if (eni != null) {
      eni.cidrs().stream().filter(each -> each.kind() == kind).forEach(it -> there.add(it.cidr()));
    }
    if (eni == null || !there.containsAll(cidrs)) {
      return notFound(cidrs + " of " + eniId);
    }
    log("-" + cidrs.size() + " of " + eniId);
    cidrs.forEach(givenBack);
    subnetRoom += cidrs.size();
    put(eni, eni.cidrs().stream().filter(each -> !cidrs.contains(each.cidr())).toList());
    return new CloudAnswer.Done<>(cidrs);
  }

  CloudAnswer<String> removeEni(String eniId) {
    CloudEni eni = enis.get(eniId);
    if (eni == null) {
      return notFound(eniId);
    }
    if (eni.spec().primary() || !eni.managed()) {
      throw new AssertionError("the node removes " + eni);
    }
    log("-" + eniId);
    eni.cidrs().forEach(each -> givenBack.accept(each.cidr()));
    subnetRoom += eni.cidrs().size();
    enis.remove(eniId);
    past.put(time.nanos(), now());
    return new CloudAnswer.Done<>(eniId);
  }

  private static <T> CloudAnswer<T> notFound(String what) {
    return new CloudAnswer.Refused<>(Reason.NOT_FOUND, what + " does not exist");
  }
}
