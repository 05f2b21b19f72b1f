package io.tidemark.manifests;

import io.tidemark.cluster.Backend;
import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.file.FileErrorText;
import io.tidemark.file.FilePort;
import io.tidemark.manifests.ManifestFile.Entry;
import io.tidemark.manifests.ObjectEnd.Kind;
import io.tidemark.resource.NodeResourceStore.Watch;
import io.tidemark.resource.ObjectWatcher;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.TaskScheduler;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Objects of one kind in a directory of manifests, or in a single file: {@code *.yaml}, {@code
 * *.yml} and {@code *.json}, one object or many in each, also lists as {@code kubectl get -o yaml}
 * prints them. Other files and hidden ones are ignored. Thread-safe: requests to the files are made
 * one at a time, and what is known can be asked meanwhile.
 *
 * <p><b>Writes</b> change only the fields concerned (NM-J1, NM-S1), print the file anew and replace
 * it atomically; comments and layout are lost. A change of the object by others is a conflict,
 * other changes of the file are kept.
 *
 * <p><b>Looking.</b> The watch polls. A content counts when two looks saw the same; own writes are
 * not reported back. A file that cannot be read keeps its previous content; a name that is defined
 * twice is refused in both places. {@link #refused} returns all problems.
 *
 * <p><b>Versions</b> are made by this instance: a number that grows, and a hash of the object's
 * content. What {@code metadata.resourceVersion} says in the file is left there and not used.
 *
 * @param <T> one object
 */
abstract class ManifestStore<T> implements Backend {
  private static final Logger LOG = LoggerFactory.getLogger(ManifestStore.class);

  /** Looks at a file that keeps changing, before the others are used without it. */
  private static final int UNSETTLED_LOOKS_MAX = 3;

  private static final int FILE_LENGTH_MAX = 64 << 20;

  private final ManifestKind<T> kind;
  private final boolean readOnly;
  private final FolderFiles<T> files;
  private final @Nullable FolderLock folderLock;
  private final FolderWatch<T> watch;
  private final FolderInventory<T> inventory;

  private int unsettledLooks;
  private boolean closed;

  /** As {@link DirectoryNodeResourceStore}. */
  ManifestStore(
      ManifestKind<T> kind,
      Path home,
      FolderAccess access,
      TaskScheduler scheduler,
      EffectRunner effects,
      FilePort port) {
    this.kind = kind;
    this.readOnly = access.readOnly();
    this.watch = new FolderWatch<>(scheduler, effects, this::look);
    this.inventory = new FolderInventory<>(kind, watch::tell);
    @Nullable FolderLock taken = null;
    try {
      Path real = port.realPath(home);
      boolean directory = port.isDirectory(real);
      this.files = new FolderFiles<>(kind, port, home, directory, FILE_LENGTH_MAX, access.role());
      if (!readOnly) {
        Path folder =
            directory ? real : Objects.requireNonNull(real.getParent(), "a file's folder");
        taken = FolderLock.take(folder, access.role());
        files.sweep(folder);
        if (access.isShared()) {
          FolderLock.share(folder);
        }
      }
      this.folderLock = taken;
    } catch (IOException e) {
      release(taken);
      String detail = home + " cannot be read: " + FileErrorText.of(e);
      throw new IpamException(CoreError.STORE_UNREADABLE, detail, e);
    }
  }

  /**
   * Looks at everything in this thread, twice when something is new, so that it counts. Blocks on
   * the file system.
   */
  public void load() {
    if (!look()) {
      look();
    }
  }

  /** One look at everything; whether it counts without another one. */
  private synchronized boolean look() {
    try {
      inventory.apply(files.scan(inventory::known));
    } catch (IOException e) {
      inventory.unlistable(FolderFiles.unreadable(files.folder().toString(), e));
      return true;
    }
    unsettledLooks = inventory.settled() ? 0 : unsettledLooks + 1;
    return unsettledLooks % UNSETTLED_LOOKS_MAX == 0;
  }

  /** All objects that are known, by name; never blocks. */
  public List<T> all() {
    return inventory.all();
  }

  /** All refused files and objects, by file; never blocks. */
  @Override
  public List<ResourceProblem> refused() {
    return inventory.refused();
  }

  /** The object as it is known; never blocks. */
  public Optional<T> latest(String name) {
    return Optional.ofNullable(inventory.object(name)).flatMap(Entry::found);
  }

  /** The object as its file says it now. Blocks on the file system. */
  final synchronized ObjectEnd<T> read(String name) {
    load();
    return inventory.answer(name);
  }

  /**
   * Makes an object that is not there, as a file of its own, {@code NAME.json}, which must not be
   * there yet either. Blocks on the file system.
   */
  final synchronized ObjectEnd<T> make(String name, String json) {
    Path file = files.folder().resolve(name + ".json");
    String refusal = "";
    if (closed) {
      refusal = "the store of " + files.folder() + " is closed";
    } else if (readOnly) {
      refusal = files.folder() + " is read and not written";
    } else if (!files.directory()) {
      refusal = files.folder() + " is a file, not a directory";
    }
    try {
      if (refusal.isEmpty() && !files.create(file, json + "\n")) {
        refusal = file + " is there, without that node";
      }
      return refusal.isEmpty() ? read(name) : ObjectEnd.of(Kind.REFUSED, refusal);
    } catch (IOException e) {
      return failed(file, e);
    }
  }

  /**
   * Changes an object, unless it has another version than {@code expected} by now. Blocks on the
   * file system.
   */
  final synchronized ObjectEnd<T> write(String name, String expected, UnaryOperator<T> change) {
    @Nullable Entry<T> known = inventory.object(name);
    @Nullable T object = known == null ? null : known.object();
    if (closed) {
      String detail = "the store of " + files.folder() + " is closed";
      return ObjectEnd.failed(CoreError.STOPPED, detail);
    }
    if (known == null || object == null || !known.problems().isEmpty()) {
      return inventory.answer(name);
    }
    if (!kind.version().apply(object).equals(expected)) {
      return ObjectEnd.of(Kind.CONFLICT, "");
    }
    T changed = change.apply(object);
    if (readOnly) {
      inventory.imagine(known, changed);
      return inventory.answer(name);
    }
    try {
      Optional<ManifestFile<T>> now =
          files.edit(known.file(), known.hash(), tree -> kind.edit().apply(object, changed, tree));
      if (now.isEmpty()) {
        return ObjectEnd.of(Kind.CONFLICT, "");
      }
      inventory.take(known.file(), now.get(), name);
      return inventory.answer(name);
    } catch (IOException | RuntimeException e) {
      return failed(known.file(), e);
    }
  }

  /** The file could not be read or written. */
  private static <T> ObjectEnd<T> failed(Path file, Exception error) {
    if (error instanceof NoSuchFileException) {
      return ObjectEnd.of(Kind.NOT_FOUND, "");
    }
    if (error instanceof UnreadableManifest) {
      return ObjectEnd.failed(CoreError.RESOURCE_UNREADABLE, file + ": " + error.getMessage());
    }
    String words =
        error instanceof IOException io ? FileErrorText.of(io) : String.valueOf(error.getMessage());
    return ObjectEnd.failed(CoreError.STORE_UNWRITABLE, file + ": " + words);
  }

  /** Delivers every object, then {@code synced}, then changes in order; one watcher at a time. */
  final synchronized Watch begin(ObjectWatcher<T> watcher) {
    if (closed) {
      throw new IllegalStateException("this store is closed");
    }
    Watch begun = watch.begin(watcher);
    inventory.tellPresent();
    return begun;
  }

  /** Ends the watch and releases the lock; later writes fail. A second call does nothing. */
  @Override
  public synchronized void close() {
    watch.close();
    if (!closed) {
      closed = true;
      release(folderLock);
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
