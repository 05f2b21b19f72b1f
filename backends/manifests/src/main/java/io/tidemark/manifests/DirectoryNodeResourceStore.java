package io.tidemark.manifests;

import io.tidemark.cluster.NodeBackend;
import io.tidemark.file.FilePort;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceJson;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.StoreResult;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Node resources in a directory of manifests, or in a single file; see {@link ManifestStore}. */
final class DirectoryNodeResourceStore extends ManifestStore<NodeResource>
    implements NodeResourceStore, NodeBackend {
  DirectoryNodeResourceStore(Path home, String role, Environment environment, FilePort files) {
    super(ManifestKind.CILIUM_NODE, home, role, environment, files);
  }

  @Override
  public NodeResourceStore store() {
    return this;
  }

  @Override
  public StoreResult get(String name) {
    return result(read(name));
  }

  /** As a file of its own, {@code NAME.json}, which must not be there yet. */
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
    String version = original.resourceVersion();
    Optional<StoreResult> conflict = Optional.of(new StoreResult.Conflict());
    return write(
        original.name(),
        false,
        now -> now.resourceVersion().equals(version) ? Optional.empty() : conflict,
        change,
        DirectoryNodeResourceStore::result);
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
