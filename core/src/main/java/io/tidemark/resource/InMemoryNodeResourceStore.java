package io.tidemark.resource;

import io.tidemark.time.TaskScheduler;
import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BinaryOperator;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * An API server in memory: the objects of a cluster, their versions, and a {@link
 * NodeResourceStore} per client. Versions are one increasing number over all objects. Thread-safe;
 * the lock is held for a few map operations, never during a call of foreign code.
 *
 * <p>As the Kubernetes API does (node-manager 1.1), a spec write ignores the status and the
 * reverse, a write on an old version is a conflict, and content that violates the schema is refused
 * (N2).
 */
public final class InMemoryNodeResourceStore {
  private final Optional<TimeSource> clock;
  private final Object lock = new Object();
  private final Map<String, NodeResource> objects = new HashMap<>();
  private final List<InMemoryWatch> watchingAll = new ArrayList<>();
  private final Map<String, List<InMemoryWatch>> watchingOne = new HashMap<>();
  private final Map<String, WriteRecord> writes = new HashMap<>();
  private long version;

  /** A server that does not record who writes. */
  public InMemoryNodeResourceStore() {
    this.clock = Optional.empty();
  }

  /** A server that records who writes, and when by {@code clock}, in whole seconds. */
  public InMemoryNodeResourceStore(TimeSource clock) {
    this.clock = Optional.of(clock);
  }

  /** How long a change takes until a client's watch shows it. */
  @FunctionalInterface
  public interface DeliveryDelay {
    /** No delay beyond the scheduler's. */
    DeliveryDelay NONE = () -> 0;

    /**
     * The delay of the next change in nanoseconds, 0 or more; called once per change and client.
     */
    long nanos();
  }

  /** Intercepts requests of clients, to cause conflicts and failures. */
  @FunctionalInterface
  public interface Interference {
    /** Intercepts nothing. */
    Interference NONE = (operation, name) -> Optional.empty();

    /**
     * Called before each request is served, without a lock. It may change the store, which causes a
     * real conflict.
     *
     * @return the result in place of serving the request; empty to serve it
     */
    Optional<StoreResult> before(Operation operation, String name);
  }

  /** A client's request. */
  public enum Operation {
    GET,
    LIST,
    CREATE,
    UPDATE,
    UPDATE_STATUS
  }

  /** An object, or the fact that there is none, at one version of the store, and who wrote it. */
  record Versioned(long version, String name, @Nullable NodeResource resource, WriteRecord writes) {
    StoreResult toResult() {
      return resource == null ? new StoreResult.NotFound() : new StoreResult.Stored(resource);
    }
  }

  /** A client whose watch delivers without a delay of its own. */
  public NodeResourceStore client(TaskScheduler scheduler) {
    return client(scheduler, DeliveryDelay.NONE, Interference.NONE);
  }

  /**
   * A new client, independent of other clients.
   *
   * @param scheduler runs the deliveries of its watch, which keep their order
   */
  public NodeResourceStore client(
      TaskScheduler scheduler, DeliveryDelay delay, Interference interference) {
    return new InMemoryStoreClient(
        this, "", Optional.empty(), Optional.empty(), scheduler, delay, interference);
  }

  /**
   * A client as an operator has it, which the server knows by name.
   *
   * @param writer its name in the server's records; operators that follow each other share one
   * @param takeOver the bound of a store request, where an election sees to it that a predecessor
   *     of that name sends nothing any more when the client catches up: so long after that a write
   *     of the name may still be the predecessor's. Empty without an election: then a write of the
   *     name that the client did not send is a second operator's
   */
  public NodeResourceStore operator(
      String writer,
      Optional<Duration> takeOver,
      TaskScheduler scheduler,
      DeliveryDelay delay,
      Interference interference) {
    return new InMemoryStoreClient(
        this, writer, takeOver, Optional.empty(), scheduler, delay, interference);
  }

  /** A client as an agent has it: its watch shows the object {@code name} alone. */
  public NodeResourceStore client(
      String name, TaskScheduler scheduler, DeliveryDelay delay, Interference interference) {
    return new InMemoryStoreClient(
        this, "", Optional.empty(), Optional.of(name), scheduler, delay, interference);
  }

  /**
   * Adds an object; {@code Conflict} when one of that name exists, {@code Refused} by the schema.
   */
  public StoreResult create(NodeResource resource) {
    Optional<String> refusal = refusal(resource);
    if (refusal.isPresent()) {
      return new StoreResult.Refused(refusal.get());
    }
    Versioned created;
    List<InMemoryWatch> told;
    synchronized (lock) {
      if (objects.containsKey(resource.name())) {
        return new StoreResult.Conflict();
      }
      created = put(resource);
      told = announce(created);
    }
    told.forEach(InMemoryWatch::schedule);
    return created.toResult();
  }

  /** Removes an object; false when there is none of that name. */
  public boolean delete(String name) {
    List<InMemoryWatch> told;
    synchronized (lock) {
      if (objects.remove(name) == null) {
        return false;
      }
      writes.remove(name);
      told = announce(new Versioned(++version, name, null, WriteRecord.EMPTY));
    }
    told.forEach(InMemoryWatch::schedule);
    return true;
  }

