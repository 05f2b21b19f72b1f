package io.tidemark.manifests;

import io.tidemark.error.CoreError;
import io.tidemark.manifests.FileReplacement.Replaced;
import io.tidemark.manifests.FileView.SeenObject;
import io.tidemark.manifests.ObjectEdit.Result;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceJson;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.resource.StoreResult;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A write to a file that holds one object: made in the calling thread, and answered when it is
 * durable. The file is marked busy meanwhile, so that a look under way is not believed.
 */
final class DirectWrite {
  private final StoreContext context;
  private final HomePoller poller;

  DirectWrite(StoreContext context, HomePoller poller) {
    this.context = context;
    this.poller = poller;
  }

  /**
   * Writes one half of an object.
   *
   * @param hash of the object's characters that the change was made for; others are a conflict
   */
  StoreResult write(
      Path file, String hash, OwnedPaths half, NodeResource original, NodeResource changed) {
    String name = changed.name();
    Replaced replaced;
    FileView view;
    try {
      ObjectEdit edit =
          ObjectEdit.of(
              name, half, NodeResourceJson.print(original), NodeResourceJson.print(changed));
      replaced =
          context.replacement.edit(
              file,
              file.toString(),
              read -> isAsKnown(read, name, hash) ? List.of(edit) : List.of());
      view = FileView.of(replaced.file(), replaced.hash(), FileView.nothing());
    } catch (IOException | MalformedText | RuntimeException e) {
      return failed(file, e);
    }
    StoreResult result;
    synchronized (context.lock) {
      context.inventory.file(file).ifPresent(FileState::endWrite);
      result = settle(file, name, replaced, view);
    }
    context.deliver();
    return result;
  }

  private static boolean isAsKnown(ManifestFile file, String name, String hash) {
    OptionalInt index = file.indexOf(name);
    return index.isPresent()
        && ManifestBytes.hash(file.objects().get(index.getAsInt()).text()).equals(hash);
  }

  private StoreResult settle(Path file, String name, Replaced replaced, FileView view) {
    Result result = replaced.results().get(name);
    Optional<NodeState> node = context.inventory.node(name);
    Optional<SeenObject> seen =
        view.objects().stream().filter(each -> each.name().equals(name)).findFirst();
    if (result == null || node.isEmpty() || seen.isEmpty()) {
      poller.nudge();
      return new StoreResult.Conflict();
    }
    if (result instanceof Result.Made) {
      NodeResource written = context.inventory.wrote(node.get(), seen.get());
      List<StoreEvent> events =
          new ArrayList<>(context.inventory.take(file, replaced.stamp(), view));
      context.queue(events);
      return new StoreResult.Stored(written);
    }
    if (result instanceof Result.Refused refused) {
      ResourceProblem problem =
          new ResourceProblem(refused.where(), refused.path(), refused.problem(), refused.remedy());
      node.get().editProblem = Optional.of(problem);
      return StoreContext.failed(CoreError.RESOURCE_REFUSED, problem);
    }
    return new StoreResult.Conflict();
  }

  private StoreResult failed(Path file, Exception e) {
    synchronized (context.lock) {
      Optional<FileState> state = context.inventory.file(file);
      state.ifPresent(FileState::endWrite);
      poller.nudge();
      if (e instanceof NoSuchFileException) {
        return new StoreResult.NotFound();
      }
      if (e instanceof MalformedText malformed) {
        String detail = file + ": " + malformed.problem();
        return StoreContext.failed(CoreError.RESOURCE_UNREADABLE, detail);
      }
      String words = e instanceof IOException io ? Words.of(io) : String.valueOf(e);
      String remedy = "Check permissions and free space; it is tried again by itself.";
      ResourceProblem problem =
          new ResourceProblem(file.toString(), "", "cannot be replaced: " + words, remedy);
      state.ifPresent(each -> each.unwritable = Optional.of(problem));
      return StoreContext.failed(CoreError.STORE_UNWRITABLE, file + ": " + words);
    }
  }
}
