package io.tidemark.kubernetes.store;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.BasicItemStore;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.WatchTrouble;
import io.tidemark.kubernetes.store.ConsistentList.Page;
import io.tidemark.resilience.Fence;
import io.tidemark.resource.CatchUp;
import io.tidemark.resource.NodeResourceStore.Watch;
import io.tidemark.resource.ObjectWatcher;
import io.tidemark.time.EffectRunner;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one kind, read by one informer, page by page and then by watching, and delivered
 * to one watcher. It reads nothing before {@link #start} or {@link #catchUp}: an operator that wins
 * its lease at once needs one list and not two. Thread-safe.
 *
 * @param <J> an object as the client library reads it
 * @param <T> what is kept of it
 */
abstract class ObjectInformer<J extends HasMetadata, T> implements AutoCloseable {
  final ClusterConnection cluster;
  final KnownObjects<T> known = new KnownObjects<>();
  private final String kind;
  private final Executor executor;
  private final WatchTrouble trouble;
  private final InformerHandler<J, T> handler;
  private final SharedIndexInformer<J> informer;
  private final AtomicBoolean started = new AtomicBoolean();
  private final CompletableFuture<CatchUp> firstList = new CompletableFuture<>();
  private final AtomicReference<@Nullable ObjectDelivery<T>> open = new AtomicReference<>();
  private volatile Fence lease = Fence.OPEN;

  /**
   * How objects of a kind are read.
   *
   * @param name in the plural, such as {@code Nodes}
   * @param share gives an object the version that is known after it was read, so that one of two
   *     equal ones can be kept; null if the object keeps no version
   * @param same whether a new version means the same as the one before, so that it is no change
   */
  record Kind<J, T>(
      String name,
      Function<J, KnownObject<T>> reader,
      @Nullable BiConsumer<J, KnownObject<T>> share,
      BiPredicate<T, T> same) {}

  /**
   * Objects are delivered when their page arrives: the library keeps them back until the list is
   * complete only for stores that have the full state.
   */
  private static final class DeliveredByPage<J extends HasMetadata> extends BasicItemStore<J> {
    private final Consumer<J> stored;

    DeliveredByPage(Consumer<J> stored) {
      super(Cache::metaNamespaceKeyFunc);
      this.stored = stored;
    }

    @Override
    public J put(String key, J object) {
      stored.accept(object);
      return super.put(key, object);
    }

    @Override
    public boolean isFullState() {
      return false;
    }
  }

  /**
   * Requests nothing.
   *
   * @param maker makes the informer, not started; with a limit of a page where {@link #catchUp} is
   *     used, since without one the server may answer its first list from a cache
   * @param executor runs the calls of the watcher; may be shared
   */
  ObjectInformer(
      ClusterConnection cluster,
      Kind<J, T> kind,
      Function<WatchTrouble, SharedIndexInformer<J>> maker,
      Executor executor) {
    this.cluster = cluster;
    this.kind = kind.name();
    this.executor = executor;
    this.trouble = new WatchTrouble(cluster, kind.name());
    this.handler = new InformerHandler<>(trouble, known, kind, this::changed, this::listed);
    this.informer =
        maker
            .apply(trouble)
            .itemStore(new DeliveredByPage<>(handler::shareUnchanged))
            .removeNamespaceIndex()
            .addEventHandler(handler);
    handler.readFrom(informer);
    trouble.beforeList(handler::beforeList);
  }

  /**
   * Starts to read; never fails: {@link #trouble} tells why, and reads are retried. Does nothing
   * when it had started or was closed before.
   */
  public final void start() {
    startsNow();
  }

  private boolean startsNow() {
    boolean first = started.compareAndSet(false, true);
    if (first) {
      informer.start();
    }
    return first;
  }

  /** An object is new, changed or gone: called before the watcher, on any thread. */
  void changed(String name) {
    ObjectDelivery<T> delivery = open.get();
    if (delivery != null) {
      delivery.changed(name);
    }
  }

  private void listed() {
    ObjectDelivery<T> delivery = open.get();
    if (delivery != null) {
      delivery.listed();
    }
    firstList.complete(new CatchUp.Done());
  }

  /**
   * Delivers all objects that are known, and from then on what changes.
   *
   * @param upserted receives objects in place of the watcher's own method
   * @throws IllegalStateException while another watcher is there
   */
  final Watch watch(Consumer<T> upserted, ObjectWatcher<?> watcher) {
    ObjectDelivery<T> delivery =
        new ObjectDelivery<>(known, upserted, watcher, executor, () -> open.set(null));
    if (!open.compareAndSet(null, delivery)) {
      throw new IllegalStateException(
          "these " + kind + " are watched already; close that watch first");
    }
    if (hasListed()) {
      delivery.listed();
    }
    delivery.start(known.names());
    return delivery;
  }

  /**
   * Reads all objects as the server has them after the call. If nothing was read before, this
   * starts the informer, and its first list is the answer; it is repeated until it succeeds. A list
   * of the informer that is under way ends first: it would bring back what was deleted meanwhile.
   *
   * @param page reads a page, as {@link ConsistentList} does
   */
  final CompletionStage<CatchUp> catchUp(EffectRunner effects, Function<String, Page<T>> page) {
    if (startsNow()) {
      return firstList.thenApplyAsync(done -> done, executor);
    }
    return firstList.thenCompose(
        done -> new ConsistentList<>(known, page, cluster::failure, this::changed, effects).read());
  }

  /** The lease was won: nothing is changed any more while {@code fence} is closed. */
  public void leads(Fence fence) {
    lease = fence;
  }

  final boolean mayChange() {
    return lease.isOpen();
  }

  /** An object that is not known to be deleted. */
  final Optional<KnownObject<T>> present(String name) {
    return known.find(name).filter(object -> !object.gone());
  }

  /** Objects that are not known to be deleted. */
  public final List<String> names() {
    return known.names();
  }

  /** Whether all objects were listed once. */
  public final boolean hasListed() {
    return handler.hasListed();
  }

  final CompletionStage<CatchUp> firstList() {
    return firstList.minimalCompletionStage();
  }

  /** As {@link WatchTrouble#interruptions}. */
  public final long interruptions() {
    return trouble.interruptions();
  }

  /** Why objects cannot be listed or watched now; empty while they can. */
  public Optional<String> trouble() {
    return trouble.late().or(() -> informer.isWatching() ? Optional.empty() : trouble.last());
  }

  @Override
  public final void close() {
    started.set(true);
    trouble.close();
    informer.stop();
  }
}
