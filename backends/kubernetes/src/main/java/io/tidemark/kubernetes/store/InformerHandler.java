package io.tidemark.kubernetes.store;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.tidemark.kubernetes.WatchTrouble;
import io.tidemark.kubernetes.store.ObjectInformer.Kind;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
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

  private volatile Map<String, KnownObject<T>> before = Map.of();

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

  /** Called right before a list is asked for, on any thread. */
  void beforeList() {
    before = known.all();
  }

  @Override
  public void onBeforeList(@Nullable String lastSyncResourceVersion) {
    newestWatched = lastSyncResourceVersion == null ? "" : lastSyncResourceVersion;
  }

  /**
   * The library's content is the list: all of it is compared with what was known, by name, uid and
   * version, since of objects that did not change for the library it tells nothing.
   */
  @Override
  public void onList(String resourceVersion, boolean remainedEmpty) {
    Map<String, KnownObject<T>> earlier = before;
    before = Map.of();
    Set<String> present = new HashSet<>();
    int older = 0;
    for (J object : informer == null ? List.<J>of() : informer.getStore().list()) {
      KnownObject<T> seen = kind.reader().apply(object);
      present.add(seen.name());
      Optional<KnownObject<T>> was = known.find(seen.name());
      KnownObject<T> newest = known.learnFresh(seen, Optional.ofNullable(earlier.get(seen.name())));
      share(object, newest);
      if (!was.equals(Optional.of(newest))) {
        changed.accept(seen.name());
      }
      older += isOlder(newest, earlier.get(seen.name())) ? 1 : 0;
    }
    known.learnAbsent(earlier, present, resourceVersion).forEach(changed);
    if (older > 0 || Revisions.isOlder(resourceVersion, newestWatched)) {
      LOG.warn(
          "The API server was restored to an older state; that state is used from now on."
              + " kind={} olderObjects={} watched={} now={}",
          kind.name(),
          older,
          newestWatched,
          resourceVersion);
    }
    trouble.works();
    if (!hasListed) {
      hasListed = true;
      listed.run();
    }
  }

  /** Whether this version is older than what was known, or the watch should have told of it. */
  private boolean isOlder(KnownObject<T> now, @Nullable KnownObject<T> earlier) {
    return Revisions.isOlder(now.version(), earlier == null ? newestWatched : earlier.version());
  }

  @Override
  public void onAdd(J object) {
    if (!kind.reader().apply(object).name().isEmpty()) {
      changed.accept(learn(object).name());
    }
  }

  private KnownObject<T> learn(J object) {
    KnownObject<T> newest = known.learn(kind.reader().apply(object));
    share(object, newest);
    return newest;
  }

  /** A list shows most objects as they were: of those no second copy is held, page by page. */
  void shareUnchanged(J object) {
    if (kind.share() != null) {
      KnownObject<T> seen = kind.reader().apply(object);
      known.find(seen.name()).filter(seen::equals).ifPresent(equal -> share(object, equal));
    }
  }

  private void share(J object, KnownObject<T> newest) {
    BiConsumer<J, KnownObject<T>> share = kind.share();
    if (share != null) {
      share.accept(object, newest);
    }
  }

  /** The library's former version may differ from the version that a request has shown since. */
  @Override
  public void onUpdate(J before, J now) {
    KnownObject<T> seen = kind.reader().apply(now);
    if (isSame(kind.reader().apply(before).payload(), seen)
        && isSame(known.find(seen.name()).flatMap(KnownObject::payload), seen)) {
      learn(now);
    } else {
      onAdd(now);
    }
  }

  private boolean isSame(Optional<T> earlier, KnownObject<T> seen) {
    Optional<T> later = seen.payload();
    return earlier.isPresent() && later.isPresent() && kind.same().test(earlier.get(), later.get());
  }

  /** Of a deletion that a list revealed, the list tells as a whole. */
  @Override
  public void onDelete(J object, boolean deletedFinalStateUnknown) {
    if (!deletedFinalStateUnknown) {
      ObjectMeta deleted = object.getMetadata();
      known.learn(KnownObject.gone(deleted.getName(), deleted.getResourceVersion()));
      changed.accept(deleted.getName());
    }
  }

  boolean hasListed() {
    return hasListed;
  }
}
