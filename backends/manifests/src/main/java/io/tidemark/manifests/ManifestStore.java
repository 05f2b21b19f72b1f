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
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Objects of one kind in a directory of manifests, or in a single file: {@code *.yaml}, {@code
 * *.yml} and {@code *.json}, one object or many in each, also lists as {@code kubectl get -o yaml}
 * prints them. Other files and hidden ones are ignored. Thread-safe: requests to the files are made
 * one at a time.
 *
 * <p><b>Writes</b> change only the fields concerned (NM-J1, NM-S1); comments and layout of the file
 * are lost. A change of the object by others is a conflict, other changes of the file are kept.
 *
 * <p><b>Looking.</b> The watch polls. A content counts when two looks saw the same; own writes are
 * not reported back.
 *
 * <p><b>Versions</b> are numbers of this instance that grow; those in the file are not used.
 */
abstract class ManifestStore<T> extends FolderInventory<T> implements Backend {
  private static final int FILE_LENGTH_MAX = 64 << 20;

  /** Looks at a file that keeps changing, before the others are used without it. */
  private static final int UNSETTLED_LOOKS_MAX = 3;

  /** Edits of a file that others keep changing, before the caller has to try again. */
  private static final int ATTEMPTS_MAX = 5;

  private final ManifestKind<T> kind;
  private final FolderFiles<T> files;
  private final boolean readOnly;
  private final Runnable unlock;
  private final FolderWatch<T> watch;

  private int unsettledLooks;
  private boolean closed;

  /**
   * Opens a directory or a file and locks it, unless it is read-only. Throws {@code
   * STORE_UNREADABLE} when it does not exist, {@code STORE_IN_USE} when another process uses it,
   * {@code STORE_UNWRITABLE} when the lock cannot be made.
   */
  ManifestStore(
      ManifestKind<T> kind, Path home, String role, Environment environment, FilePort port) {
    super(kind);
    this.kind = kind;
    this.readOnly = environment.readOnly();
    this.watch = new FolderWatch<>(environment, this::look);
    this.files = new FolderFiles<>(kind, home, port, FILE_LENGTH_MAX, role);
    try {
      files.isDirectory(); // fails when it is not there
      this.unlock = readOnly ? () -> {} : files.lock();
    } catch (IOException e) {
      String detail = home + " cannot be read: " + FileErrorText.of(e);
      throw new IpamException(CoreError.STORE_UNREADABLE, detail, e);
    }
  }

  /** Looks at everything in this thread, twice when something is new, so that it counts. */
  public void load() {
    if (!look()) {
      look();
    }
  }

  /** One look at everything; whether it counts without another one. */
  private synchronized boolean look() {
    try {
      unsettledLooks = apply(files.scan(this::known)) ? 0 : unsettledLooks + 1;
      return unsettledLooks % UNSETTLED_LOOKS_MAX == 0;
    } catch (IOException e) {
      unlistable(FolderFiles.unreadable(files.folder().toString(), e));
      return true;
    }
  }

  /** The object as its file says it now. */
  final synchronized ObjectEnd<T> read(String name) {
    load();
    return answer(name);
  }

  /** Makes an object that is not there, as a file {@code NAME.json}, which must not be there. */
  final synchronized ObjectEnd<T> make(String name, String json) {
    Path file = files.folder().resolve(name + ".json");
    try {
      String refusal = file + " is there, without that node";
      if (closed || readOnly) {
        refusal = files.folder() + " is read and not written";
      } else if (!files.isDirectory()) {
        refusal = files.folder() + " is a file, not a directory";
      } else if (files.create(file, json + "\n")) {
        return read(name);
      }
      return ObjectEnd.of(Kind.REFUSED, refusal);
    } catch (IOException e) {
      return failed(file, e);
    }
  }

  /**
   * Changes an object, unless there is something instead. One that others changed is a conflict, or
   * is read and changed {@code anew}; other changes of its file are no conflict.
   */
  final synchronized <R> R write(
      String name,
      boolean anew,
      Function<T, Optional<R>> instead,
      UnaryOperator<T> change,
      Function<ObjectEnd<T>, R> end) {
    if (closed) {
      String detail = "the store of " + files.folder() + " is closed";
      return end.apply(ObjectEnd.failed(CoreError.STOPPED, detail));
    }
    boolean stale = anew && latest(name).isEmpty();
    for (int attempt = 0; attempt < ATTEMPTS_MAX && (anew || !stale); attempt++) {
      if (stale) {
        load();
      }
      @Nullable Entry<T> known = known(name);
      @Nullable T object = known == null ? null : known.object();
      if (known == null || object == null || !known.problems().isEmpty()) {
        return end.apply(answer(name));
      }
      Optional<R> other = instead.apply(object);
      if (other.isPresent()) {
        return other.get();
      }
      try {
        T changed = change.apply(object);
        if (readOnly) {
          imagine(known, changed);
          return end.apply(answer(name));
        }
        Optional<ManifestFile<T>> now =
            files.edit(known.file(), known.hash(), kind.edit().apply(object, changed));
        stale = now.isEmpty();
        if (!stale && !now.get().isAbsent()) {
          take(known.file(), now.get(), name);
          return end.apply(answer(name));
        }
      } catch (IOException | RuntimeException e) {
        return end.apply(failed(known.file(), e));
      }
    }
    return end.apply(ObjectEnd.of(Kind.CONFLICT, ""));
  }

  /** The file could not be read or written. */
  private static <T> ObjectEnd<T> failed(Path file, Exception error) {
    if (error instanceof NoSuchFileException) {
      return ObjectEnd.of(Kind.NOT_FOUND, "");
    }
    if (error instanceof ManifestDocument.Unreadable) {
      return ObjectEnd.failed(CoreError.RESOURCE_UNREADABLE, file + ": " + error.getMessage());
    }
    String words =
        error instanceof IOException io ? FileErrorText.of(io) : String.valueOf(error.getMessage());
    return ObjectEnd.failed(CoreError.STORE_UNWRITABLE, file + ": " + words);
  }

  @Override
  final void tell(Consumer<ObjectWatcher<T>> event) {
    watch.tell(event);
  }

  /** Delivers every object, then {@code synced}, then changes in order; one watcher at a time. */
  final synchronized Watch begin(ObjectWatcher<T> watcher) {
    if (closed) {
      throw new IllegalStateException("this store is closed");
    }
    Watch begun = watch.begin(watcher);
    tellPresent();
    return begun;
  }

  /** Ends the watch and releases the lock; later writes fail. A second call does nothing. */
  @Override
  public synchronized void close() {
    watch.close();
    if (!closed) {
      closed = true;
      unlock.run();
    }
  }
}
