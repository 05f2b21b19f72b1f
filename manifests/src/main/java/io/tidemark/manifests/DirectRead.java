package io.tidemark.manifests;

import io.tidemark.error.CoreError;
import io.tidemark.manifests.HomeScan.Found;
import io.tidemark.manifests.HomeScan.Known;
import io.tidemark.resource.StoreResult;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A read of one object as its file says it now, made in the calling thread. What is written behind,
 * or being written, is answered from what is known.
 */
final class DirectRead {
  private final StoreContext context;
  private final HomePoller poller;

  DirectRead(StoreContext context, HomePoller poller) {
    this.context = context;
    this.poller = poller;
  }

  /** The object of a home that was looked at. Blocks on the file system. */
  StoreResult get(String name) {
    Path file;
    Known known;
    synchronized (context.lock) {
      Optional<NodeState> node = context.inventory.node(name);
      if (node.isEmpty()) {
        return new StoreResult.NotFound();
      }
      Optional<StoreResult> answer = answerWithoutReading(node.get());
      if (answer.isPresent()) {
        return answer.get();
      }
      file = node.get().file.orElseThrow();
      known = context.inventory.file(file).orElseThrow().known();
    }
    Known anew = new Known(known.stamp(), known.view(), true, known.changes());
    Optional<Found> found = context.reader.look(file, Optional.of(anew));
    StoreResult result;
    synchronized (context.lock) {
      result = learn(name, file, known, found);
    }
    context.deliver();
    return result;
  }

  /** A node that is pending, refused or being written is not read. */
  private Optional<StoreResult> answerWithoutReading(NodeState node) {
    if (!node.problems.isEmpty()) {
      return Optional.of(context.refusal(node));
    }
    boolean busy = node.file.flatMap(context.inventory::file).map(each -> each.busy).orElse(true);
    return node.pending.isPresent() || busy
        ? node.current().map(StoreResult.Stored::new)
        : Optional.empty();
  }

  private StoreResult learn(String name, Path file, Known known, Optional<Found> found) {
    Optional<FileState> state = context.inventory.file(file);
    boolean stale = state.map(each -> each.busy || each.changes != known.changes()).orElse(true);
    boolean same =
        found.isPresent()
            && state.map(each -> each.view.hash().equals(found.get().view().hash())).orElse(false);
    if (!stale && !same && found.isPresent() && mayBeHalfWritten(file, found.get())) {
      poller.nudge();
      return StoreContext.failed(
          CoreError.RESOURCE_UNREADABLE, file + " may be half-written; it is read again");
    }
    if (!stale && !same && found.isPresent() && isReadable(found.get().view(), state)) {
      context.queue(context.inventory.take(file, found.get().stamp(), found.get().view()));
    } else if (!stale && !same) {
      poller.nudge();
      String detail = file + " cannot be read, or is being written";
      return found.isEmpty()
          ? new StoreResult.NotFound()
          : StoreContext.failed(CoreError.RESOURCE_UNREADABLE, detail);
    }
    Optional<NodeState> node = context.inventory.node(name);
    if (node.isEmpty()) {
      return new StoreResult.NotFound();
    }
    return node.get().problems.isEmpty()
        ? node.get().current().<StoreResult>map(StoreResult.Stored::new).orElseThrow()
        : context.refusal(node.get());
  }

  private boolean mayBeHalfWritten(Path file, Found found) {
    return !context.options.readOnly()
        && context.inventory.mustWait(file, found, Moment.now(context.scheduler.time()));
  }

  /** Whether nothing is wrong in the file that was not wrong before. */
  private static boolean isReadable(FileView view, Optional<FileState> state) {
    return view.isWhole()
        || state.map(each -> each.view.troubles()).equals(Optional.of(view.troubles()));
  }
}
