package io.tidemark.manifests;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.cluster.Backend.Environment;
import io.tidemark.cluster.Claim;
import io.tidemark.cluster.ClaimChange;
import io.tidemark.cluster.ClaimStore;
import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.file.DiskFiles;
import io.tidemark.file.FileErrorText;
import io.tidemark.file.ProgramLock.Work;
import io.tidemark.resource.CatchUp;
import io.tidemark.resource.NodeResourceStore.Watch;
import io.tidemark.resource.ObjectWatcher;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Function;

/**
 * Claims in a folder, one file for each, which reads as a {@code Lease} of the Kubernetes API. One
 * that cannot be read is a claim of nobody: its name is taken. Several processes may use the
 * folder: each request is made while no other one is. The watch polls. Thread-safe.
 */
final class DirectoryClaimStore implements ClaimStore {
  private static final String SUFFIX = ".json";
  private static final int LENGTH_MAX = 64 << 10;

  private final Path folder;
  private final Environment environment;
  private final FolderWatch<Claim> watch;

  /** Changed together with the events of {@link #watch}, under its monitor. */
  private final Map<String, Claim> known = new ConcurrentSkipListMap<>();

  /**
   * The claims of the nodes in {@code home}: in its folder {@code claims}, which is made, or in
   * that beside it when it is a file; {@code STORE_UNWRITABLE} when it cannot be made.
   */
  DirectoryClaimStore(Path home, Environment environment) {
    this.folder = Files.isDirectory(home) ? home.resolve("claims") : home.resolveSibling("claims");
    this.environment = environment;
    this.watch = new FolderWatch<>(environment, () -> list() instanceof CatchUp.Done);
    try {
      if (!environment.readOnly()) {
        Files.createDirectories(folder);
        FolderFiles.share(folder);
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
    return request(
        folder.toString(),
        CatchUp.Failed::new,
        () -> {
          Set<String> names = new TreeSet<>(known.keySet());
          for (String file :
              Files.exists(folder) ? new DiskFiles().list(folder) : List.<String>of()) {
            if (file.endsWith(SUFFIX) && !file.startsWith(".")) {
              names.add(file.substring(0, file.length() - SUFFIX.length()));
            }
          }
          for (String name : names) {
            read(name);
          }
          return new CatchUp.Done();
        });
  }

  @Override
  public Reading get(String name) {
    return request(
        name,
        Reading.Failed::new,
        () -> read(name).<Reading>map(Reading.Found::new).orElseGet(Reading.Absent::new));
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

  /** Changes what is still as it was seen, to what is wanted; empty where there is no claim. */
  private ClaimChange change(String name, Optional<Claim> seen, Optional<Claim> wanted) {
    if (environment.readOnly()) {
      return new ClaimChange.Refused(folder + " is read and not written");
    }
    return request(
        name,
        ClaimChange.Unknown::new,
        () -> {
          Optional<Claim> now = read(name);
          if (seen.isPresent() != now.isPresent()) {
            return seen.isPresent() ? new ClaimChange.Gone() : new ClaimChange.Exists();
          }
          if (!seen.map(Claim::version).equals(now.map(Claim::version))) {
            return new ClaimChange.Conflict();
          }
          if (wanted.isPresent()) {
            Path whole = folder.resolve("." + uuid() + ".tidemark-new");
            Files.writeString(whole, print(wanted.get()));
            Files.move(whole, file(name), StandardCopyOption.ATOMIC_MOVE);
          } else {
            Files.deleteIfExists(file(name));
          }
          return read(name)
              .<ClaimChange>map(ClaimChange.Stored::new)
              .orElseGet(ClaimChange.Gone::new);
        });
  }

  /** Makes a request while nobody else does. */
  private <R> R request(String what, Function<String, R> failed, Work<R> work) {
    try {
      return FolderFiles.during(folder, work);
    } catch (IOException e) {
      return failed.apply(what + ": " + FileErrorText.of(e));
    }
  }

  /** The claim as it is now, which is known from now on. */
  private Optional<Claim> read(String name) throws IOException {
    Optional<Claim> now = onDisk(name);
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
      JsonNode root = parsed(content);
      return Optional.of(
          new Claim(
              name,
              root.at("/metadata/uid").asText(""),
              ManifestFile.hash(content),
              root.at("/spec/holderIdentity").asText(""),
              root.at("/metadata/annotations/tidemark.io~1node-uid").asText("")));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  private static JsonNode parsed(byte[] content) throws IOException {
    try {
      return ManifestDocument.MAPPER.readTree(content);
    } catch (JsonProcessingException e) {
      return ManifestDocument.MAPPER.missingNode();
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
    return new UUID(environment.random().nextLong(), environment.random().nextLong()).toString();
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
