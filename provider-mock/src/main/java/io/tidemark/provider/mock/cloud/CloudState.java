package io.tidemark.provider.mock.cloud;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.spi.InterfaceId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * The content of the cloud, and its recent past. Every change of an interface goes through {@link
 * #put} and {@link #remove}. Not thread-safe.
 */
final class CloudState {
  /** In place of an instance, for the interfaces that are attached nowhere. */
  static final String NOWHERE = "";

  final Map<String, SubnetBooks> subnets = new TreeMap<>();

  final Map<IpAddress, MockRequests.PublicAddress> publicAddresses = new TreeMap<>();
  final Map<String, Instance> instances = new HashMap<>();

  private final long keepNanos;

  /** The interfaces of each instance since an instant, as far back as a read can lie. */
  private final TreeMap<String, TreeMap<Long, List<MockInterface>>> attached = new TreeMap<>();

  private final Map<InterfaceId, String> places = new HashMap<>();

  /** The instance of each alias range; ranges do not overlap, so neighbours tell. */
  private final TreeMap<Cidr, String> aliasHolders = new TreeMap<>();

  private BiConsumer<Optional<MockInterface>, Optional<MockInterface>> observer =
      (before, after) -> {};
  private long nowNanos;

  /** A virtual machine; one that was terminated is gone. */
  record Instance(String type, boolean running) {}

  /** An empty account; the past is remembered so long. */
  CloudState(long keepNanos) {
    this.keepNanos = keepNanos;
  }

  /** Sets the clock, which never goes back. */
  void advance(long nanos) {
    nowNanos = Math.max(nowNanos, nanos);
  }

  long nowNanos() {
    return nowNanos;
  }

  void observe(BiConsumer<Optional<MockInterface>, Optional<MockInterface>> listener) {
    observer = listener;
  }

  Optional<MockInterface> find(InterfaceId id) {
    String place = places.get(id);
    return place == null
        ? Optional.empty()
        : attachedTo(place).stream().filter(each -> each.id().equals(id)).findFirst();
  }

  MockInterface networkInterface(InterfaceId id) throws CloudException {
    return find(id)
        .orElseThrow(
            () -> new CloudException(CloudErrorCode.INTERFACE_NOT_FOUND, id + " does not exist"));
  }

  Instance instance(String id) throws CloudException {
    Instance found = instances.get(id);
    if (found == null) {
      throw new CloudException(CloudErrorCode.INSTANCE_NOT_FOUND, id + " does not exist");
    }
    return found;
  }

  SubnetBooks books(String subnetId) throws CloudException {
    SubnetBooks books = subnets.get(subnetId);
    if (books == null) {
      throw new CloudException(CloudErrorCode.SUBNET_NOT_FOUND, subnetId + " does not exist");
    }
    return books;
  }

  /** The interfaces of an instance now, in order of attachment; the same list until it changes. */
  List<MockInterface> attachedTo(String instanceId) {
    return attachedTo(instanceId, nowNanos);
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

  /** All interfaces as a reader of that instant sees them, by instance. */
  List<MockInterface> all(long asOfNanos) {
    List<MockInterface> all = new ArrayList<>();
    attached.values().forEach(past -> all.addAll(at(asOfNanos, past)));
    return all;
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
    SubnetBooks books = subnets.get(gone.pool().text());
    if (books != null) {
      books.give(gone.taken(), List.of());
    }
    publicAddresses.replaceAll(
        (address, each) ->
            each.holder().equals(Optional.of(gone.id())) ? each.boundTo(Optional.empty()) : each);
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
    TreeMap<Long, List<MockInterface>> past =
        attached.computeIfAbsent(instanceId, id -> new TreeMap<>());
    past.put(nowNanos, list);
    Long oldest = past.floorKey(nowNanos - keepNanos);
    if (oldest != null) {
      past.headMap(oldest).clear();
    }
  }

  /** Starts or stops an instance; does nothing to an unknown one. */
  void running(String instanceId, boolean running) {
    instances.computeIfPresent(instanceId, (id, each) -> new Instance(each.type(), running));
  }

  /** Ends an instance with its interfaces. */
  void terminate(String instanceId) {
    if (instances.remove(instanceId) != null) {
      attachedTo(instanceId).forEach(this::remove);
      long oldest = nowNanos - keepNanos;
      attached.values().removeIf(past -> at(nowNanos, past).isEmpty() && past.lastKey() <= oldest);
    }
  }

  /** An alias range that shares addresses with this one, and its instance. */
  Optional<Map.Entry<Cidr, String>> overlappingAlias(Cidr range) {
    Map.Entry<Cidr, String> before = aliasHolders.floorEntry(range);
    return before != null && before.getKey().overlaps(range)
        ? Optional.of(before)
        : Optional.ofNullable(aliasHolders.higherEntry(range))
            .filter(after -> after.getKey().overlaps(range));
  }

  /** The instance whose interface has one of these addresses of a subnet; empty for none. */
  Optional<String> holder(String subnetId, AddressSet addresses) {
    return all(nowNanos).stream()
        .filter(each -> each.pool().text().equals(subnetId))
        .filter(each -> each.taken().intersects(addresses))
        .map(MockInterface::instanceId)
        .findFirst();
  }
}
