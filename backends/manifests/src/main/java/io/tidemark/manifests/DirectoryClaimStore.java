package io.tidemark.manifests;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cluster.Claim;
import io.tidemark.cluster.ClaimChange;
import io.tidemark.cluster.ClaimStore;
import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.file.DiskFiles;
import io.tidemark.file.FileErrorText;
import io.tidemark.resource.CatchUp;
import io.tidemark.resource.NodeResourceStore.Watch;
import io.tidemark.resource.ObjectWatcher;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.TaskScheduler;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.random.RandomGenerator;

/**
 * Claims in a folder, one file for each, which reads as a {@code Lease} of the Kubernetes API. One
 * that cannot be read is a claim of nobody: its name is taken. Several processes may use the
 * folder: each request is made while no other one is. The watch polls. Thread-safe.
 *
 * <p>Read-only, changes are in memory alone.
 */
final class DirectoryClaimStore implements ClaimStore {
  /** The folder of the claims, beside the manifests of the nodes. */
  private static final String FOLDER = "claims";

  private static final String SUFFIX = ".json";
  private static final int LENGTH_MAX = 64 << 10;

  private final Path folder;
  private final boolean readOnly;
  private final RandomGenerator random;
  private final FolderWatch<Claim> watch;

  /** Read-only: what was changed in memory. Only for the request that is being made. */
  private final Map<String, Optional<Claim>> imagined = new HashMap<>();

  /** Changed together with the events of {@link #watch}, under its monitor. */
  private final Map<String, Claim> known = new ConcurrentSkipListMap<>();

  /**
   * The claims of the nodes in {@code home}: in its folder {@link #FOLDER}, which is made, or in
   * that beside it when it is a file. Blocks on the file system.
   *
   * @param random for uids and names; thread-safe
   * @throws IpamException {@code STORE_UNWRITABLE} when the folder cannot be made
   */
  DirectoryClaimStore(
      Path home,
      FolderAccess access,
      TaskScheduler scheduler,
      EffectRunner effects,
      RandomGenerator random) {
    this.folder = Files.isDirectory(home) ? home.resolve(FOLDER) : home.resolveSibling(FOLDER);
    this.readOnly = access.readOnly();
    this.random = random;
    this.watch = new FolderWatch<>(scheduler, effects, () -> list() instanceof CatchUp.Done);
    try {
      if (!readOnly) {
        Files.createDirectories(folder);
        FolderLock.share(folder);
      }
    } catch (IOException e) {
      throw new IpamException(CoreError.STORE_UNWRITABLE, folder + ": " + FileErrorText.of(e), e);
    }
  }

  @Override
  public Optional<Claim> latest(String name) {
    return Optional.ofNullable(known.get(name));
  }

  @Override
  public List<String> names() {
    return List.copyOf(known.keySet());
  }

  @Override
  public CatchUp list() {
    try {
      return FolderLock.during(
          folder,
          () -> {
            TreeSet<String> names = new TreeSet<>(imagined.keySet());
            names.addAll(names());
            List<String> none = List.of(); // nobody has claimed anything
            for (String file : Files.exists(folder) ? new DiskFiles().list(folder) : none) {
              if (file.endsWith(SUFFIX) && !file.startsWith(".")) {
                names.add(file.substring(0, file.length() - SUFFIX.length()));
              }
            }
            for (String name : names) {
              read(name);
            }
            return new CatchUp.Done();
          });
    } catch (IOException e) {
      return new CatchUp.Failed(folder + ": " + FileErrorText.of(e));
    }
  }

  @Override
  public Reading get(String name) {
    try {
      Optional<Claim> now = FolderLock.during(folder, () -> read(name));
      return now.<Reading>map(Reading.Found::new).orElseGet(Reading.Absent::new);
    } catch (IOException e) {
      return new Reading.Failed(name + ": " + FileErrorText.of(e));
    }
  }

  @Override
  public ClaimChange create(String name, String holder, String holderUid) {
    Claim wanted = new Claim(name, uuid(), "new", holder, holderUid);
    return change(name, Optional.empty(), Optional.of(wanted));
  }

