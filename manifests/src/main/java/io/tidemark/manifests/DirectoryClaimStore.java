package io.tidemark.manifests;

import io.tidemark.cluster.Claim;
import io.tidemark.cluster.ClaimChange;
import io.tidemark.cluster.ClaimStore;
import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.file.FileErrorText;
import io.tidemark.resource.CatchUp;
import io.tidemark.resource.NodeResourceStore.Watch;
import io.tidemark.resource.ObjectWatcher;
import io.tidemark.time.Cancellable;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.EffectSite;
import io.tidemark.time.TaskScheduler;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Claims in a folder, one file for each, which is made only where there is none. Several processes
 * may use the folder. The watch polls. Thread-safe; the lock is never held during I/O.
 *
 * <p>Read-only, changes are in memory alone.
 */
public final class DirectoryClaimStore implements ClaimStore {
  /** The folder of the claims, beside the manifests of the nodes. */
  public static final String FOLDER = "claims";

  private final Path folder;
  private final DirectoryOptions options;
  private final TaskScheduler scheduler;
  private final EffectRunner effects;
  private final RandomGenerator random;
  private final Object lock = new Object();
  private final Map<String, Claim> known = new HashMap<>();

  /** Read-only: what was changed in memory. */
  private final Map<String, Optional<Claim>> imagined = new HashMap<>();

  /** When this process changed or read a claim by its name, by {@link #clock}. */
  private final Map<String, Long> touched = new HashMap<>();

  private long clock;
  private @Nullable EventDelivery<Claim> delivery;
  private @Nullable Cancellable timer;
  private boolean synced;

  private DirectoryClaimStore(
      Path folder,
      DirectoryOptions options,
      TaskScheduler scheduler,
      EffectRunner effects,
      RandomGenerator random) {
    this.folder = folder;
    this.options = options;
    this.scheduler = scheduler;
    this.effects = effects;
    this.random = random;
  }

  /**
   * The claims of the nodes in {@code home}: in its folder {@link #FOLDER}, which is made, or in
   * that beside it when it is a file. Blocks on the file system.
   *
   * @param random for uids and names; thread-safe
   * @throws IpamException {@code STORE_UNWRITABLE} when the folder cannot be made
   */
  public static DirectoryClaimStore open(
      Path home,
      DirectoryOptions options,
      TaskScheduler scheduler,
      EffectRunner effects,
      RandomGenerator random) {
    Path folder = Files.isDirectory(home) ? home.resolve(FOLDER) : home.resolveSibling(FOLDER);
    try {
      if (!options.readOnly()) {
        Files.createDirectories(folder);
        FolderWriteLock.share(folder);
      }
    } catch (IOException e) {
      throw new IpamException(CoreError.STORE_UNWRITABLE, folder + ": " + FileErrorText.of(e), e);
    }
    return new DirectoryClaimStore(folder, options, scheduler, effects, random);
  }

  @Override
  public Optional<Claim> latest(String name) {
    synchronized (lock) {
      return Optional.ofNullable(known.get(name));
    }
  }

  @Override
  public List<String> names() {
    synchronized (lock) {
      return known.keySet().stream().sorted().toList();
    }
  }

