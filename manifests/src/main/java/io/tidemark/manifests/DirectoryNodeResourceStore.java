package io.tidemark.manifests;

import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.file.DiskFiles;
import io.tidemark.file.FilePort;
import io.tidemark.manifests.HomeScan.Known;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.resource.StoreResult;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.TaskScheduler;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Node resources in a directory of manifests, or in a single file: {@code *.yaml}, {@code *.yml}
 * and {@code *.json}, one object or many in each, also lists as {@code kubectl get ciliumnodes}
 * prints them. Other files and hidden ones are left alone. Thread-safe.
 *
 * <p><b>Writes</b> change only what they mean to change (NM-J1, NM-S1), replace the file at one
 * instant, and never lose what others wrote meanwhile: the object itself changed is a conflict, the
 * rest of the file is taken as it is. A file of several objects is written behind: such a write is
 * answered at once and is in the file after {@link DirectoryOptions#writeBehind}, together with all
 * others of that time; if somebody else changed the same place by then, theirs stays and the
 * watcher is told.
 *
 * <p><b>Looking.</b> The watch polls. What others change counts once it stands still, and what may
 * be half-written once it has been quiet for ten seconds; own writes are not reported back. A file
 * that cannot be read hides its nodes, it does not delete them; a name that stands twice is refused
 * in both places. {@link #refused} tells all that is wrong.
 *
 * <p><b>Versions</b> are made by this instance: a number that grows, and a hash of the object's
 * characters. What {@code metadata.resourceVersion} says in the file is left there and not used.
 *
 * <p>One file, because it is the door alone: opening, the port's methods under one lock, closing;
 * the work is done by the parts it holds.
 */
public final class DirectoryNodeResourceStore implements NodeResourceStore, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(DirectoryNodeResourceStore.class);

  private final StoreContext context;
  private final HomePoller poller;
  private final DirectRead read;
  private final DirectWrite direct;
  private final WriteBehind behind;
  private final Path home;
  private final @Nullable HomeLock homeLock;
  private boolean watched;
  private boolean closed;

  private DirectoryNodeResourceStore(Path home, StoreContext context, @Nullable HomeLock homeLock) {
    this.home = home;
    this.context = context;
    this.homeLock = homeLock;
    this.poller = new HomePoller(context, home.toString());
    this.read = new DirectRead(context, poller);
    this.direct = new DirectWrite(context, poller);
    this.behind = new WriteBehind(context);
  }

  /**
   * Opens a home and locks it, unless {@code options} are read-only. Blocks on the file system.
   * Throws {@link IpamException} with {@code STORE_UNREADABLE} when the home does not exist, {@code
   * STORE_IN_USE} when another process works on it (its id is named), {@code STORE_UNWRITABLE} when
   * the lock cannot be made.
   *
   * @param home a directory or a file
   * @param scheduler when to look and to write
   * @param effects where looking and writing behind run
   */
  public static DirectoryNodeResourceStore open(
      Path home, DirectoryOptions options, TaskScheduler scheduler, EffectRunner effects) {
    return open(home, options, scheduler, effects, new DiskFiles());
  }

  static DirectoryNodeResourceStore open(
      Path home,
      DirectoryOptions options,
      TaskScheduler scheduler,
      EffectRunner effects,
      FilePort files) {
    HomeLock lock = null;
    try {
      Path real = files.realPath(home);
      boolean directory = files.isDirectory(real);
      FileReplacement replacement = new FileReplacement(files, options.fileSizeMax());
      if (!options.readOnly()) {
        lock = HomeLock.take(real, directory);
        if (directory) {
          replacement.sweep(real, "");
        } else {
          Path around = Objects.requireNonNull(real.getParent(), "a file has a parent");
          replacement.sweep(around, real.getFileName() + ".");
        }
      }
      HomeReader reader = new HomeReader(files, home, directory, options.fileSizeMax());
      StoreContext context = new StoreContext(reader, replacement, options, scheduler, effects);
      return new DirectoryNodeResourceStore(home, context, lock);
    } catch (IOException e) {
      release(lock);
      String detail = home + " cannot be read: " + Words.of(e);
      throw new IpamException(CoreError.STORE_UNREADABLE, detail, e);
    }
  }

  /**
   * Looks at everything in this thread, twice, so that also what is wrong counts. Blocks on the
   * file system. For programs that read once and do not watch: also what may be half-written is
   * taken as it is.
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
    Map<Path, Known> known;
    synchronized (context.lock) {
      known = context.inventory.known();
    }
    HomeScan scan = context.reader.lookAtAll(known);
    synchronized (context.lock) {
      context.queue(context.inventory.apply(scan, known, Optional.empty()));
    }
    context.deliver();
  }

  /** All nodes that are known, by name; never blocks. */
  public List<NodeResource> all() {
    synchronized (context.lock) {
      return context.inventory.nodes().stream().flatMap(each -> each.current().stream()).toList();
    }
  }

  /** Everything that is refused now: files, objects and edits, by file; never blocks. */
  public List<ResourceProblem> refused() {
    synchronized (context.lock) {
      return context.inventory.refused();
    }
  }

  @Override
  public Optional<NodeResource> latest(String name) {
    synchronized (context.lock) {
      return context.inventory.node(name).flatMap(NodeState::current);
    }
  }

  @Override
  public StoreResult get(String name) {
    boolean looked;
    synchronized (context.lock) {
      looked = context.inventory.looked();
    }
    if (!looked) {
      load();
    }
    return read.get(name);
  }

  @Override
  public StoreResult update(NodeResource original, NodeResource changed) {
    return original.sameSpec(changed)
        ? new StoreResult.Unchanged()
        : write(OwnedPaths.SPEC, original, changed);
  }

  @Override
  public StoreResult updateStatus(NodeResource original, NodeResource changed) {
    return original.sameStatus(changed)
        ? new StoreResult.Unchanged()
        : write(OwnedPaths.STATUS, original, changed);
  }

  private StoreResult write(OwnedPaths half, NodeResource original, NodeResource changed) {
    Path file;
    String hash;
    synchronized (context.lock) {
      Optional<NodeState> found = context.inventory.node(changed.name());
      if (closed) {
        return StoreContext.failed(CoreError.STOPPED, "the store of " + home + " is closed");
      }
      if (found.isEmpty()) {
        return new StoreResult.NotFound();
      }
      NodeState node = found.get();
      if (!node.problems.isEmpty()) {
        return context.refusal(node);
      }
      NodeResource current = node.current().orElseThrow();
      if (!current.resourceVersion().equals(original.resourceVersion())) {
        return new StoreResult.Conflict();
      }
      file = node.file.orElseThrow();
      FileState state = context.inventory.file(file).orElseThrow();
      if (context.options.readOnly()
          || state.view.objects().size() > 1
          || node.pending.isPresent()) {
        return accept(half, node, current, changed, file);
      }
      if (state.busy) {
        return new StoreResult.Conflict();
      }
      state.beginWrite();
      hash = node.diskHash;
    }
    return direct.write(file, hash, half, original, changed);
  }

  /** Remembers a write that is made later, or never when nothing may touch the disk. */
  private StoreResult accept(
      OwnedPaths half, NodeState node, NodeResource current, NodeResource changed, Path file) {
    NodeResource wanted =
        half == OwnedPaths.SPEC ? current.withSpecOf(changed) : current.withStatusOf(changed);
    NodeResource versioned =
        wanted.withResourceVersion(context.inventory.nextVersion(node.diskHash + "+"));
    if (node.pending.isEmpty()) {
      node.base = Optional.of(current);
    }
    node.pending = Optional.of(versioned);
    if (!context.options.readOnly()) {
      behind.add(file, node.name);
    }
    return new StoreResult.Stored(versioned);
  }

  @Override
  public Watch watch(Watcher watcher) {
    EventDelivery delivery = new EventDelivery(watcher);
    synchronized (context.lock) {
      if (watched || closed) {
        throw new IllegalStateException(
            closed
                ? "this store is closed"
                : "this store is watched already; close that watch first");
      }
      watched = true;
      context.tell(Optional.of(delivery));
      context.queue(context.inventory.present());
      poller.start();
    }
    return () -> unwatch(delivery);
  }

  private void unwatch(EventDelivery delivery) {
    delivery.close();
    synchronized (context.lock) {
      if (context.isTold(delivery)) {
        watched = false;
        context.tell(Optional.empty());
        poller.stop();
      }
    }
  }

  /**
   * Writes what is written behind now, without waiting for others. The stage ends when it is in the
   * files, or after {@link DirectoryOptions#flushTimeout} with what is not. Never blocks.
   */
  public CompletionStage<FlushReport> flush() {
    return behind.flush();
  }

  /**
   * Ends the watch, writes in this thread what is pending, and gives the lock back. Blocks on the
   * file system for one replacement per file; waits for nothing else. Later writes fail. A second
   * call does nothing.
   */
  public FlushReport shutDown() {
    synchronized (context.lock) {
      if (closed) {
        return FlushReport.CLEAN;
      }
      closed = true;
      watched = false;
      context.tell(Optional.empty());
      poller.stop();
    }
    FlushReport report = behind.finish();
    release(homeLock);
    return report;
  }

  /** As {@link #shutDown}; what is left undone is logged. */
  @Override
  public void close() {
    FlushReport report = shutDown();
    if (!report.isClean()) {
      LOG.warn(
          "closed {} with unwritten {} and unknown {}", home, report.unwritten(), report.unknown());
    }
  }

  private static void release(@Nullable HomeLock lock) {
    if (lock != null) {
      try {
        lock.close();
      } catch (IOException e) {
        LOG.warn("the lock file stays behind", e);
      }
    }
  }
}
