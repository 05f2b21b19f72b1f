package io.tidemark.provider.mock.cloud;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.AddressSpace;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.kit.pool.Pool;
import io.tidemark.spi.InterfaceId;
import io.tidemark.spi.PoolId;
import io.tidemark.time.TimeSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The content of the cloud, and its recent past. Its public methods are the account's owner's, who
 * is not counted, not limited, and sees no faults and no lag. Thread-safe by its monitor, which a
 * request holds as a whole. Interfaces change by {@link #put} and {@link #remove} alone.
 */
public final class CloudState {
  final Map<String, SubnetBooks> subnets = new TreeMap<>();
  final Map<String, Instance> instances = new HashMap<>();

  private final TimeSource time;
  private final long keepNanos;
  private final Map<InterfaceId, MockInterface> interfaces = new TreeMap<>();

  /** The interfaces of each instance since an instant, as far back as a read can lie. */
  final TreeMap<String, TreeMap<Long, List<MockInterface>>> attached = new TreeMap<>();

  /** The instance of each alias range; ranges do not overlap, so neighbours tell. */
  private final TreeMap<Cidr, String> aliasHolders = new TreeMap<>();

  private BiConsumer<Optional<MockInterface>, Optional<MockInterface>> observer = (old, now) -> {};

  /** A virtual machine; one that was terminated is gone. */
  record Instance(String type, boolean running) {}

  /** An interface or an address that is taken; the instance is empty when none is known. */
  public record Held(String what, String byInstance) {}

  /** An empty account; the past is remembered so long. */
  CloudState(TimeSource time, long keepNanos) {
    this.time = time;
    this.keepNanos = keepNanos;
  }

  /** Calls the listener, under the lock, with each interface before and after each change. */
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
  public synchronized Pool<MockSubnet> subnet(String subnetId) {
    return Objects.requireNonNull(subnets.get(subnetId)).pool();
  }

  /** One interface. */
  public synchronized Optional<MockInterface> find(InterfaceId id) {
    return Optional.ofNullable(interfaces.get(id));
  }

  /** All interfaces, ids ascending. */
  public synchronized List<MockInterface> all() {
    return List.copyOf(interfaces.values());
  }

  /** All interfaces as a reader of that instant sees them, by instance. */
  List<MockInterface> all(long asOfNanos) {
    return attached.keySet().stream().flatMap(id -> attachedTo(id, asOfNanos).stream()).toList();
  }

  /** The interfaces of an instance, in order of attachment; the same list until it changes. */
  public synchronized List<MockInterface> attachedTo(String instanceId) {
    return attachedTo(instanceId, time.nanos());
  }

  /** The same, as a reader of that instant sees it. */
  List<MockInterface> attachedTo(String instanceId, long asOfNanos) {
    TreeMap<Long, List<MockInterface>> past = attached.get(instanceId);
    Map.Entry<Long, List<MockInterface>> then = past == null ? null : past.floorEntry(asOfNanos);
    return then == null ? List.of() : then.getValue();
  }

  /** An alias range that shares addresses with this one, and its instance. */
  Optional<Map.Entry<Cidr, String>> overlappingAlias(Cidr range) {
    return Optional.ofNullable(aliasHolders.floorEntry(range))
        .filter(before -> before.getKey().overlaps(range))
        .or(() -> Optional.ofNullable(aliasHolders.higherEntry(range)))
        .filter(either -> either.getKey().overlaps(range));
  }

  /** Adds a subnet with all its addresses free; one of the same id stays. */
  public synchronized void subnet(MockSubnet subnet) {
    subnets.putIfAbsent(subnet.id(), new SubnetBooks(subnet));
  }

  /**
   * Starts an instance. Its own interface has the lowest free address of the subnet, and these
   * tags.
   *
   * @throws IllegalArgumentException when the id is taken or the subnet is unknown or full
   */
  public synchronized MockInterface launch(
      String instanceId, String type, String subnetId, Map<String, String> tags) {
    SubnetBooks books = subnets.get(subnetId);
    if (books == null || books.space().freeCount() == 0 || instances.containsKey(instanceId)) {
      throw new IllegalArgumentException(subnetId + " has no room for a new " + instanceId);
    }
    MockInterface.Fixed wanted =
        new MockInterface.Fixed("primary interface of " + instanceId, List.of(), tags);
    IpAddress primary = books.space().allocate(1).at(0);
    InterfaceId id = MockInterface.id(0, instanceId);
    instances.put(instanceId, new Instance(type, true));
    return put(MockInterface.loose(id, new PoolId(subnetId), wanted, primary).at(instanceId, 0));
  }

  /**
   * Takes an instance as it stands, with its subnets, all of it or nothing, whatever its limits.
   *
   * @param instanceId empty for interfaces that are attached nowhere
   * @return why nothing was taken; empty on success
   * @throws IllegalArgumentException when no instance could have what it shows
   */
  public synchronized Optional<Held> adopt(
      String instanceId,
      String type,
      Collection<MockSubnet> shown,
      Collection<MockInterface> having) {
    Map<String, SubnetBooks> books = new TreeMap<>(subnets);
    for (MockSubnet each : shown) {
      books.values().forEach(one -> one.subnet().requireNoContradiction(each));
      books.putIfAbsent(each.id(), new SubnetBooks(each));
    }
    for (MockInterface each : having) {
      if (interfaces.containsKey(each.id())) {
        return find(each.id()).map(it -> new Held("interface " + it.id(), it.instanceId()));
      }
    }
    List<MockInterface> taken = new ArrayList<>();
    for (MockInterface each : having) {
      Optional<IpAddress> refused = books(books, each).take(each.taken());
      if (refused.isPresent()) {
        try {
          return Optional.of(holder(books(books, each), refused.get()));
        } finally {
          taken.forEach(one -> books(books, one).give(one.taken(), List.of()));
        }
      }
      taken.add(each);
    }
    subnets.putAll(books);
    if (!instanceId.isEmpty()) {
      instances.put(instanceId, new Instance(type, true));
    }
    having.forEach(this::put);
    return Optional.empty();
  }

  private static SubnetBooks books(Map<String, SubnetBooks> all, MockInterface of) {
    return Objects.requireNonNull(all.get(of.pool().text()));
  }

  private Held holder(SubnetBooks books, IpAddress address) {
    String subnet = books.subnet().id();
    if (!books.space().isAllocated(address)) {
      throw new IllegalArgumentException(address + " is no address of " + books.subnet());
    }
    return interfaces.values().stream()
        .filter(each -> each.pool().text().equals(subnet) && each.taken().contains(address))
        .map(each -> new Held("address " + address, each.instanceId()))
        .findFirst()
        .orElse(new Held("address " + address, ""));
  }

  /** Lets somebody else take addresses of a subnet; returns how many of them were free. */
  public synchronized int occupy(String subnetId, AddressSet addresses) {
    AddressSpace space = Objects.requireNonNull(subnets.get(subnetId)).space();
    return (int) addresses.toList().stream().filter(space::allocate).count();
  }

  /** Routes a range to an instance, unless something has addresses of it. */
  public synchronized void aliasRange(String instanceId, Cidr range) {
    if (overlappingAlias(range).isEmpty()) {
      attachedTo(instanceId).stream()
          .filter(each -> each.index() == 0)
          .findFirst()
          .ifPresent(own -> put(own.withAliasRange(range)));
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
      long old = time.nanos() - keepNanos;
      attached.values().removeIf(it -> it.lastKey() <= old && it.lastEntry().getValue().isEmpty());
    }
  }

  /** Adds an interface, or puts it in the place of its predecessor. */
  MockInterface put(MockInterface now) {
    Optional<MockInterface> before = Optional.ofNullable(interfaces.put(now.id(), now));
    String instance = now.instanceId();
    if (before.filter(old -> old.instanceId().equals(instance)).isPresent()) {
      edit(instance, list -> list.set(list.indexOf(before.get()), now));
    } else {
      before.ifPresent(old -> edit(old.instanceId(), list -> list.remove(old)));
      edit(instance, list -> list.add(now));
    }
    now.aliasRanges().forEach(range -> aliasHolders.put(range, instance));
    observer.accept(before, Optional.of(now));
    return now;
  }

  /** Removes an interface; what it held is free. */
  void remove(MockInterface gone) {
    interfaces.remove(gone.id());
    edit(gone.instanceId(), list -> list.remove(gone));
    gone.aliasRanges().forEach(aliasHolders::remove);
    books(subnets, gone).give(gone.taken(), List.of());
    observer.accept(Optional.of(gone), Optional.empty());
  }

  private void edit(String instanceId, Consumer<List<MockInterface>> change) {
    List<MockInterface> list = new ArrayList<>(attachedTo(instanceId));
    change.accept(list);
    TreeMap<Long, List<MockInterface>> past =
        attached.computeIfAbsent(instanceId, id -> new TreeMap<>());
    past.put(time.nanos(), List.copyOf(list));
    Long oldest = past.floorKey(time.nanos() - keepNanos);
    if (oldest != null) {
      past.headMap(oldest).clear();
    }
  }
}
