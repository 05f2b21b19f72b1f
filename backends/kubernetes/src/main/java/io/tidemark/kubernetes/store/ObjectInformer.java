package io.tidemark.kubernetes.store;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.BasicItemStore;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.tidemark.kubernetes.ClusterConnection;
import io.tidemark.kubernetes.WatchTrouble;
import io.tidemark.kubernetes.store.ConsistentList.Page;
import io.tidemark.resource.CatchUp;
import io.tidemark.resource.NodeResourceStore.Watch;
import io.tidemark.resource.ObjectWatcher;
import io.tidemark.time.EffectRunner;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads all objects of one kind by one informer, page by page and then by watching, and delivers
 * them to a watcher. It reads nothing before {@link #start} or {@link #catchUp}: an operator that
 * wins its lease at once needs one list and not two. Thread-safe.
 *
 * @param <J> an object as the client library reads it
 * @param <T> what is kept of it
 */
final class ObjectInformer<J extends HasMetadata, T> implements AutoCloseable {
  private final ClusterConnection cluster;
  private final KnownObjects<T> known;
  private final Executor executor;
  private final Consumer<String> changed;
  private final WatchTrouble trouble;
  private final OneWatch<T> watch;
  private final InformerHandler<J, T> handler;
  private final SharedIndexInformer<J> informer;
  private final AtomicBoolean started = new AtomicBoolean();
  private final CompletableFuture<CatchUp> firstList = new CompletableFuture<>();

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
   * @param changed receives the name of each object that is new, changed or gone, before the
   *     watcher; any thread
   */
  ObjectInformer(
      ClusterConnection cluster,
      Kind<J, T> kind,
      KnownObjects<T> known,
      Function<WatchTrouble, SharedIndexInformer<J>> maker,
      Executor executor,
      Consumer<String> changed) {
    this.cluster = cluster;
    this.known = known;
    this.executor = executor;
    this.changed = changed;
    this.trouble = new WatchTrouble(cluster, kind.name());
    this.watch = new OneWatch<>(kind.name(), known, executor);
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
  void start() {
    startsNow();
  }

  private boolean startsNow() {
    boolean first = started.compareAndSet(false, true);
    if (first) {
      informer.start();
    }
    return first;
  }

  void changed(String name) {
    changed.accept(name);
    watch.changed(name);
  }

  private void listed() {
    watch.listed();
    firstList.complete(new CatchUp.Done());
  }

  /** As {@link OneWatch#begin}. */
  Watch watch(Consumer<T> upserted, ObjectWatcher<?> watcher) {
    return watch.begin(upserted, watcher, handler::hasListed);
  }

  /**
   * Reads all objects as the server has them after the call. If nothing was read before, this
   * starts the informer, and its first list is the answer; it is repeated until it succeeds. A list
   * of the informer that is under way ends first: it would bring back what was deleted meanwhile.
   *
   * @param page reads a page, as {@link ConsistentList} does
   */
  CompletionStage<CatchUp> catchUp(EffectRunner effects, Function<String, Page<T>> page) {
    if (startsNow()) {
      return firstList.thenApplyAsync(done -> done, executor);
    }
    return firstList.thenCompose(
        done -> new ConsistentList<>(known, page, cluster::failure, this::changed, effects).read());
  }

  boolean hasListed() {
    return handler.hasListed();
  }

  /** As {@link WatchTrouble#interruptions}. */
  long interruptions() {
    return trouble.interruptions();
  }

  /** Why objects cannot be listed or watched now; empty while they can. */
  Optional<String> trouble() {
    return trouble.late().or(() -> informer.isWatching() ? Optional.empty() : trouble.last());
  }

  @Override
  public void close() {
    started.set(true);
    trouble.close();
    informer.stop();
  }
}
