package io.tidemark.provider.mock.cloud;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.PoolId;
import io.tidemark.time.TimeSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * The content of the cloud, and its recent past. Its public methods are the account's owner's, who
 * is not counted, not limited, and sees no faults and no lag. Thread-safe by its monitor, which a
 * request holds as a whole. Every change of an interface goes through {@link #put} and {@link
 * #remove}.
 */
public final class CloudState {
  /** In place of an instance, for the interfaces that are attached nowhere. */
  static final String NOWHERE = "";

  final Map<String, SubnetBooks> subnets = new TreeMap<>();
  final Map<String, Instance> instances = new HashMap<>();

  private final TimeSource time;
  private final long keepNanos;

  /** The interfaces of each instance since an instant, as far back as a read can lie. */
  private final TreeMap<String, TreeMap<Long, List<MockInterface>>> attached = new TreeMap<>();

  private final Map<InterfaceId, String> places = new HashMap<>();

  /** The instance of each alias range; ranges do not overlap, so neighbours tell. */
  private final TreeMap<Cidr, String> aliasHolders = new TreeMap<>();

  private BiConsumer<Optional<MockInterface>, Optional<MockInterface>> observer =
      (before, after) -> {};

  /** A virtual machine; one that was terminated is gone. */
  record Instance(String type, boolean running) {}

  /** An interface or an address that another instance has already. */
  public record Held(String what, String byInstance) {}

  /** An empty account; the past is remembered so long. */
  CloudState(TimeSource time, long keepNanos) {
    this.time = time;
    this.keepNanos = keepNanos;
  }

  // ---- what there is

  /**
   * Calls the listener with each interface before and after each change, under the account's lock;
   * empty for one that does not exist.
   */
  public synchronized void observe(
      BiConsumer<Optional<MockInterface>, Optional<MockInterface>> listener) {
    observer = listener;
  }

  /** Whether the instance exists; empty when not, else whether it runs. */
  public synchronized Optional<Boolean> isRunning(String instanceId) {
    return Optional.ofNullable(instances.get(instanceId)).map(Instance::running);
  }

  /** All subnets, ids ascending. */
  public synchronized List<MockSubnet> subnets() {
    return subnets.values().stream().map(SubnetBooks::subnet).toList();
  }

  /** One subnet with its free space. */
  public synchronized MockSubnet.Room subnet(String subnetId) {
    return Objects.requireNonNull(subnets.get(subnetId)).room();
  }

  /** One interface. */
  public synchronized Optional<MockInterface> find(InterfaceId id) {
    String place = places.get(id);
    return place == null
        ? Optional.empty()
        : attachedTo(place).stream().filter(each -> each.id().equals(id)).findFirst();
  }

  /** All interfaces. */
  public synchronized List<MockInterface> all() {
    return all(time.nanos());
  }

  /** All interfaces as a reader of that instant sees them, by instance. */
  List<MockInterface> all(long asOfNanos) {
    List<MockInterface> all = new ArrayList<>();
    attached.values().forEach(past -> all.addAll(at(asOfNanos, past)));
    return all;
  }

  /** The interfaces of an instance, in order of attachment; the same list until it changes. */
  public synchronized List<MockInterface> attachedTo(String instanceId) {
    return attachedTo(instanceId, time.nanos());
  }

  /** The same, as a reader of that instant sees it. */
  List<MockInterface> attachedTo(String instanceId, long asOfNanos) {
    TreeMap<Long, List<MockInterface>> past = attached.get(instanceId);
    return past == null ? List.of() : at(asOfNanos, past);
  }

  private static List<MockInterface> at(long nanos, NavigableMap<Long, List<MockInterface>> past) {
    Map.Entry<Long, List<MockInterface>> then = past.floorEntry(nanos);
    return then == null ? List.of() : then.getValue();
  }

  MockInterface networkInterface(InterfaceId id) throws CloudException {
    return find(id)
        .orElseThrow(
            () -> new CloudException(CloudErrorCode.INTERFACE_NOT_FOUND, id + " does not exist"));
  }

  SubnetBooks books(String subnetId) throws CloudException {
    SubnetBooks books = subnets.get(subnetId);
    if (books == null) {
      throw new CloudException(CloudErrorCode.SUBNET_NOT_FOUND, subnetId + " does not exist");
    }
    return books;
  }

  /** The interface at index 0 of an instance. */
  Optional<MockInterface> own(String instanceId) {
    return attachedTo(instanceId).stream().filter(each -> each.index() == 0).findFirst();
  }

  /** An alias range that shares addresses with this one, and its instance. */
  Optional<Map.Entry<Cidr, String>> overlappingAlias(Cidr range) {
    Map.Entry<Cidr, String> before = aliasHolders.floorEntry(range);
    return before != null && before.getKey().overlaps(range)
        ? Optional.of(before)
        : Optional.ofNullable(aliasHolders.higherEntry(range))
            .filter(after -> after.getKey().overlaps(range));
  }

  // ---- changes

  /** Adds a subnet with all its addresses free; one of the same id stays. */
  public synchronized void subnet(MockSubnet subnet) {
    subnets.putIfAbsent(subnet.id(), new SubnetBooks(subnet));
  }

  /**
   * Starts an instance. Its own interface gets the lowest free address of the subnet.
   *
   * @throws IllegalArgumentException when the id is taken or the subnet is unknown or full
   */
  public MockInterface launch(String instanceId, String type, String subnetId) {
    return launch(instanceId, type, subnetId, Map.of());
  }

  /** The same with these tags of the interface. */
  public synchronized MockInterface launch(
      String instanceId, String type, String subnetId, Map<String, String> tags) {
    try {
      if (instances.containsKey(instanceId)) {
        throw new IllegalArgumentException(instanceId + " exists");
      }
      IpAddress primary = books(subnetId).takeSingles(1).at(0);
      InterfaceId id = new InterfaceId("eni-" + MockRequests.hex(MockRequests.mix(instanceId)));
      String description = "primary interface of " + instanceId;
      MockInterface own =
          MockInterface.loose(id, new PoolId(subnetId), description, primary, List.of(), tags)
              .at(instanceId, 0);
      instances.put(instanceId, new Instance(type, true));
      put(own);
      return own;
    } catch (CloudException refused) {
      throw new IllegalArgumentException(refused.getMessage(), refused);
    }
  }

  /**
   * Takes an instance as it stands, with its subnets, all of it or nothing. Limits are not looked
   * at.
   *
   * @param instanceId empty for interfaces that are attached nowhere
   * @return why nothing was taken; empty on success
   * @throws IllegalArgumentException when no instance could have what it shows
   */
  public synchronized Optional<Held> adopt(
      String instanceId,
      String type,
      Collection<MockSubnet> shown,
      Collection<MockInterface> interfaces) {
    List<Runnable> undo = new ArrayList<>();
    try {
      Optional<Held> held = take(shown, interfaces, undo);
      if (held.isEmpty()) {
        undo.clear();
        if (!instanceId.isEmpty()) {
          instances.put(instanceId, new Instance(type, true));
        }
        interfaces.forEach(this::put);
      }
      return held;
    } finally {
      undo.forEach(Runnable::run);
    }
  }

  private Optional<Held> take(
      Collection<MockSubnet> shown, Collection<MockInterface> interfaces, List<Runnable> undo) {
    for (MockSubnet each : shown) {
      for (MockSubnet one : subnets()) {
        boolean same = one.id().equals(each.id());
        if (same ? !one.cidr().equals(each.cidr()) : !one.isApartFrom(each)) {
          throw new IllegalArgumentException(each + " contradicts subnet " + one);
        }
      }
      if (subnets.putIfAbsent(each.id(), new SubnetBooks(each)) == null) {
        undo.add(() -> subnets.remove(each.id()));
      }
    }
    for (MockInterface each : interfaces) {
      Optional<MockInterface> same = find(each.id());
      if (same.isPresent()) {
        return Optional.of(new Held("interface " + each.id(), same.get().instanceId()));
      }
      SubnetBooks books = Objects.requireNonNull(subnets.get(each.pool().text()));
      for (IpAddress address : each.taken()) {
        if (books.isHeld(address)) {
          return Optional.of(new Held("address " + address, holder(each.pool(), address)));
        }
        if (!books.take(address)) {
          throw new IllegalArgumentException(
              "address " + address + " cannot be given out in subnet " + books.subnet());
        }
        undo.add(() -> books.give(AddressSet.of(address), List.of()));
      }
    }
    return Optional.empty();
  }

  /** The instance whose interface has an address of a subnet; empty for none. */
  private String holder(PoolId subnet, IpAddress address) {
    return all().stream()
        .filter(each -> each.pool().equals(subnet) && each.taken().contains(address))
        .map(MockInterface::instanceId)
        .findFirst()
        .orElse("");
  }

  /**
   * Addresses that somebody else takes from a subnet: never part of an interface.
   *
   * @return how many of the wanted ones were free
   */
  public synchronized int occupy(String subnetId, AddressSet addresses) {
    SubnetBooks books = Objects.requireNonNull(subnets.get(subnetId));
    return (int) addresses.toList().stream().filter(books::take).count();
  }

  /** Routes a range to an instance, unless something has addresses of it. */
  public synchronized void aliasRange(String instanceId, Cidr range) {
    if (overlappingAlias(range).isEmpty()) {
      own(instanceId).ifPresent(own -> put(own.withAliasRange(range)));
    }
  }

  /** Starts or stops an instance; does nothing to an unknown one. */
  public synchronized void running(String instanceId, boolean running) {
    instances.computeIfPresent(instanceId, (id, each) -> new Instance(each.type(), running));
  }

  /** Ends an instance with its interfaces. */
  public synchronized void terminate(String instanceId) {
    if (instances.remove(instanceId) != null) {
      attachedTo(instanceId).forEach(this::remove);
      long now = time.nanos();
      attached
          .values()
          .removeIf(past -> at(now, past).isEmpty() && past.lastKey() <= now - keepNanos);
    }
  }

  /** Adds an interface, or puts it in the place of its predecessor. */
  void put(MockInterface now) {
    Optional<MockInterface> before = find(now.id());
    before.filter(each -> !each.instanceId().equals(now.instanceId())).ifPresent(this::withdraw);
    List<MockInterface> list = new ArrayList<>(attachedTo(now.instanceId()));
    int index = before.map(list::indexOf).orElse(-1);
    if (index < 0) {
      list.add(now);
    } else {
      list.set(index, now);
    }
    set(now.instanceId(), List.copyOf(list));
    places.put(now.id(), now.instanceId());
    now.aliasRanges().forEach(range -> aliasHolders.put(range, now.instanceId()));
    observer.accept(before, Optional.of(now));
  }

  /** Removes an interface; what it held is free. */
  void remove(MockInterface gone) {
    withdraw(gone);
    places.remove(gone.id());
    gone.aliasRanges().forEach(aliasHolders::remove);
    Objects.requireNonNull(subnets.get(gone.pool().text())).give(gone.taken(), List.of());
    observer.accept(Optional.of(gone), Optional.empty());
  }

  private void withdraw(MockInterface gone) {
    set(
        gone.instanceId(),
        attachedTo(gone.instanceId()).stream()
            .filter(each -> !each.id().equals(gone.id()))
            .toList());
  }

  private void set(String instanceId, List<MockInterface> list) {
    long now = time.nanos();
    TreeMap<Long, List<MockInterface>> past =
        attached.computeIfAbsent(instanceId, id -> new TreeMap<>());
    past.put(now, list);
    Long oldest = past.floorKey(now - keepNanos);
    if (oldest != null) {
      past.headMap(oldest).clear();
    }
  }
}
