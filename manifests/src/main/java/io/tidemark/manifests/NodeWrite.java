package io.tidemark.manifests;

import io.tidemark.file.FileErrorText;
import io.tidemark.manifests.FileReplacement.Replaced;
import io.tidemark.manifests.FileView.SeenObject;
import io.tidemark.manifests.ObjectEdit.Result;
import io.tidemark.resource.ObjectWatcher;
import io.tidemark.resource.ResourceProblem;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A write of one node that is on its way: the difference between two states of it.
 *
 * @param base what the object said before
 * @param pending what it shall say
 */
record NodeWrite<T>(FolderNode<T> node, T base, T pending) {
  /**
   * How a replacement ended, and what the file says now.
   *
   * @param fitted whether what was read might be changed; else nothing was
   */
  record Flushed<T>(Replaced replaced, FileView<T> view, boolean fitted) {}

  /**
   * Replaces the file that the nodes share.
   *
   * @param known objects that are not parsed again
   * @param fits whether what was read may be changed
   */
  static <T> Flushed<T> replace(
      StoreContext<T> context,
      Path file,
      List<NodeWrite<T>> writes,
      FileView<T> known,
      Predicate<ManifestFile> fits)
      throws IOException, TextFault {
    List<ObjectEdit> edits =
        writes.stream().flatMap(each -> each.edits(context.kind).stream()).toList();
    Replaced replaced = context.replacement.edit(file, read -> fits.test(read) ? edits : List.of());
    boolean fitted = edits.isEmpty() || !replaced.results().isEmpty();
    FileView<T> view = FileView.of(context.kind, replaced.file(), replaced.hash(), known);
    return new Flushed<>(replaced, view, fitted);
  }

  private List<ObjectEdit> edits(ManifestKind<T> kind) {
    String before = kind.print(base);
    String after = kind.print(pending);
    List<ObjectEdit> edits = new ArrayList<>();
    if (!kind.sameStatus(base, pending)) {
      edits.add(ObjectEdit.of(node.name, kind.status(), before, after));
    }
    if (!kind.sameSpec(base, pending)) {
      edits.add(ObjectEdit.of(node.name, kind.spec(), before, after));
    }
    return edits;
  }

  /**
   * Draws the consequences of a replacement for the node; called under the lock. What is pending
   * afterwards is newer than this.
   */
  ObjectEnd<T> settle(
      StoreContext<T> context, Flushed<T> flushed, List<Consumer<ObjectWatcher<T>>> events) {
    FolderInventory<T> inventory = context.inventory;
    Optional<SeenObject<T>> seen = flushed.view().object(node.name);
    Result result = flushed.replaced().results().getOrDefault(node.name, new Result.Made());
    if (seen.isEmpty() || result instanceof Result.Missing) {
      inventory.dropPending(node);
      return new ObjectEnd.Conflict<>();
    }
    if (result instanceof Result.Made) {
      made(context, seen.get(), events);
      return new ObjectEnd.Stored<>(node.current().orElseThrow());
    }
    boolean answered = node.pending.isPresent();
    if (answered) {
      events.add(inventory.replaced(node, seen.get()));
    }
    if (result instanceof Result.Refused refused) {
      node.editProblem = Optional.of(refused.problem());
      if (answered) {
        events.add(FolderInventory.refusal(node.name, List.of(refused.problem())));
      }
      return StoreContext.refused(refused.problem());
    }
    return new ObjectEnd.Conflict<>();
  }

  private void made(
      StoreContext<T> context, SeenObject<T> seen, List<Consumer<ObjectWatcher<T>>> events) {
    ManifestKind<T> kind = context.kind;
    boolean asWanted =
        seen.parsed()
            .match(
                each -> kind.sameSpec(each, pending) && kind.sameStatus(each, pending),
                invalid -> false);
    if (node.pending.isPresent() && node.pending.get() != pending) {
      node.base = Optional.of(pending);
      node.diskHash = seen.hash();
    } else if (asWanted) {
      node.settle(pending, seen.hash());
    } else {
      events.add(context.inventory.replaced(node, seen));
    }
  }

  /** The file could not be replaced; called under the lock. */
  static void unwritable(StoreContext<?> context, Path file, @Nullable Throwable error) {
    ResourceProblem problem =
        new ResourceProblem(
            file.toString(),
            "",
            "cannot be replaced: " + words(error),
            "Check permissions and free space; writes are retried automatically.");
    context.inventory.file(file).ifPresent(state -> state.unwritable = Optional.of(problem));
  }

  static String words(@Nullable Throwable error) {
    if (error instanceof IOException io) {
      return FileErrorText.of(io);
    }
    return String.valueOf(error == null ? "no answer" : error.getMessage());
  }
}