  @Override
  public ClaimChange update(Claim seen, String holder, String holderUid) {
    return change(seen.name(), Optional.of(seen), Optional.of(seen.withHolder(holder, holderUid)));
  }

  @Override
  public ClaimChange delete(Claim seen) {
    return change(seen.name(), Optional.of(seen), Optional.empty());
  }

  /**
   * Changes a claim.
   *
   * @param seen the uid and version that it must have; empty when there must be none
   * @param wanted the claim afterwards; empty to delete it
   */
  private ClaimChange change(String name, Optional<Claim> seen, Optional<Claim> wanted) {
    try {
      return FolderLock.during(
          folder,
          () -> {
            Optional<Claim> now = read(name);
            if (seen.isPresent() != now.isPresent()) {
              return seen.isPresent() ? new ClaimChange.Gone() : new ClaimChange.Exists();
            }
            if (!seen.map(Claim::uid).equals(now.map(Claim::uid))
                || !seen.map(Claim::version).equals(now.map(Claim::version))) {
              return new ClaimChange.Conflict();
            }
            put(name, wanted);
            return read(name)
                .<ClaimChange>map(ClaimChange.Stored::new)
                .orElseGet(ClaimChange.Gone::new);
          });
    } catch (IOException e) {
      return new ClaimChange.Unknown(name + ": " + FileErrorText.of(e));
    }
  }

  private void put(String name, Optional<Claim> wanted) throws IOException {
    if (readOnly) {
      imagined.put(name, wanted.map(claim -> claim.withVersion("imagined-" + uuid())));
    } else if (wanted.isPresent()) {
      Path whole = folder.resolve("." + uuid() + ".tidemark-new");
      Files.move(
          Files.writeString(whole, print(wanted.get())),
          file(name),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
    } else {
      Files.deleteIfExists(file(name));
    }
  }

  /** The claim as it is now, which is known from now on. */
  private Optional<Claim> read(String name) throws IOException {
    Optional<Claim> now = imagined.containsKey(name) ? imagined.get(name) : onDisk(name);
    synchronized (watch) {
      if (!now.equals(latest(name))) {
        now.ifPresentOrElse(claim -> known.put(name, claim), () -> known.remove(name));
        watch.tell(to -> now.ifPresentOrElse(claim -> to.upserted(claim), () -> to.deleted(name)));
      }
    }
    return now;
  }

  private Optional<Claim> onDisk(String name) throws IOException {
    try (InputStream file = Files.newInputStream(file(name))) {
      byte[] content = file.readNBytes(LENGTH_MAX);
      String version = ManifestFile.hash(content);
      try {
        JsonNode root = ManifestDocument.MAPPER.readTree(content);
        return Optional.of(
            new Claim(
                name,
                root.at("/metadata/uid").asText(""),
                version,
                root.at("/spec/holderIdentity").asText(""),
                root.at("/metadata/annotations/tidemark.io~1node-uid").asText("")));
      } catch (JsonProcessingException e) {
        return Optional.of(new Claim(name, "", version, "", ""));
      }
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  private Path file(String name) {
    return folder.resolve(name + SUFFIX);
  }

  private static String print(Claim claim) {
    ObjectNode root = ManifestDocument.MAPPER.createObjectNode();
    root.put("apiVersion", "coordination.k8s.io/v1").put("kind", "Lease");
    ObjectNode metadata = root.putObject("metadata");
    metadata.put("name", claim.name()).put("uid", claim.uid());
    metadata.putObject("labels").put("app.kubernetes.io/managed-by", "tidemark");
    metadata.putObject("annotations").put("tidemark.io/node-uid", claim.holderUid());
    root.putObject("spec").put("holderIdentity", claim.holder());
    return ManifestDocument.printJson(List.of(root));
  }

  private String uuid() {
    return new UUID(random.nextLong(), random.nextLong()).toString();
  }

  @Override
  public Watch watch(ObjectWatcher<Claim> watcher) {
    synchronized (watch) {
      Watch begun = watch.begin(watcher);
      known.values().forEach(claim -> watch.tell(to -> to.upserted(claim)));
      return begun;
    }
  }
}
