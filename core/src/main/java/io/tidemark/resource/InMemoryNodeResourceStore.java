package io.tidemark.resource;

import io.tidemark.resource.InMemoryObjects.Versioned;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.TaskScheduler;
import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import java.util.function.BinaryOperator;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * An API server in memory: the node resources of a cluster, and a {@link NodeResourceStore} per
 * client. Thread-safe.
 *
 * <p>As the Kubernetes API does (node-manager 1.1), a spec write ignores the status and the
 * reverse, a write on an old version is a conflict, and content that violates the schema is refused
 * (N2).
 */
public final class InMemoryNodeResourceStore {
  private final Optional<TimeSource> clock;
  private final InMemoryObjects<Recorded> objects =
      new InMemoryObjects<>(
          (it, version) -> new Recorded(it.resource().withResourceVersion(version), it.writes()));

  /** A server that does not record who writes. */
  public InMemoryNodeResourceStore() {
    this.clock = Optional.empty();
  }

  /** A server that records who writes, and when by {@code clock}, in whole seconds. */
  public InMemoryNodeResourceStore(TimeSource clock) {
    this.clock = Optional.of(clock);
  }

  /** An object, and who wrote it. */
  private record Recorded(NodeResource resource, WriteRecord writes) {}

  /** How long a change takes until a client's watch shows it. */
  @FunctionalInterface
  public interface DeliveryDelay {
    /** No delay beyond the scheduler's. */
    DeliveryDelay NONE = () -> 0;

    /** Delay of the next change in nanoseconds, 0 or more; called once per change and client. */
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
    return operator("", Optional.empty(), scheduler, delay, interference);
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
    return new Client(writer, takeOver, Optional.empty(), scheduler, delay, interference);
  }

  /** A client as an agent has it: its watch shows the object {@code name} alone. */
  public NodeResourceStore client(
      String name, TaskScheduler scheduler, DeliveryDelay delay, Interference interference) {
    return new Client("", Optional.empty(), Optional.of(name), scheduler, delay, interference);
  }

  /** Adds an object; {@code Conflict} when its name exists, {@code Refused} by the schema. */
  public StoreResult create(NodeResource resource) {
    return refusal(resource)
        .<StoreResult>map(StoreResult.Refused::new)
        .orElseGet(
            () ->
                objects.atomically(
                    () ->
                        find(resource.name()).isPresent()
                            ? new StoreResult.Conflict()
                            : result(put(resource, WriteRecord.EMPTY))));
  }

  private Versioned<Recorded> put(NodeResource resource, WriteRecord writes) {
    return objects.put(resource.name(), new Recorded(resource, writes));
  }

  private static StoreResult result(Versioned<Recorded> answered) {
    return answered
        .found()
        .<StoreResult>map(it -> new StoreResult.Stored(it.resource()))
        .orElseGet(StoreResult.NotFound::new);
  }

  /** Removes an object; false when there is none of that name. */
  public boolean delete(String name) {
    return objects.remove(name);
  }

  /** Gives an object a new version without changing it; false when there is none of that name. */
  public boolean touch(String name) {
    return change(name, node -> node);
  }

  /** Changes an object as others do, metadata included; false when there is none of that name. */
  public boolean change(String name, UnaryOperator<NodeResource> change) {
    return objects.atomically(
        () -> {
          Optional<Recorded> found = objects.find(name);
          found.ifPresent(it -> put(change.apply(it.resource()), it.writes()));
          return found.isPresent();
        });
  }

  /** The object on the server. */
  public Optional<NodeResource> find(String name) {
    return objects.find(name).map(Recorded::resource);
  }

  /** All objects on the server, by name. */
  public List<NodeResource> all() {
    return objects.all().stream()
        .flatMap(each -> each.found().stream())
        .map(Recorded::resource)
        .toList();
  }

