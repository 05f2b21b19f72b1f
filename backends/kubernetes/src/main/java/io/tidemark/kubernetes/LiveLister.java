package io.tidemark.kubernetes;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.Informable;
import io.fabric8.kubernetes.client.dsl.internal.AbstractWatchManager;
import io.fabric8.kubernetes.client.dsl.internal.BaseOperation;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.impl.DefaultSharedIndexInformer;
import io.fabric8.kubernetes.client.informers.impl.ListerWatcher;
import java.net.HttpURLConnection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * Lists and watches one kind of object as another does, and tells its {@link WatchTrouble} of each
 * sign of life. Thread-safe.
 *
 * @param <J> an object
 * @param <L> a list of them
 */
public final class LiveLister<J extends HasMetadata, L extends KubernetesResourceList<J>>
    implements ListerWatcher<J, L> {
  /** After this a watch that was ended counts as ended, whatever the client says. */
  private static final int END_MILLIS = 10_000;

  private static final Status GONE =
      new StatusBuilder().withCode(HttpURLConnection.HTTP_GONE).build();

  private final ListerWatcher<J, L> lister;
  private final WatchTrouble trouble;

  private LiveLister(ListerWatcher<J, L> lister, WatchTrouble trouble) {
    this.lister = lister;
    this.trouble = trouble;
  }

  /** An informer that is not started, of what {@code objects} selects. */
  @SuppressWarnings("unchecked") // the client library has no other operations
  public static <J extends HasMetadata> SharedIndexInformer<J> informer(
      Class<J> type, Informable<J> objects, WatchTrouble trouble) {
    return selected(type, (BaseOperation<J, ?, ?>) objects, trouble);
  }

  private static <J extends HasMetadata, L extends KubernetesResourceList<J>>
      SharedIndexInformer<J> selected(
          Class<J> type, BaseOperation<J, L, ?> objects, WatchTrouble trouble) {
    return informer(type, objects, objects.getOperationContext().getExecutor(), trouble);
  }

  /**
   * An informer that is not started.
   *
   * @param lister lists and watches
   * @param executor runs the calls of the informer's handlers
   */
  public static <J extends HasMetadata, L extends KubernetesResourceList<J>>
      SharedIndexInformer<J> informer(
          Class<J> type, ListerWatcher<J, L> lister, Executor executor, WatchTrouble trouble) {
    return new DefaultSharedIndexInformer<>(type, new LiveLister<>(lister, trouble), 0, executor)
        .exceptionHandler(trouble);
  }

  @Override
  public CompletableFuture<AbstractWatchManager<J>> submitWatch(
      ListOptions options, Watcher<J> watcher) {
    Heard<J> heard = new Heard<>(watcher, trouble);
    CompletableFuture<AbstractWatchManager<J>> opened = lister.submitWatch(options, heard);
    opened.thenAccept(
        manager -> {
          manager.setWatchEndCheckMs(END_MILLIS);
          trouble.watches(new Managed(manager, heard));
        });
    return opened;
  }

  @Override
  public CompletableFuture<L> submitList(ListOptions options) {
    if (options.getContinue() == null) {
      trouble.lists();
    }
    return lister.submitList(options);
  }

  @Override
  public Long getLimit() {
    return lister.getLimit();
  }

  @Override
  public int getWatchReconnectInterval() {
    return lister.getWatchReconnectInterval();
  }

  @Override
  public String getApiEndpointPath() {
    return lister.getApiEndpointPath();
  }

  @Override
  public Config getConfig() {
    return lister.getConfig();
  }

  private record Managed(AbstractWatchManager<?> manager, Heard<?> heard)
      implements WatchTrouble.OpenWatch {
    @Override
    public boolean isOpen() {
      return manager.isWatching();
    }

    @Override
    public void renew() {
      manager.closeRequest();
    }

    @Override
    public void listAgain() {
      heard.listsAgain = true;
      manager.close();
    }
  }

  /** Bookmarks come here, too, and nowhere else. */
  private static final class Heard<J> implements Watcher<J> {
    private final Watcher<J> watcher;
    private final WatchTrouble trouble;
    private volatile boolean listsAgain;

    Heard(Watcher<J> watcher, WatchTrouble trouble) {
      this.watcher = watcher;
      this.trouble = trouble;
    }

    @Override
    public void eventReceived(Action action, J object) {
      trouble.heard();
      watcher.eventReceived(action, object);
    }

    @Override
    public void onClose(WatcherException cause) {
      trouble.interrupted();
      watcher.onClose(cause);
    }

    /** The library lists again when a version is too old, and for no other reason. */
    @Override
    public void onClose() {
      if (listsAgain) {
        watcher.onClose(new WatcherException("listed again", new KubernetesClientException(GONE)));
      } else {
        watcher.onClose();
      }
    }

    /** The library asks this each time a watch has ended, before it opens it again. */
    @Override
    public boolean reconnecting() {
      trouble.interrupted();
      return watcher.reconnecting();
    }
  }
}
