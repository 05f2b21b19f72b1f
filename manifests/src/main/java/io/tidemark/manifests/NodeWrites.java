package io.tidemark.manifests;

import io.tidemark.error.CoreError;
import io.tidemark.manifests.NodeWrite.Flushed;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceJson;
import io.tidemark.resource.NodeResourceStore.Watcher;
import io.tidemark.resource.StoreResult;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Writes of nodes: to a file of one object in the calling thread, answered when it is durable; to
 * others behind. A file is busy while it is written, so that a look under way is not believed.
 */
final class NodeWrites {
  private final StoreContext context;
  private final FolderPoller poller;
  private final WriteBehind behind;

  NodeWrites(StoreContext context, FolderPoller poller, WriteBehind behind) {
    this.context = context;
    this.poller = poller;
    this.behind = behind;
  }

  /** Makes a file for a node that has none; why not, or empty. Blocks on the file system. */
  Optional<StoreResult> create(NodeResource resource) {
    String refusal =
        context.options.readOnly()
            ? context.folder + " is read and not written"
            : context.reader.isDirectory() ? "" : context.folder + " is a file, not a directory";
    synchronized (context.lock) {
      if (behind.ended()) {
        refusal = "the store of " + context.folder + " is closed";
      }
    }
    if (!refusal.isEmpty()) {
      return Optional.of(new StoreResult.Refused(refusal));
    }
    NodeResource bare = resource.withStatusOf(NodeResource.named(resource.name()));
    Path file = context.folder.resolve(resource.name() + ".json");
    try {
      context.replacement.create(file, NodeResourceJson.printPretty(bare) + "\n");
      return Optional.empty();
    } catch (FileAlreadyExistsException e) {
      return Optional.of(new StoreResult.Refused(file + " is there, without that node"));
    } catch (IOException e) {
      return Optional.of(failed(file, e));
    }
  }

  /** Changes the node {@code original}; blocks on the file system when it has a file of its own. */
  StoreResult write(NodeResource original, UnaryOperator<NodeResource> change) {
    Path file;
    NodeWrite write;
    String hash;
    synchronized (context.lock) {
      Optional<FolderNode> found = context.inventory.node(original.name());
      if (behind.ended()) {
        return StoreContext.failed(
            CoreError.STOPPED, "the store of " + context.folder + " is closed");
      }
      if (found.isEmpty()) {
        return new StoreResult.NotFound();
      }
      FolderNode node = found.get();
      if (!node.problems.isEmpty()) {
        return StoreContext.refused(node.problems.get(0));
      }
      NodeResource current = node.current().orElseThrow();
      if (!current.resourceVersion().equals(original.resourceVersion())) {
        return new StoreResult.Conflict();
      }
      hash = node.diskHash;
      String version = context.inventory.nextVersion(hash + "+");
      write = new NodeWrite(node, current, change.apply(current).withResourceVersion(version));
      file = node.file.orElseThrow();
      FileState state = context.inventory.file(file).orElseThrow();
      if (context.options.readOnly()
          || state.view.objects().size() > 1
          || node.pending.isPresent()) {
        return later(file, write);
      }
      if (state.busy) {
        return new StoreResult.Conflict();
      }
      state.write(true);
    }
    return now(file, write, hash);
  }

  /** Remembers a write that is made later, or never when nothing may touch the disk. */
  private StoreResult later(Path file, NodeWrite write) {
    FolderNode node = write.node();
    if (node.pending.isEmpty()) {
      node.base = Optional.of(write.base());
    }
    node.pending = Optional.of(write.pending());
    if (!context.options.readOnly()) {
      behind.add(file, node);
    }
    return new StoreResult.Stored(write.pending());
  }

  /** Writes at once, unless the object has other characters than {@code hash} tells. */
  private StoreResult now(Path file, NodeWrite write, String hash) {
    String name = write.node().name;
    @Nullable Flushed flushed = null;
    @Nullable Exception error = null;
    try {
      flushed =
          NodeWrite.replace(
              context, file, List.of(write), FileView.NOTHING, read -> hasObject(read, name, hash));
    } catch (IOException | TextFault | RuntimeException e) {
      error = e;
    }
    StoreResult result;
    synchronized (context.lock) {
      context.inventory.file(file).ifPresent(state -> state.write(false));
      if (flushed == null) {
        result = failed(file, Objects.requireNonNull(error));
      } else if (!flushed.fitted()) {
        result = new StoreResult.Conflict();
      } else {
        List<Consumer<Watcher>> events = new ArrayList<>();
        result = write.settle(context.inventory, flushed, events);
        if (result instanceof StoreResult.Stored) {
          FileView view = flushed.view();
          events.addAll(context.inventory.take(file, flushed.replaced().stamp(), view));
        }
        context.queue(events);
      }
      if (!(result instanceof StoreResult.Stored)) {
        poller.nudge();
      }
    }
    context.deliver();
    return result;
  }

  private static boolean hasObject(ManifestFile file, String name, String hash) {
    int index = file.index().getOrDefault(name, -1);
    return index >= 0 && ManifestBytes.hash(file.objects().get(index).text()).equals(hash);
  }

  private StoreResult failed(Path file, Exception error) {
    if (error instanceof NoSuchFileException) {
      return new StoreResult.NotFound();
    }
    if (error instanceof TextFault) {
      return StoreContext.failed(
          CoreError.RESOURCE_UNREADABLE, file + ": " + NodeWrite.words(error));
    }
    NodeWrite.unwritable(context, file, error);
    return StoreContext.failed(CoreError.STORE_UNWRITABLE, file + ": " + NodeWrite.words(error));
  }
}