  /** Now, as writes are recorded; before all of them where none is. */
  private long seconds() {
    return clock
        .map(it -> TimeUnit.MILLISECONDS.toSeconds(it.epochMillis()))
        .orElse(Long.MIN_VALUE);
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

  /** One client; {@code watched} is the only object that its watch shows, empty for all. */
  private final class Client implements NodeResourceStore {
    private final String writer;
    private final Optional<Duration> takeOver;
    private final Interference interference;
    private final InMemoryView<Recorded> view;
    private volatile long predecessorSeconds = Long.MIN_VALUE;

    Client(
        String writer,
        Optional<Duration> takeOver,
        Optional<String> watched,
        TaskScheduler scheduler,
        DeliveryDelay delay,
        Interference interference) {
      this.writer = writer;
      this.takeOver = takeOver;
      this.interference = interference;
      this.view = new InMemoryView<>(objects, watched, scheduler, delay, OptionalInt.empty());
    }

    @Override
    public Optional<NodeResource> latest(String name) {
      return view.latest(name).map(Recorded::resource);
    }

    @Override
    public List<String> names() {
      return view.names();
    }

    @Override
    public StoreResult get(String name) {
      return request(Operation.GET, name, () -> read(name));
    }

    private StoreResult read(String name) {
      return result(view.learn(objects.read(name)));
    }

    @Override
    public StoreResult create(NodeResource resource) {
      String name = resource.name();
      NodeResource bare = resource.withStatusOf(NodeResource.named(name));
      return request(
          Operation.CREATE,
          name,
          () -> {
            StoreResult end = InMemoryNodeResourceStore.this.create(bare);
            return end instanceof StoreResult.Stored ? read(name) : end;
          });
    }

    @Override
    public StoreResult update(NodeResource original, NodeResource changed) {
      return original.sameSpec(changed)
          ? new StoreResult.Unchanged()
          : request(
              Operation.UPDATE,
              changed.name(),
              () ->
                  refusal(changed)
                      .<StoreResult>map(StoreResult.Refused::new)
                      .orElseGet(() -> write(original, changed, NodeResource::withSpecOf)));
    }

    @Override
    public StoreResult updateStatus(NodeResource original, NodeResource changed) {
      return original.sameStatus(changed)
          ? new StoreResult.Unchanged()
          : request(
              Operation.UPDATE_STATUS,
              changed.name(),
              () -> write(original, changed, NodeResource::withStatusOf));
    }

    private StoreResult write(
        NodeResource original, NodeResource changed, BinaryOperator<NodeResource> merge) {
      return objects.atomically(
          () -> {
            Optional<Recorded> found = objects.find(changed.name());
            if (found.isEmpty()) {
              return new StoreResult.NotFound();
            }
            NodeResource now = found.get().resource();
            if (!now.resourceVersion().equals(original.resourceVersion())) {
              return new StoreResult.Conflict();
            }
            NodeResource merged = merge.apply(now, changed);
            WriteRecord writes = found.get().writes();
            return result(
                view.learn(
                    put(
                        merged,
                        clock.isEmpty() ? writes : writes.with(writer, seconds(), now, merged))));
          });
    }

    private StoreResult request(Operation operation, String name, Supplier<StoreResult> served) {
      return interference.before(operation, name).orElseGet(served);
    }

    @Override
    public Watch watch(Watcher watcher) {
      return view.watch(it -> watcher.upserted(it.resource()), watcher::deleted, watcher::synced);
    }

    @Override
    public LastWriter lastWriter(String name) {
      return view.latest(name)
          .map(it -> it.writes().seenBy(writer).takenOver(predecessorSeconds))
          .orElse(LastWriter.UNKNOWN);
    }

    /** One list; a take-over counts from the moment at which the server reads it. */
    @Override
    public CompletionStage<CatchUp> catchUp(EffectRunner effects) {
      return InMemoryView.catchUp(effects, this::list);
    }

    private CatchUp list() {
      Optional<StoreResult> instead = interference.before(Operation.LIST, "");
      if (instead.isPresent()) {
        return new CatchUp.Failed(instead.get().toString());
      }
      view.list();
      takeOver.ifPresent(late -> predecessorSeconds = seconds() + late.toSeconds());
      return new CatchUp.Done();
    }
  }
}