  /** Gives an object a new version without changing it; false when there is none of that name. */
  public boolean touch(String name) {
    return change(name, node -> node);
  }

  /**
   * Changes an object as the server or others do, its metadata included; false when there is none
   * of that name.
   */
  public boolean change(String name, UnaryOperator<NodeResource> change) {
    List<InMemoryWatch> told;
    synchronized (lock) {
      NodeResource found = objects.get(name);
      if (found == null) {
        return false;
      }
      told = announce(put(change.apply(found)));
    }
    told.forEach(InMemoryWatch::schedule);
    return true;
  }

  /** The object on the server. */
  public Optional<NodeResource> find(String name) {
    return Optional.ofNullable(read(name).resource());
  }

  /** All objects on the server, by name. */
  public List<NodeResource> all() {
    synchronized (lock) {
      return List.copyOf(new TreeMap<>(objects).values());
    }
  }

  Versioned read(String name) {
    synchronized (lock) {
      NodeResource found = objects.get(name);
      long at = found == null ? version : Long.parseLong(found.resourceVersion());
      return new Versioned(at, name, found, writesOf(name));
    }
  }

  /** Every object of one moment, and the version of that moment. */
  record Listed(long version, List<Versioned> objects) {}

  Listed list() {
    synchronized (lock) {
      return new Listed(version, objects.keySet().stream().map(this::read).toList());
    }
  }

  /** Now, as writes are recorded; before all of them where none is. */
  long seconds() {
    return clock
        .map(it -> TimeUnit.MILLISECONDS.toSeconds(it.epochMillis()))
        .orElse(Long.MIN_VALUE);
  }

  private WriteRecord writesOf(String name) {
    return writes.getOrDefault(name, WriteRecord.EMPTY);
  }

  /** The result of a write: the answer, and the stored object when there is one. */
  record Written(StoreResult result, @Nullable Versioned stored) {}

  Written updateSpec(String writer, NodeResource original, NodeResource changed) {
    Optional<String> refusal = refusal(changed);
    return refusal.isPresent()
        ? new Written(new StoreResult.Refused(refusal.get()), null)
        : write(writer, original, changed, NodeResource::withSpecOf);
  }

  Written updateStatus(String writer, NodeResource original, NodeResource changed) {
    return write(writer, original, changed, NodeResource::withStatusOf);
  }

  private Written write(
      String writer,
      NodeResource original,
      NodeResource changed,
      BinaryOperator<NodeResource> merge) {
    Versioned stored;
    List<InMemoryWatch> told;
    synchronized (lock) {
      NodeResource found = objects.get(changed.name());
      if (found == null) {
        return new Written(new StoreResult.NotFound(), null);
      }
      if (!found.resourceVersion().equals(original.resourceVersion())) {
        return new Written(new StoreResult.Conflict(), null);
      }
      NodeResource merged = merge.apply(found, changed);
      if (clock.isPresent()) {
        writes.put(merged.name(), writesOf(merged.name()).with(writer, seconds(), found, merged));
      }
      stored = put(merged);
      told = announce(stored);
    }
    told.forEach(InMemoryWatch::schedule);
    return new Written(stored.toResult(), stored);
  }

  /** Shows the watch what there is, and from now on what changes. */
  void subscribe(InMemoryWatch watch) {
    synchronized (lock) {
      Optional<String> name = watch.watched();
      List<Versioned> present = new ArrayList<>();
      if (name.isEmpty()) {
        watchingAll.add(watch);
        new TreeSet<>(objects.keySet()).forEach(each -> present.add(read(each)));
      } else {
        watchingOne.computeIfAbsent(name.get(), any -> new ArrayList<>(1)).add(watch);
        if (objects.containsKey(name.get())) {
          present.add(read(name.get()));
        }
      }
      watch.offerPresent(present);
    }
    watch.schedule();
  }

  void unsubscribe(InMemoryWatch watch) {
    synchronized (lock) {
      watch
          .watched()
          .ifPresentOrElse(
              name ->
                  watchingOne.computeIfPresent(
                      name,
                      (any, watches) -> {
                        watches.remove(watch);
                        return watches.isEmpty() ? null : watches;
                      }),
              () -> watchingAll.remove(watch));
    }
  }

  private Versioned put(NodeResource resource) {
    NodeResource stored = resource.withResourceVersion(Long.toString(++version));
    objects.put(stored.name(), stored);
    return new Versioned(version, stored.name(), stored, writesOf(stored.name()));
  }

  /** Queues a change for all who watch it; they are scheduled after the lock was given back. */
  private List<InMemoryWatch> announce(Versioned change) {
    List<InMemoryWatch> told = new ArrayList<>(watchingAll);
    told.addAll(watchingOne.getOrDefault(change.name(), List.of()));
    told.forEach(watch -> watch.offer(change));
    return told;
  }

  private static Optional<String> refusal(NodeResource resource) {
    IpamSpec ipam = resource.ipam();
    int least =
        Math.min(
            Math.min(ipam.preAllocate(), ipam.minAllocate()),
            Math.min(ipam.maxAllocate(), ipam.maxAboveWatermark()));
    return least < 0
        ? Optional.of("the schema refuses the watermark " + least + " of " + resource.name())
        : Optional.empty();
  }
}
