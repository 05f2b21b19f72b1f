package io.tidemark.agent.sync;

import io.tidemark.agent.Upstream;
import io.tidemark.ip.IpFamily;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.resource.StoreResult;
import io.tidemark.time.Cancellable;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.EffectSite;
import io.tidemark.time.TaskScheduler;
import io.tidemark.time.Trigger;
import io.tidemark.time.TriggerKind;
import io.tidemark.time.TriggerObserver;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the object of one node and brings it up to date (allocators AM7): at most once per
 * interval, on the newest version, with bounded attempts when others write as well. What is lost or
 * refused is written in the next interval. Nothing is written before the object of this instance
 * was seen and all families are restored.
 *
 * <p>Thread-safe. Everything happens on the lane, one task at a time; requests run as effects. The
 * newest version is asked for when it is needed, so versions never go back.
 */
public final class NodeSync implements Upstream, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(NodeSync.class);
  private static final int ATTEMPTS = 3;

  private final Settings settings;
  private final NodeResourceStore store;
  private final EffectRunner effects;
  private final TaskScheduler scheduler;
  private final Executor lane;
  private final NodePart part;
  private final Trigger trigger;
  private final Set<IpFamily> waitsFor;
  private boolean failing;
  private boolean closed;
  private @Nullable Cancellable looksAgain;
  private NodeResourceStore.@Nullable Watch watch;

  /**
   * Settings of one run.
   *
   * @param node its name
   * @param families that must be restored before anything is written
   * @param interval between the starts of two writes
   * @param requestMax bound of one request
   * @param initial what is created when there is no object; empty to wait for one
   * @param observer hears of the writes
   */
  public record Settings(
      String node,
      Set<IpFamily> families,
      Duration interval,
      Duration requestMax,
      Optional<NodeResource> initial,
      TriggerObserver observer) {}

  /**
   * Nothing happens before {@link #start}.
   *
   * @param lane runs one task at a time, in order
   */
  public NodeSync(
      Settings settings,
      NodeResourceStore store,
      EffectRunner effects,
      TaskScheduler scheduler,
      Executor lane,
      NodePart part) {
    this.settings = settings;
    this.store = store;
    this.effects = effects;
    this.scheduler = scheduler;
    this.lane = lane;
    this.part = part;
    this.waitsFor = EnumSet.noneOf(IpFamily.class);
    waitsFor.addAll(settings.families());
    this.trigger =
        Trigger.ofStages(
            new TriggerKind("node sync", settings.interval(), scheduler, settings.observer()),
            lane,
            reasons -> run());
  }

  /** Begins to watch the object. */
  public void start() {
    watch = store.watch(new Eyes());
  }

  private final class Eyes implements NodeResourceStore.Watcher {
    @Override
    public void upserted(NodeResource resource) {
      if (resource.name().equals(settings.node())) {
        lane.execute(NodeSync.this::look);
      }
    }

    @Override
    public void deleted(String name) {
      if (name.equals(settings.node())) {
        lane.execute(NodeSync.this::look);
      }
    }

    @Override
    public void refused(String name, List<ResourceProblem> problems) {
      if (name.equals(settings.node())) {
        LOG.warn("The node's object cannot be read; its last version counts. {}", problems);
      }
    }

    @Override
    public void synced() {
      lane.execute(NodeSync.this::createIfAbsent);
    }
  }

  private Optional<NodeResource> newest() {
    return store.latest(settings.node()).filter(part::isOurs);
  }

  private void look() {
    if (closed) {
      return;
    }
    Optional<NodeResource> newest = newest();
    if (newest.isEmpty()) {
      part.gone();
      return;
    }
    NodeResource base = newest.get();
    if (applied(base).filter(changed -> isSame(base, changed) && isClear(base)).isEmpty()) {
      write("the object changed");
    }
    lookAgain();
  }

  /** The object with what the agent has; empty when a fault of the agent prevents it. */
  private Optional<NodeResource> applied(NodeResource base) {
    try {
      return Optional.of(part.applied(base));
    } catch (RuntimeException e) {
      LOG.error("The node's object cannot be processed; it is tried again", e);
      return Optional.empty();
    }
  }

  private void lookAgain() {
    if (looksAgain != null) {
      looksAgain.cancel();
    }
    OptionalLong next = part.nextLookNanos();
    looksAgain =
        next.isEmpty() ? null : scheduler.at(next.getAsLong(), () -> lane.execute(this::look));
  }

  private void createIfAbsent() {
    if (!closed && settings.initial().isPresent() && store.latest(settings.node()).isEmpty()) {
      NodeResource initial = settings.initial().get();
      request("create", () -> store.create(initial), this::created);
    }
  }

  private void created(StoreResult result) {
    if (result instanceof StoreResult.Stored || result instanceof StoreResult.Conflict) {
      look();
    } else {
      failed(result);
      scheduler.after(settings.interval(), () -> lane.execute(this::createIfAbsent));
    }
  }

  // ---- what the facade tells

  @Override
  public void changed() {
    lane.execute(() -> write("addresses changed"));
  }

  @Override
  public void restoreFinished(IpFamily family) {
    lane.execute(
        () -> {
          if (waitsFor.remove(family) && waitsFor.isEmpty()) {
            part.restored();
            look();
            write("restored");
          }
        });
  }

  // ---- writes

  private void write(String reason) {
    if (waitsFor.isEmpty() && newest().isPresent()) {
      trigger.trigger(reason);
    }
  }

  private CompletionStage<?> run() {
    CompletableFuture<Boolean> end = new CompletableFuture<>();
    attempt(1, end);
    return end;
  }

  private void attempt(int number, CompletableFuture<Boolean> end) {
    Optional<NodeResource> newest = newest();
    if (newest.isEmpty()) {
      end.complete(false);
      return;
    }
    NodeResource base = newest.get();
    Optional<NodeResource> applied = applied(base);
    if (applied.isEmpty()) {
      written(number, new StoreResult.Failed("the agent has a fault"), end);
      return;
    }
    NodeResource changed = applied.get();
    boolean own = !isSame(base, changed);
    if (!own && isClear(base)) {
      lookAgain();
      end.complete(true);
      return;
    }
    changed = own ? changed : part.cleared(base);
    send(number, base, changed, own == (part.half() == NodePart.Half.SPEC), end);
  }

  private void send(
      int number,
      NodeResource base,
      NodeResource changed,
      boolean spec,
      CompletableFuture<Boolean> end) {
    Callable<StoreResult> leaf =
        () -> spec ? store.update(base, changed) : store.updateStatus(base, changed);
    Consumer<StoreResult> then = result -> written(number, result, end);
    part.persist()
        .thenAccept(
            failure -> {
              if (failure.isPresent()) {
                lane.execute(() -> then.accept(new StoreResult.Failed(failure.get())));
              } else {
                request(spec ? "update" : "updateStatus", leaf, then);
              }
            });
  }

  private void written(int number, StoreResult result, CompletableFuture<Boolean> end) {
    if (result instanceof StoreResult.Stored || result instanceof StoreResult.Unchanged) {
      failing = false;
      look();
      end.complete(true);
    } else if (result instanceof StoreResult.Conflict && number < ATTEMPTS) {
      request("get", () -> store.get(settings.node()), read -> attempt(number + 1, end));
    } else {
      if (!(result instanceof StoreResult.Conflict)) {
        failed(result);
      }
      write("the last write failed");
      end.complete(false);
    }
  }

  private boolean isSame(NodeResource base, NodeResource changed) {
    return part.half() == NodePart.Half.SPEC ? base.sameSpec(changed) : base.sameStatus(changed);
  }

  /** Whether nothing of an agent of another kind is to go from the other half now. */
  private boolean isClear(NodeResource base) {
    NodeResource cleared = part.cleared(base);
    return part.half() == NodePart.Half.SPEC ? base.sameStatus(cleared) : base.sameSpec(cleared);
  }

  private void request(String operation, Callable<StoreResult> leaf, Consumer<StoreResult> then) {
    effects
        .run(new EffectSite("agent " + operation, settings.node()), settings.requestMax(), leaf)
        .stage()
        .whenComplete(
            (result, thrown) ->
                lane.execute(
                    () ->
                        then.accept(
                            thrown == null
                                ? result
                                : new StoreResult.Failed(String.valueOf(thrown)))));
  }

  /** The first of a row of failures is a warning; they are repeated every interval. */
  private void failed(StoreResult result) {
    if (failing) {
      LOG.debug("The node's object cannot be written. {}", result);
    } else {
      LOG.warn("The node's object cannot be written; it is tried again. {}", result);
    }
    failing = true;
  }

  /** Ends the watch; nothing more is asked for or written, but for a request under way. */
  @Override
  public void close() {
    trigger.shutdown();
    if (watch != null) {
      watch.close();
    }
    lane.execute(
        () -> {
          closed = true;
          if (looksAgain != null) {
            looksAgain.cancel();
          }
        });
  }
}
