package io.tidemark.operator.wiring;

import io.tidemark.manifests.DirectoryNodeResourceStore;
import io.tidemark.manifests.DirectoryOptions;
import io.tidemark.manifests.FlushReport;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.resource.ResourceProblem;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;

/** Node resources in the files of a directory, or in one file. */
public final class DirectoryHome implements NodeHome {
  private final DirectoryNodeResourceStore store;

  private DirectoryHome(DirectoryNodeResourceStore store) {
    this.store = Objects.requireNonNull(store, "store");
  }

  /** Opens the directory or file. */
  public static NodeHome.Opener opener(Path path) {
    return (scheduler, effects, readOnly) -> {
      DirectoryOptions options =
          readOnly ? DirectoryOptions.DEFAULT.withoutWriting() : DirectoryOptions.DEFAULT;
      return new DirectoryHome(DirectoryNodeResourceStore.open(path, options, scheduler, effects));
    };
  }

  @Override
  public NodeResourceStore store() {
    return store;
  }

  @Override
  public List<ResourceProblem> refused() {
    return store.refused();
  }

  @Override
  public CompletionStage<?> flush() {
    return store.flush();
  }

  @Override
  public List<String> shutDown() {
    FlushReport report = store.shutDown();
    return Stream.concat(
            report.unwritten().stream()
                .map(node -> "the last write of node " + node + " is missing"),
            report.unknown().stream().map(node -> "the last write of node " + node))
        .toList();
  }

  @Override
  public void close() {
    store.close();
  }
}
