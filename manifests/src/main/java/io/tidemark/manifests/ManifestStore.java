package io.tidemark.manifests;

import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.file.FileErrorText;
import io.tidemark.file.FilePort;
import io.tidemark.manifests.FolderReader.Known;
import io.tidemark.manifests.FolderReader.Scan;
import io.tidemark.resource.NodeResourceStore.Watch;
import io.tidemark.resource.ObjectWatcher;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.TaskScheduler;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Objects of one kind in a directory of manifests, or in a single file: {@code *.yaml}, {@code
 * *.yml} and {@code *.json}, one object or many in each, also lists as {@code kubectl get -o yaml}
 * prints them. Other files and hidden ones are ignored. Thread-safe.
 *
 * <p><b>Writes</b> change only the fields concerned (NM-J1, NM-S1), print the file anew and replace
 * it atomically; comments and layout are lost. A change of the object by others is a conflict,
 * other changes of the file are kept. A file of several objects is written behind: such a write is
 * answered at once and is in the file after {@link DirectoryOptions#writeBehind}, together with all
 * others of that time. If another program changed the same place by then, its change stays, and the
 * watch delivers it.
 *
 * <p><b>Looking.</b> The watch polls. A content counts when two looks saw the same; own writes are
 * not reported back. A file that cannot be read keeps its previous content; a name that is defined
 * twice is refused in both places. {@link #refused} returns all problems.
 *
 * <p><b>Versions</b> are made by this instance: a number that grows, and a hash of the object's
 * content. What {@code metadata.resourceVersion} says in the file is left there and not used.
 *
 * <p>One file, because it is the door alone: opening, the methods of every port under one lock,
 * closing; the work is done by the parts it holds.
 *
 * @param <T> one object
 */
abstract class ManifestStore<T> implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ManifestStore.class);

  private final StoreContext<T> context;
  private final FolderPoller<T> poller;
  private final DirectRead<T> read;
  private final WriteBehind<T> behind;
  private final NodeWrites<T> writes;
  private final @Nullable FolderLock folderLock;

  /** The parts of a store once its place is locked. */
  record Opened<T>(StoreContext<T> context, @Nullable FolderLock lock) {}

  ManifestStore(Opened<T> opened) {
    this.context = opened.context();
    this.folderLock = opened.lock();
    this.poller = new FolderPoller<>(context);
    this.read = new DirectRead<>(context, poller);
    this.behind = new WriteBehind<>(context);
    this.writes = new NodeWrites<>(context, poller, behind);
  }

  /**
   * Opens a directory or a file and locks it, unless {@code options} are read-only. Blocks on the
   * file system. Throws {@link IpamException} with {@code STORE_UNREADABLE} when it does not exist,
   * {@code STORE_IN_USE} when another process uses it (the message has its id), {@code
   * STORE_UNWRITABLE} when the lock cannot be made.
   */
  static <T> Opened<T> opened(
      ManifestKind<T> kind,
      Path home,
      DirectoryOptions options,
      TaskScheduler scheduler,
      EffectRunner effects,
      FilePort files) {
    FolderLock lock = null;
    try {
      Path real = files.realPath(home);
      boolean directory = files.isDirectory(real);
      FileReplacement replacement =
          new FileReplacement(kind, files, options.fileSizeMax(), options.role());
      if (!options.readOnly()) {
        lock = FolderLock.take(real, directory, options.role());
        if (options.isShared()) {
          FolderWriteLock.share(
              directory ? real : Objects.requireNonNull(real.getParent(), "a file has a parent"));
        }
        if (directory) {
          replacement.sweep(real, "");
        } else {
          Path around = Objects.requireNonNull(real.getParent(), "a file has a parent");
          replacement.sweep(around, real.getFileName() + ".");
        }
      }
      FolderReader<T> reader =
          new FolderReader<>(kind, files, home, directory, options.fileSizeMax());
      StoreContext<T> context =
          new StoreContext<>(kind, home, reader, replacement, options, scheduler, effects);
      return new Opened<>(context, lock);
    } catch (IOException e) {
      release(lock);
      String detail = home + " cannot be read: " + FileErrorText.of(e);
      throw new IpamException(CoreError.STORE_UNREADABLE, detail, e);
    }
  }

  /**
   * Scans everything in this thread, twice, so that it counts. Blocks on the file system. For
   * programs that read once and do not watch.
   */
  public void load() {
    lookAtAll();
    boolean settled;
    synchronized (context.lock) {
      settled = context.inventory.suspects().isEmpty();
    }
    if (!settled) {
      lookAtAll();
    }
  }

  private void lookAtAll() {
    Map<Path, Known<T>> known;
    synchronized (context.lock) {
      known = context.inventory.known();
    }
    Scan<T> scan = context.reader.lookAtAll(known);
    synchronized (context.lock) {
      context.queue(context.inventory.apply(scan, known));
    }
    context.deliver();
  }

  /** All objects that are known, by name; never blocks. */
  public List<T> all() {
    synchronized (context.lock) {
      return context.inventory.nodes().stream().flatMap(each -> each.current().stream()).toList();
    }
  }

  /** All refused files, objects and edits, by file; never blocks. */
  public List<ResourceProblem> refused() {
    synchronized (context.lock) {
      return context.inventory.refused();
    }
  }

  /** The object as it is known; never blocks. */
  public Optional<T> latest(String name) {
    synchronized (context.lock) {
      return context.inventory.node(name).flatMap(FolderNode::current);
    }
  }

  /** The object as its file says it now. Blocks on the file system. */
  final ObjectEnd<T> read(String name) {
    boolean looked;
    synchronized (context.lock) {
      looked = context.inventory.looked();
    }
    if (!looked) {
      load();
    }
    return read.get(name);
  }

  /**
   * Makes an object that is not there, as a file of its own, {@code NAME.json}, which must not be
   * there yet either. Blocks on the file system.
   */
  final ObjectEnd<T> make(String name, String json) {
    Optional<ObjectEnd<T>> refused = writes.create(name, json);
    load();
    return refused.orElseGet(() -> read.get(name));
  }

  /** Changes an object that still has the version {@code expected}; can block likewise. */
  final ObjectEnd<T> write(String name, String expected, UnaryOperator<T> change) {
    return writes.write(name, expected, change);
  }

  /** Delivers every object, then {@code synced}, then changes in order; one watcher at a time. */
  final Watch begin(ObjectWatcher<T> watcher) {
    EventDelivery<T> delivery = new EventDelivery<>(watcher);
    synchronized (context.lock) {
      if (context.delivery != null || behind.ended()) {
        throw new IllegalStateException(
            behind.ended()
                ? "this store is closed"
                : "this store is watched already; close that watch first");
      }
      context.delivery = delivery;
      context.queue(context.inventory.present());
      poller.start();
    }
    return () -> unwatch(delivery);
  }

  private void unwatch(EventDelivery<T> delivery) {
    delivery.close();
    synchronized (context.lock) {
      if (context.delivery == delivery) {
        context.delivery = null;
        poller.stop();
      }
    }
  }

  /**
   * Writes delayed changes now. The stage ends when they are in the files, or after {@link
   * DirectoryOptions#flushTimeout} with those that are not. Never blocks.
   */
  public CompletionStage<FlushReport> flush() {
    return behind.flush();
  }

  /**
   * Ends the watch, writes pending changes in this thread and releases the lock. Blocks on the file
   * system for one replacement per file. Later writes fail. A second call does nothing.
   */
  public FlushReport shutDown() {
    synchronized (context.lock) {
      if (behind.ended()) {
        return FlushReport.CLEAN;
      }
      behind.end();
      context.delivery = null;
      poller.stop();
    }
    FlushReport report = behind.finish();
    release(folderLock);
    return report;
  }

  /** As {@link #shutDown}; unwritten changes are logged. */
  @Override
  public void close() {
    FlushReport report = shutDown();
    if (!report.isClean()) {
      LOG.warn(
          "closed {} with unwritten {} and unknown {}",
          context.folder,
          report.unwritten(),
          report.unknown());
    }
  }

  private static void release(@Nullable FolderLock lock) {
    if (lock != null) {
      try {
        lock.close();
      } catch (IOException e) {
        LOG.warn("the lock file stays behind", e);
      }
    }
  }
}
