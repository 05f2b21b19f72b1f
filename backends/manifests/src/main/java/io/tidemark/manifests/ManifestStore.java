package io.tidemark.manifests;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cluster.Backend;
import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.file.FileErrorText;
import io.tidemark.file.FilePort;
import io.tidemark.manifests.FolderInventory.Known;
import io.tidemark.manifests.ManifestFile.Entry;
import io.tidemark.manifests.ObjectEnd.Kind;
import io.tidemark.resource.NodeResourceStore.Watch;
import io.tidemark.resource.ObjectWatcher;
import io.tidemark.resource.ParsedResource.Valid;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.EffectSite;
import io.tidemark.time.TaskScheduler;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
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
 * other changes of the file are kept. Changes of one file that come at once share a replacement.
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

  /** A change of one object that still has the version {@code expected}. */
  private static final class Change<T> {
    final String name;
    final String expected;
    final UnaryOperator<T> change;

    /** How it ended; null before. */
    @Nullable ObjectEnd<T> end;

    Change(String name, String expected, UnaryOperator<T> change) {
      this.name = name;
      this.expected = expected;
      this.change = change;
    }
  }

  private final ManifestKind<T> kind;
  private final DirectoryOptions options;
  private final FolderFiles<T> files;
  private final @Nullable FolderLock folderLock;
  private final FolderWatch<T> watch;
  private final Queue<Change<T>> waiting = new ConcurrentLinkedQueue<>();
  private final FolderInventory<T> inventory;

  /** Held by the request that is being made; guards all that follows. */
  private final ReentrantLock turn = new ReentrantLock();

  private int unsettledLooks;
  private boolean closed;

  /** As {@link DirectoryNodeResourceStore#open}. */
  ManifestStore(
      ManifestKind<T> kind,
      Path home,
      DirectoryOptions options,
      TaskScheduler scheduler,
      EffectRunner effects,
      FilePort port) {
    this.kind = kind;
    this.options = options;
    this.inventory = new FolderInventory<>(kind);
    EffectSite site = new EffectSite("lookAtFiles", "");
    this.watch = new FolderWatch<>(options, scheduler, effects, site, this::look);
    @Nullable FolderLock taken = null;
    try {
      Path real = port.realPath(home);
      boolean directory = port.isDirectory(real);
      this.files =
          new FolderFiles<>(kind, port, home, directory, options.role(), options.fileSizeMax());
      if (!options.readOnly()) {
        Path folder =
            directory ? real : Objects.requireNonNull(real.getParent(), "a file's folder");
        taken = FolderLock.take(folder, options.role());
        if (options.isShared()) {
          FolderWriteLock.share(folder);
        }
        files.sweep(folder);
      }
      this.folderLock = taken;
    } catch (IOException e) {
      release(taken);
      String detail = home + " cannot be read: " + FileErrorText.of(e);
      throw new IpamException(CoreError.STORE_UNREADABLE, detail, e);
    }
  }

  /** Makes a request while no other one is, and tells the watcher what it found. */
  private <R> R alone(Supplier<R> request) {
    turn.lock();
    try {
      return request.get();
    } finally {
      turn.unlock();
      watch.deliver();
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
  private boolean look() {
    return alone(
        () -> {
          try {
            watch.add(inventory.apply(files.scan(inventory.known())));
          } catch (IOException e) {
            inventory.unlistable(FolderFiles.unreadable(files.folder().toString(), e));
            return true;
          }
          unsettledLooks = inventory.settled() ? 0 : unsettledLooks + 1;
          return unsettledLooks % UNSETTLED_LOOKS_MAX == 0;
        });
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
    return Optional.ofNullable(inventory.object(name)).map(Known::object);
  }

  /** The object as its file says it now. Blocks on the file system. */
  final ObjectEnd<T> read(String name) {
    load();
    return alone(() -> inventory.answer(name));
  }

  /**
   * Makes an object that is not there, as a file of its own, {@code NAME.json}, which must not be
   * there yet either. Blocks on the file system.
   */
  final ObjectEnd<T> make(String name, String json) {
    Path file = files.folder().resolve(name + ".json");
    ObjectEnd<T> end =
        alone(
            () -> {
              String refusal = "";
              if (closed) {
                refusal = "the store of " + files.folder() + " is closed";
              } else if (options.readOnly()) {
                refusal = files.folder() + " is read and not written";
              } else if (!files.directory()) {
                refusal = files.folder() + " is a file, not a directory";
              }
              try {
                if (refusal.isEmpty() && !files.create(file, json + "\n")) {
                  refusal = file + " is there, without that node";
                }
                return ObjectEnd.of(Kind.REFUSED, refusal);
              } catch (IOException e) {
                return failed(file, e);
              }
            });
    return end.detail().isEmpty() ? read(name) : end;
  }

  /**
   * Changes an object, unless it has another version than {@code expected} by now. Blocks on the
   * file system.
   */
  final ObjectEnd<T> write(String name, String expected, UnaryOperator<T> change) {
    Change<T> mine = new Change<>(name, expected, change);
    waiting.add(mine);
    return alone(
        () -> {
          if (mine.end == null) {
            takeWaiting().forEach(this::replace);
          }
          return Objects.requireNonNull(mine.end);
        });
  }

  /** The waiting changes that can be made, by file. */
  private Map<Path, List<Change<T>>> takeWaiting() {
    Map<Path, List<Change<T>>> changes = new TreeMap<>();
    Set<String> names = new HashSet<>();
    for (Change<T> each = waiting.poll(); each != null; each = waiting.poll()) {
      @Nullable Known<T> known = inventory.object(each.name);
      if (closed) {
        String detail = "the store of " + files.folder() + " is closed";
        each.end = ObjectEnd.failed(CoreError.STOPPED, detail);
      } else if (known == null || !known.isValid()) {
        each.end = inventory.answer(each.name);
      } else if (!kind.version().apply(known.requireObject()).equals(each.expected)
          || !names.add(each.name)) {
        each.end = ObjectEnd.of(Kind.CONFLICT, "");
      } else if (options.readOnly()) {
        inventory.imagine(each.name, known, each.change.apply(known.requireObject()));
        each.end = inventory.answer(each.name);
      } else {
        changes.computeIfAbsent(known.file(), file -> new ArrayList<>()).add(each);
      }
    }
    return changes;
  }

  /** Makes changes of different objects of one file. */
  private void replace(Path file, List<Change<T>> changes) {
    Set<String> made = new HashSet<>();
    try {
      FolderFiles.Look<T> now =
          files.edit(
              file,
              (read, text) -> {
                made.clear();
                boolean changed = false;
                for (Change<T> each : changes) {
                  Optional<Entry<T>> found = unchanged(each.name, read);
                  if (found.isPresent() && found.get().parsed() instanceof Valid<T> valid) {
                    made.add(each.name);
                    ObjectNode inFile = text.object(found.get().document(), found.get().item());
                    changed |= make(each, valid.resource(), inFile);
                  }
                }
                return changed;
              });
      watch.add(inventory.take(file, now, made));
      for (Change<T> each : changes) {
        each.end =
            made.contains(each.name)
                ? inventory.answer(each.name)
                : ObjectEnd.of(Kind.CONFLICT, "");
      }
    } catch (IOException | RuntimeException e) {
      changes.forEach(each -> each.end = failed(file, e));
    }
  }

  /** The object in its file, unless others changed it there. */
  private Optional<Entry<T>> unchanged(String name, ManifestFile<T> read) {
    String hash = Objects.requireNonNull(inventory.object(name)).hash();
    return read.object(name).filter(each -> each.hash().equals(hash));
  }

  /** Makes a change; false when the object is as wanted. */
  private boolean make(Change<T> change, T before, ObjectNode inFile) {
    ObjectNode wanted = kind.edit().apply(before, change.change.apply(before), inFile);
    if (wanted.equals(inFile)) {
      return false;
    }
    inFile.removeAll();
    inFile.setAll(wanted);
    return true;
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
  final Watch begin(ObjectWatcher<T> watcher) {
    return alone(
        () -> {
          if (closed) {
            throw new IllegalStateException("this store is closed");
          }
          return watch.begin(watcher, inventory.present());
        });
  }

  /** Ends the watch and releases the lock; later writes fail. A second call does nothing. */
  @Override
  public void close() {
    watch.close();
    alone(
        () -> {
          if (!closed) {
            closed = true;
            release(folderLock);
          }
          return closed;
        });
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
