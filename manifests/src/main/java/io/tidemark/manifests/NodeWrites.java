package io.tidemark.manifests;

import io.tidemark.error.CoreError;
import io.tidemark.manifests.NodeWrite.Flushed;
import io.tidemark.resource.ObjectWatcher;
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
final class NodeWrites<T> {
  private final StoreContext<T> context;
  private final FolderPoller<T> poller;
  private final WriteBehind<T> behind;

  NodeWrites(StoreContext<T> context, FolderPoller<T> poller, WriteBehind<T> behind) {
    this.context = context;
    this.poller = poller;
    this.behind = behind;
  }

  /**
   * Makes a file for an object that has none; why not, or empty. Blocks on the file system.
   *
   * @param json the object
   */
  Optional<ObjectEnd<T>> create(String name, String json) {
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
      return Optional.of(new ObjectEnd.Refused<>(refusal));
    }
    Path file = context.folder.resolve(name + ".json");
    try {
      context.replacement.create(file, json + "\n");
      return Optional.empty();
    } catch (FileAlreadyExistsException e) {
      return Optional.of(new ObjectEnd.Refused<>(file + " is there, without that node"));
    } catch (IOException e) {
      return Optional.of(failed(file, e));
    }
  }

  /**
   * Changes an object, unless it has another version by now; blocks on the file system when it has
   * a file of its own.
   */
  ObjectEnd<T> write(String name, String expected, UnaryOperator<T> change) {
    Path file;
    NodeWrite<T> write;
    synchronized (context.lock) {
      Optional<FolderNode<T>> found = context.inventory.node(name);
      if (behind.ended()) {
        return StoreContext.failed(
            CoreError.STOPPED, "the store of " + context.folder + " is closed");
      }
      if (found.isEmpty()) {
        return new ObjectEnd.NotFound<>();
      }
      FolderNode<T> node = found.get();
      if (!node.problems.isEmpty()) {
        return StoreContext.refused(node.problems.get(0));
      }
      T current = node.current().orElseThrow();
      if (!context.kind.version(current).equals(expected)) {
        return new ObjectEnd.Conflict<>();
      }
      String version = context.inventory.nextVersion(node.diskHash + "+");
      T changed = context.kind.withVersion(change.apply(current), version);
      write = new NodeWrite<>(node, current, changed, Optional.of(node.diskHash));
      file = node.file.orElseThrow();
      FileState<T> state = context.inventory.file(file).orElseThrow();
      if (context.options.readOnly()
          || state.view.objects().size() > 1
          || node.pending.isPresent()) {
        return later(file, write);
      }
      if (state.busy) {
        return new ObjectEnd.Conflict<>();
      }
      state.write(true);
    }
    return now(file, write);
  }

  /** Remembers a write that is made later, or never when nothing may touch the disk. */
  private ObjectEnd<T> later(Path file, NodeWrite<T> write) {
    FolderNode<T> node = write.node();
    if (node.pending.isEmpty()) {
      node.base = Optional.of(write.base());
    }
    node.pending = Optional.of(write.pending());
    if (!context.options.readOnly()) {
      behind.add(file, node);
    }
    return new ObjectEnd.Stored<>(write.pending());
  }

  /** Writes at once, unless the object in the file has changed. */
  private ObjectEnd<T> now(Path file, NodeWrite<T> write) {
    @Nullable Flushed<T> flushed = null;
    @Nullable Exception error = null;
    try {
      flushed = NodeWrite.replace(context, file, List.of(write), FileView.nothing());
    } catch (IOException | RuntimeException e) {
      error = e;
    }
    ObjectEnd<T> result;
    synchronized (context.lock) {
      context.inventory.file(file).ifPresent(state -> state.write(false));
      if (flushed == null) {
        result = failed(file, Objects.requireNonNull(error));
      } else {
        List<Consumer<ObjectWatcher<T>>> events = new ArrayList<>();
        result = write.settle(context, flushed, events);
        if (result instanceof ObjectEnd.Stored<T>) {
          events.addAll(context.inventory.take(file, flushed.replaced().stamp(), flushed.view()));
        }
        context.queue(events);
      }
      if (!(result instanceof ObjectEnd.Stored<T>)) {
        poller.nudge();
      }
    }
    context.deliver();
    return result;
  }

  private ObjectEnd<T> failed(Path file, Exception error) {
    if (error instanceof NoSuchFileException) {
      return new ObjectEnd.NotFound<>();
    }
    if (error instanceof UnreadableManifest) {
      return StoreContext.failed(
          CoreError.RESOURCE_UNREADABLE, file + ": " + NodeWrite.words(error));
    }
    NodeWrite.unwritable(context, file, error);
    return StoreContext.failed(CoreError.STORE_UNWRITABLE, file + ": " + NodeWrite.words(error));
  }
}
