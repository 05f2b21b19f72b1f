package io.tidemark.kubernetes.store;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.tidemark.kubernetes.WatchTrouble;
import io.tidemark.kubernetes.store.ObjectInformer.Kind;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Feeds {@link KnownObjects} from an informer of one kind. The informer calls one method at a time;
 * {@link #hasListed} may be called on any thread.
 *
 * @param <J> as the client library reads it
 * @param <T> what is kept of it
 */
final class InformerHandler<J extends HasMetadata, T> implements ResourceEventHandler<J> {
  private static final Logger LOG = LoggerFactory.getLogger(InformerHandler.class);

  private final WatchTrouble trouble;
  private final KnownObjects<T> known;
  private final Kind<J, T> kind;
  private final Consumer<String> changed;
  private final Runnable listed;
  private @Nullable SharedIndexInformer<J> informer;
  private String newestWatched = "";
  private volatile boolean hasListed;

  /**
   * Feeds {@code known}.
   *
   * @param changed receives the name of each object that is new, changed or gone
   * @param listed called once, after the names of all objects that existed
   */
  InformerHandler(
      WatchTrouble trouble,
      KnownObjects<T> known,
      Kind<J, T> kind,
      Consumer<String> changed,
      Runnable listed) {
    this.trouble = trouble;
    this.known = known;
    this.kind = kind;
    this.changed = changed;
    this.listed = listed;
  }

  /** Whose store is the truth after a list; called before it starts. */
  void readFrom(SharedIndexInformer<J> source) {
    this.informer = source;
  }

  /**
   * The library calls this at some time after it sent the request. A list is not older than what
   * was watched before, but it can be older than what requests of ours have answered meanwhile.
   */
  @Override
  public void onBeforeList(@Nullable String lastSyncResourceVersion) {
    newestWatched = lastSyncResourceVersion == null ? "" : lastSyncResourceVersion;
  }

  @Override
  public void onList(String resourceVersion, boolean remainedEmpty) {
    if (Revisions.isOlder(resourceVersion, newestWatched)) {
      LOG.warn(
          "The API server was restored to an older state; that state is used from now on."
              + " watched={} now={}",
          newestWatched,
          resourceVersion);
      restored(resourceVersion);
    }
    shareUnchanged();
    trouble.works();
    if (!hasListed) {
      hasListed = true;
      listed.run();
    }
  }

  /** Of an object that did not change, the library holds what it listed, and tells nobody. */
  private void shareUnchanged() {
    SharedIndexInformer<J> source = informer;
    BiConsumer<J, KnownObject<T>> share = kind.share();
    if (source == null || share == null) {
      return;
    }
    for (J object : source.getStore().list()) {
      KnownObject<T> listed = kind.reader().apply(object);
      known
          .find(listed.name())
          .filter(listed::equals)
          .ifPresent(equal -> share.accept(object, equal));
    }
  }

  private void restored(String version) {
    SharedIndexInformer<J> source = informer;
    if (source == null) {
      return;
    }
    Set<String> present = new HashSet<>();
    for (J object : source.getStore().list()) {
      KnownObject<T> now = known.replace(kind.reader().apply(object));
      present.add(now.name());
      changed.accept(now.name());
    }
    for (String name : known.names()) {
      if (!present.contains(name)) {
        known.replace(KnownObject.gone(name, version));
        changed.accept(name);
      }
    }
  }

  @Override
  public void onAdd(J object) {
    if (!kind.reader().apply(object).name().isEmpty()) {
      changed.accept(learn(object).name());
    }
  }

  private KnownObject<T> learn(J object) {
    if (!hasListed) { // a page of the first list, which may fail and begin again
      newestWatched = Revisions.newer(newestWatched, object.getMetadata().getResourceVersion());
    }
    KnownObject<T> newest = known.learn(kind.reader().apply(object));
    BiConsumer<J, KnownObject<T>> share = kind.share();
    if (share != null) {
      share.accept(object, newest);
    }
    return newest;
  }

  @Override
  public void onUpdate(J before, J now) {
    Optional<T> earlier = kind.reader().apply(before).payload();
    Optional<T> later = kind.reader().apply(now).payload();
    if (earlier.isPresent() && later.isPresent() && kind.same().test(earlier.get(), later.get())) {
      KnownObject<T> unusedNewest = learn(now);
    } else {
      onAdd(now);
    }
  }

  /** A deletion that a list revealed happened at some version up to that of the list. */
  @Override
  public void onDelete(J object, boolean deletedFinalStateUnknown) {
    String name = object.getMetadata().getName();
    SharedIndexInformer<J> source = informer;
    String version = object.getMetadata().getResourceVersion();
    if (deletedFinalStateUnknown && source != null && source.lastSyncResourceVersion() != null) {
      version = Revisions.newer(version, source.lastSyncResourceVersion());
    }
    known.learn(KnownObject.gone(name, version));
    changed.accept(name);
  }

  /** Whether everything was listed once. */
  boolean hasListed() {
    return hasListed;
  }
}