  @Override
  public CatchUp list() {
    long began;
    synchronized (lock) {
      began = clock;
    }
    Map<String, Claim> read = new HashMap<>();
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : (Iterable<Path>) files::iterator) {
        String name = String.valueOf(file.getFileName());
        if (name.endsWith(ClaimFile.SUFFIX) && !name.startsWith(".")) {
          String claim = name.substring(0, name.length() - ClaimFile.SUFFIX.length());
          onDisk(claim).ifPresent(it -> read.put(claim, it));
        }
      }
    } catch (NoSuchFileException e) {
      // nobody has claimed anything
    } catch (IOException e) {
      return new CatchUp.Failed(folder + ": " + FileErrorText.of(e));
    }
    learnAll(read, began);
    return new CatchUp.Done();
  }

  private Optional<Claim> onDisk(String name) throws IOException {
    try {
      return Optional.of(ClaimFile.of(folder, name).read(name));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /** A claim that this process has changed since the look began stays. */
  private void learnAll(Map<String, Claim> read, long began) {
    synchronized (lock) {
      imagined.forEach(
          (name, claim) -> {
            read.remove(name);
            claim.ifPresent(it -> read.put(name, it));
          });
      List<String> names = new ArrayList<>(known.keySet());
      read.keySet().stream().filter(name -> !known.containsKey(name)).forEach(names::add);
      for (String name : names) {
        if (touched.getOrDefault(name, -1L) < began) {
          learn(name, Optional.ofNullable(read.get(name)));
        }
      }
    }
    deliver();
  }

  /** Called under the lock. */
  private void learn(String name, Optional<Claim> now) {
    Optional<Claim> before =
        Optional.ofNullable(now.isPresent() ? known.put(name, now.get()) : known.remove(name));
    if (!before.equals(now) && delivery != null) {
      Consumer<ObjectWatcher<Claim>> event =
          now.isPresent() ? to -> to.upserted(now.get()) : to -> to.deleted(name);
      delivery.add(List.of(event));
    }
  }

  private void touch(String name, Optional<Claim> now) {
    synchronized (lock) {
      touched.put(name, clock++);
      learn(name, now);
    }
    deliver();
  }

  private void deliver() {
    EventDelivery<Claim> current;
    synchronized (lock) {
      current = delivery;
    }
    if (current != null) {
      current.deliver();
    }
  }

  @Override
  public Reading get(String name) {
    try {
      Optional<Claim> now = now(name);
      touch(name, now);
      return now.<Reading>map(Reading.Found::new).orElseGet(Reading.Absent::new);
    } catch (IOException e) {
      return new Reading.Failed(name + ": " + FileErrorText.of(e));
    }
  }

  private Optional<Claim> now(String name) throws IOException {
    synchronized (lock) {
      Optional<Claim> instead = imagined.get(name);
      if (instead != null) {
        return instead;
      }
    }
    return onDisk(name);
  }

  @Override
  public ClaimChange create(String name, String holder, String holderUid) {
    Claim claim = new Claim(name, uuid().toString(), "new", holder, holderUid);
    try {
      if (options.readOnly()) {
        return now(name).isPresent() ? new ClaimChange.Exists() : imagine(claim);
      }
      ClaimFile.of(folder, name).create(claim, uuid().toString());
      return stored(name);
    } catch (FileAlreadyExistsException e) {
      return new ClaimChange.Exists();
    } catch (IOException e) {
      return failed(name, e);
    }
  }

  @Override
  public ClaimChange update(Claim seen, String holder, String holderUid) {
    return changed(
        seen,
        () -> {
          Claim claim = seen.withHolder(holder, holderUid);
          if (options.readOnly()) {
            return imagine(claim);
          }
          ClaimFile.of(folder, seen.name()).replace(claim, uuid().toString());
          return stored(seen.name());
        });
  }

  @Override
  public ClaimChange delete(Claim seen) {
    return changed(
        seen,
        () -> {
          if (options.readOnly()) {
            synchronized (lock) {
              imagined.put(seen.name(), Optional.empty());
            }
          } else {
            ClaimFile.of(folder, seen.name()).delete();
          }
          touch(seen.name(), Optional.empty());
          return new ClaimChange.Gone();
        });
  }

  /** Compares with what was seen and changes, while nobody else does. */
  private ClaimChange changed(Claim seen, FolderWriteLock.Work<ClaimChange> change) {
    try {
      return FolderWriteLock.take(
          folder,
          () -> {
            Optional<Claim> now = now(seen.name());
            if (now.isEmpty()) {
              touch(seen.name(), now);
              return new ClaimChange.Gone();
            }
            boolean same =
                now.get().uid().equals(seen.uid()) && now.get().version().equals(seen.version());
            return same ? change.call() : new ClaimChange.Conflict();
          });
    } catch (IOException e) {
      return failed(seen.name(), e);
    }
  }

  private ClaimChange imagine(Claim claim) {
    Claim now = claim.withVersion("imagined-" + uuid());
    synchronized (lock) {
      imagined.put(claim.name(), Optional.of(now));
    }
    touch(claim.name(), Optional.of(now));
    return new ClaimChange.Stored(now);
  }

  private ClaimChange stored(String name) throws IOException {
    Optional<Claim> now = onDisk(name);
    touch(name, now);
    return now.<ClaimChange>map(ClaimChange.Stored::new).orElseGet(ClaimChange.Gone::new);
  }

  private static ClaimChange failed(String name, IOException e) {
    return new ClaimChange.Unknown(name + ": " + FileErrorText.of(e));
  }

  private UUID uuid() {
    return new UUID(random.nextLong(), random.nextLong());
  }

  @Override
  public Watch watch(ObjectWatcher<Claim> watcher) {
    EventDelivery<Claim> started = new EventDelivery<>(watcher);
    synchronized (lock) {
      if (delivery != null) {
        throw new IllegalStateException("this store is watched already; close that watch first");
      }
      delivery = started;
      synced = false;
      List<Consumer<ObjectWatcher<Claim>>> all = new ArrayList<>();
      known.values().forEach(claim -> all.add(to -> to.upserted(claim)));
      started.add(all);
    }
    look(started);
    return () -> {
      started.close();
      synchronized (lock) {
        if (delivery == started) {
          delivery = null;
          if (timer != null) {
            timer.cancel();
          }
        }
      }
    };
  }

  private void look(EventDelivery<Claim> mine) {
    Object unused =
        effects
            .run(new EffectSite("lookAtClaims", ""), options.requestTimeout(), this::list)
            .stage()
            .exceptionally(thrown -> new CatchUp.Failed(String.valueOf(thrown)))
            .thenAccept(end -> looked(mine, end));
  }

  private void looked(EventDelivery<Claim> mine, CatchUp end) {
    synchronized (lock) {
      if (delivery != mine) {
        return;
      }
      if (!synced && end instanceof CatchUp.Done) {
        synced = true;
        mine.add(List.of(ObjectWatcher::synced));
      }
      timer = scheduler.after(options.pollInterval(), () -> look(mine));
    }
    mine.deliver();
  }
}
