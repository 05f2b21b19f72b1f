package io.tidemark.manifests;

import io.tidemark.cluster.NodeBackend;
import io.tidemark.error.IpamException;
import io.tidemark.file.FilePort;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceJson;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.StoreResult;
import io.tidemark.time.EffectRunner;
import io.tidemark.time.TaskScheduler;
import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;

/** Node resources in a directory of manifests, or in a single file; see {@link ManifestStore}. */
public final class DirectoryNodeResourceStore extends ManifestStore<NodeResource>
    implements NodeResourceStore, NodeBackend {
  /**
   * Opens a directory or a file and locks it, unless it is read-only. Blocks on the file system.
   * Throws {@link IpamException} with {@code STORE_UNREADABLE} when it does not exist, {@code
   * STORE_IN_USE} when another process uses it (the message has its id), {@code STORE_UNWRITABLE}
   * when the lock cannot be made.
   *
   * @param home a directory or a file
   * @param scheduler schedules scans
   * @param effects runs scans
   */
  public DirectoryNodeResourceStore(
      Path home,
      FolderAccess access,
      TaskScheduler scheduler,
      EffectRunner effects,
      FilePort files) {
    super(ManifestKind.CILIUM_NODE, home, access, scheduler, effects, files);
  }

  @Override
  public NodeResourceStore store() {
    return this;
  }

  @Override
  public List<String> names() {
    return all().stream().map(NodeResource::name).toList();
  }

  @Override
  public StoreResult get(String name) {
    return result(read(name));
  }

  /**
   * As a file of its own, {@code NAME.json}, which must not be there yet. Another program that
   * makes a file of that name at the same moment may lose it.
   */
  @Override
  public StoreResult create(NodeResource resource) {
    ObjectEnd<NodeResource> known = read(resource.name());
    if (known.kind() == ObjectEnd.Kind.NOT_FOUND) {
      NodeResource bare = resource.withStatusOf(NodeResource.named(resource.name()));
      return result(make(resource.name(), NodeResourceJson.printPretty(bare)));
    }
    return known.kind() == ObjectEnd.Kind.STORED ? new StoreResult.Conflict() : result(known);
  }

  @Override
  public StoreResult update(NodeResource original, NodeResource changed) {
    return original.sameSpec(changed)
        ? new StoreResult.Unchanged()
        : change(original, current -> current.withSpecOf(changed));
  }

  @Override
  public StoreResult updateStatus(NodeResource original, NodeResource changed) {
    return original.sameStatus(changed)
        ? new StoreResult.Unchanged()
        : change(original, current -> current.withStatusOf(changed));
  }

  private StoreResult change(NodeResource original, UnaryOperator<NodeResource> change) {
    return result(write(original.name(), original.resourceVersion(), change));
  }

  @Override
  public Watch watch(Watcher watcher) {
    return begin(watcher);
  }

  private static StoreResult result(ObjectEnd<NodeResource> end) {
    return end.match(
        StoreResult.Stored::new,
        kind ->
            switch (kind) {
              case CONFLICT -> new StoreResult.Conflict();
              case NOT_FOUND -> new StoreResult.NotFound();
              case REFUSED -> new StoreResult.Refused(end.detail());
              case STORED, FAULTY, FAILED -> new StoreResult.Failed(end.detail());
            });
  }
}
