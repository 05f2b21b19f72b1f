package io.tidemark.resource;

import io.tidemark.resource.InMemoryNodeResourceStore.DeliveryDelay;
import io.tidemark.resource.InMemoryNodeResourceStore.Interference;
import io.tidemark.resource.InMemoryNodeResourceStore.Listed;
import io.tidemark.resource.InMemoryNodeResourceStore.Operation;
import io.tidemark.resource.InMemoryNodeResourceStore.Versioned;
import io.tidemark.resource.InMemoryNodeResourceStore.Written;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.EffectSite;
import io.tidemark.time.TaskScheduler;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * One client of {@link InMemoryNodeResourceStore}. It remembers the newest version of each object
 * that it answered or delivered, and neither answers nor delivers an older one.
 */
final class InMemoryStoreClient implements NodeResourceStore {
  private static final Duration LIST_MAX = Duration.ofSeconds(30);

  private final InMemoryNodeResourceStore server;
  private final String writer;
  private final Optional<Duration> takeOver;
  private final Optional<String> watched;
  private final TaskScheduler scheduler;
  private final DeliveryDelay delay;
  private final Interference interference;

  private final Object lock = new Object();
  private final Map<String, Versioned> known = new HashMap<>();
  private @Nullable InMemoryWatch watch;
  private long predecessorSeconds = Long.MIN_VALUE;

  /**
   * Of one process.
   *
   * @param writer the name in the server's records, where it keeps some
   * @param takeOver as in {@link InMemoryNodeResourceStore#operator}
   * @param watched the only object that the watch shows; empty for all
   */
  InMemoryStoreClient(
      InMemoryNodeResourceStore server,
      String writer,
      Optional<Duration> takeOver,
      Optional<String> watched,
      TaskScheduler scheduler,
      DeliveryDelay delay,
      Interference interference) {
    this.server = server;
    this.writer = writer;
    this.takeOver = takeOver;
    this.watched = watched;
    this.scheduler = scheduler;
    this.delay = delay;
    this.interference = interference;
  }

  @Override
  public Optional<NodeResource> latest(String name) {
    synchronized (lock) {
      Versioned found = known.get(name);
      return found == null ? Optional.empty() : Optional.ofNullable(found.resource());
    }
  }

  @Override
  public List<String> names() {
    synchronized (lock) {
      return known.values().stream()
          .filter(each -> each.resource() != null)
          .map(Versioned::name)
          .toList();
    }
  }

  @Override
  public StoreResult get(String name) {
    return interference
        .before(Operation.GET, name)
        .orElseGet(() -> learn(server.read(name)).toResult());
  }

  @Override
  public StoreResult create(NodeResource resource) {
    NodeResource bare = resource.withStatusOf(NodeResource.named(resource.name()));
    return interference
        .before(Operation.CREATE, resource.name())
        .orElseGet(
            () -> {
              StoreResult result = server.create(bare);
              return result instanceof StoreResult.Stored
                  ? learn(server.read(resource.name())).toResult()
                  : result;
            });
  }

  @Override
  public StoreResult update(NodeResource original, NodeResource changed) {
    return original.sameSpec(changed)
        ? new StoreResult.Unchanged()
        : write(
            Operation.UPDATE, changed.name(), () -> server.updateSpec(writer, original, changed));
  }

  @Override
  public StoreResult updateStatus(NodeResource original, NodeResource changed) {
    return original.sameStatus(changed)
        ? new StoreResult.Unchanged()
        : write(
            Operation.UPDATE_STATUS,
            changed.name(),
            () -> server.updateStatus(writer, original, changed));
  }

  @Override
  public Watch watch(Watcher watcher) {
    InMemoryWatch started = new InMemoryWatch(this, watched, watcher, scheduler, delay);
    synchronized (lock) {
      if (watch != null) {
        throw new IllegalStateException("this client is watched already; close that watch first");
      }
      watch = started;
    }
    server.subscribe(started);
    return started;
  }

  @Override
  public LastWriter lastWriter(String name) {
    synchronized (lock) {
      Versioned found = known.get(name);
      return found == null
          ? LastWriter.UNKNOWN
          : found.writes().seenBy(writer).takenOver(predecessorSeconds);
    }
  }

  /** One list; a take-over counts from the moment at which the server reads it. */
  @Override
  public CompletionStage<CatchUp> catchUp(EffectRunner effects) {
    return effects
        .run(new EffectSite("list", ""), LIST_MAX, this::list)
        .stage()
        .handle((end, thrown) -> thrown == null ? end : new CatchUp.Failed(String.valueOf(thrown)));
  }

  private CatchUp list() {
    Optional<StoreResult> instead = interference.before(Operation.LIST, "");
    if (instead.isPresent()) {
      return new CatchUp.Failed(instead.get().toString());
    }
    Listed all = server.list();
    synchronized (lock) {
      takeOver.ifPresent(late -> predecessorSeconds = server.seconds() + late.toSeconds());
      Set<String> absent = new HashSet<>(known.keySet());
      for (Versioned each : all.objects()) {
        learn(each);
        absent.remove(each.name());
      }
      for (String name : absent) {
        learn(new Versioned(all.version(), name, null, WriteRecord.EMPTY));
      }
    }
    return new CatchUp.Done();
  }

  /** Forgets a watch that ends. */
  void unwatch(InMemoryWatch ended) {
    server.unsubscribe(ended);
    synchronized (lock) {
      if (ended.equals(watch)) {
        watch = null;
      }
    }
  }

  /** Remembers a version and answers the newest one known. */
  Versioned learn(Versioned seen) {
    synchronized (lock) {
      Versioned before = known.get(seen.name());
      if (before != null && before.version() > seen.version()) {
        return before;
      }
      known.put(seen.name(), seen);
      return seen;
    }
  }

  private StoreResult write(Operation operation, String name, Supplier<Written> request) {
    return interference
        .before(operation, name)
        .orElseGet(
            () -> {
              Written written = request.get();
              Versioned stored = written.stored();
              return stored == null ? written.result() : learn(stored).toResult();
            });
  }
}
