package io.tidemark.manifests;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.file.FileErrorText;
import io.tidemark.manifests.FileReplacement.Replaced;
import io.tidemark.manifests.FileView.SeenObject;
import io.tidemark.resource.ObjectWatcher;
import io.tidemark.resource.ResourceProblem;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A write of one node that is on its way: the difference between two states of it.
 *
 * @param base the object before
 * @param pending the wanted object
 * @param fromHash hash of the only content that may be changed; empty for any
 */
record NodeWrite<T>(FolderNode<T> node, T base, T pending, Optional<String> fromHash) {
  /** The result for one node. */
  private enum Fate {
    MADE,
    /** The object is not in the file, or more than once. */
    MISSING,
    /** The object is of another version, or somebody else changed the same place. */
    CLASHED,
    /** The change touches a field that this program does not write. */
    REFUSED
  }

  private record Result(Fate fate, String path) {}

  /** The end of a replacement, and the content of the file now. */
  static final class Flushed<T> {
    private final Map<String, Result> results = new HashMap<>();
    private @Nullable Replaced replaced;
    private FileView<T> view = FileView.nothing();

    FileView<T> view() {
      return view;
    }

    Replaced replaced() {
      if (replaced == null) {
        throw new IllegalStateException("the replacement has not ended");
      }
      return replaced;
    }
  }

  /**
   * Replaces the file that the nodes share.
   *
   * @param known objects that are not parsed again
   */
  static <T> Flushed<T> replace(
      StoreContext<T> context, Path file, List<NodeWrite<T>> writes, FileView<T> known)
      throws IOException {
    Flushed<T> flushed = new Flushed<>();
    Replaced replaced =
        context.replacement.edit(file, read -> changes(context.kind, read, writes, flushed));
    flushed.replaced = replaced;
    flushed.view = FileView.of(context.kind, replaced.content(), replaced.hash(), known);
    return flushed;
  }

  private static <T> Map<String, ObjectNode> changes(
      ManifestKind<T> kind, ManifestFile read, List<NodeWrite<T>> writes, Flushed<T> flushed) {
    Map<String, ObjectNode> changes = new HashMap<>();
    Map<String, ManifestFile.Entry> index = read.index();
    for (NodeWrite<T> write : writes) {
      String name = write.node.name;
      ManifestFile.Entry entry = index.get(name);
      Result result = new Result(Fate.MADE, "");
      if (entry == null) {
        result = new Result(Fate.MISSING, "");
      } else if (write.fromHash.filter(hash -> !hash.equals(entry.hash())).isPresent()) {
        result = new Result(Fate.CLASHED, "");
      } else {
        try {
          ObjectNode wanted = write.on(kind, entry.node());
          if (!wanted.equals(entry.node())) {
            changes.put(name, wanted);
          }
        } catch (TreeMerge.Misfit e) {
          result = new Result(e.isClash() ? Fate.CLASHED : Fate.REFUSED, e.path());
        }
      }
      flushed.results.put(name, result);
    }
    return changes;
  }

  private ObjectNode on(ManifestKind<T> kind, ObjectNode current) throws TreeMerge.Misfit {
    ObjectNode before = DocumentsJson.object(kind.print(base));
    ObjectNode after = DocumentsJson.object(kind.print(pending));
    ObjectNode wanted = current;
    if (!kind.sameStatus(base, pending)) {
      wanted = TreeMerge.merge(kind.status(), before, after, wanted);
    }
    return kind.sameSpec(base, pending)
        ? wanted
        : TreeMerge.merge(kind.spec(), before, after, wanted);
  }

  /**
   * Draws the consequences of a replacement for the node; called under the lock. A pending change
   * afterwards is newer than this.
   */
  ObjectEnd<T> settle(
      StoreContext<T> context, Flushed<T> flushed, List<Consumer<ObjectWatcher<T>>> events) {
    FolderInventory<T> inventory = context.inventory;
    Optional<SeenObject<T>> seen = flushed.view().object(node.name);
    Result result = flushed.results.getOrDefault(node.name, new Result(Fate.MADE, ""));
    if (seen.isEmpty() || result.fate() == Fate.MISSING) {
      inventory.dropPending(node);
      return new ObjectEnd.Conflict<>();
    }
    if (result.fate() == Fate.MADE) {
      made(context, seen.get(), events);
      return new ObjectEnd.Stored<>(node.current().orElseThrow());
    }
    boolean answered = node.pending.isPresent();
    if (answered) {
      events.add(inventory.replaced(node, seen.get()));
    }
    if (result.fate() == Fate.CLASHED) {
      return new ObjectEnd.Conflict<>();
    }
    ResourceProblem problem =
        new ResourceProblem(
            seen.get().where(),
            result.path(),
            "belongs to the agent or the user, so this program never writes it",
            "Leave this field as it is in the change.");
    node.editProblem = Optional.of(problem);
    if (answered) {
      events.add(FolderInventory.refusal(node.name, List.of(problem)));
    }
    return StoreContext.refused(problem);
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
    return error instanceof IOException io && !(error instanceof UnreadableManifest)
        ? FileErrorText.of(io)
        : String.valueOf(error == null ? "no answer" : error.getMessage());
  }
}
