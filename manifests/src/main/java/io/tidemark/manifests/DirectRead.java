package io.tidemark.manifests;

import io.tidemark.error.CoreError;
import io.tidemark.manifests.FolderReader.Found;
import io.tidemark.manifests.FolderReader.Known;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A read of one object as its file says it now, made in the calling thread. What is written behind,
 * or being written, is answered from what is known.
 */
final class DirectRead<T> {
  private final StoreContext<T> context;
  private final FolderPoller<T> poller;

  DirectRead(StoreContext<T> context, FolderPoller<T> poller) {
    this.context = context;
    this.poller = poller;
  }

  /** The object in a folder that was looked at. Blocks on the file system. */
  ObjectEnd<T> get(String name) {
    Path file;
    Known<T> known;
    synchronized (context.lock) {
      Optional<FolderNode<T>> node = context.inventory.node(name);
      Optional<FileState<T>> state =
          node.flatMap(each -> each.file).flatMap(context.inventory::file);
      if (node.isEmpty()
          || !node.get().problems.isEmpty()
          || node.get().pending.isPresent()
          || state.map(each -> each.busy).orElse(true)) {
        return answer(name);
      }
      file = node.get().file.orElseThrow();
      known = state.get().known(true);
    }
    Optional<Found<T>> found = context.reader.look(file, known);
    ObjectEnd<T> result;
    synchronized (context.lock) {
      FileState<T> state = context.inventory.file(file).orElse(null);
      boolean fresh = state != null && !state.busy && state.changes == known.changes();
      ObjectEnd<T> refusal = fresh && state != null ? learn(file, state, found) : null;
      if (refusal != null) {
        poller.nudge();
      }
      result = refusal == null ? answer(name) : refusal;
    }
    context.deliver();
    return result;
  }

  private ObjectEnd<T> answer(String name) {
    Optional<FolderNode<T>> node = context.inventory.node(name);
    if (node.isPresent() && !node.get().problems.isEmpty()) {
      return StoreContext.refused(node.get().problems.get(0));
    }
    return node.flatMap(FolderNode::current)
        .<ObjectEnd<T>>map(ObjectEnd.Stored::new)
        .orElseGet(ObjectEnd.NotFound::new);
  }

  /** Takes in what was found; answers why it is not, or null. */
  private @Nullable ObjectEnd<T> learn(Path file, FileState<T> state, Optional<Found<T>> found) {
    if (found.isEmpty()) {
      return new ObjectEnd.NotFound<>();
    }
    FileView<T> view = found.get().view();
    if (view.hash().equals(state.view.hash())) {
      return null;
    }
    if (view.unreadable().isPresent()) {
      return StoreContext.failed(
          CoreError.RESOURCE_UNREADABLE, file + " cannot be read, or is being written");
    }
    context.queue(context.inventory.take(file, found.get().stamp(), view));
    return null;
  }
}
