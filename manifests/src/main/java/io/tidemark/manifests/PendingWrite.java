package io.tidemark.manifests;

import io.tidemark.manifests.FileView.SeenObject;
import io.tidemark.manifests.ObjectEdit.Result;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceJson;
import io.tidemark.resource.ResourceProblem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A node's write that is on its way to its file.
 *
 * @param base what the object said before it
 * @param pending what it shall say
 */
record PendingWrite(NodeState node, NodeResource base, NodeResource pending) {
  /** What is to be changed in the file. */
  List<ObjectEdit> edits() {
    String before = NodeResourceJson.print(base);
    String after = NodeResourceJson.print(pending);
    List<ObjectEdit> edits = new ArrayList<>();
    if (!base.sameStatus(pending)) {
      edits.add(ObjectEdit.of(node.name, OwnedPaths.STATUS, before, after));
    }
    if (!base.sameSpec(pending)) {
      edits.add(ObjectEdit.of(node.name, OwnedPaths.SPEC, before, after));
    }
    return edits;
  }

  /**
   * Draws the consequences of a replacement, made or refused; called under the lock.
   *
   * @param view what the file says now
   * @param events receives what the watcher must be told
   * @return whether something newer is to be written already
   */
  boolean settle(
      Inventory inventory, Map<String, Result> results, FileView view, List<StoreEvent> events) {
    Result result = results.getOrDefault(node.name, new Result.Made());
    Optional<SeenObject> seen =
        view.objects().stream()
            .filter(each -> each.name().equals(node.name))
            .reduce((one, other) -> one);
    if (result instanceof Result.Missing || seen.isEmpty()) {
      inventory.dropPending(node);
    } else if (result instanceof Result.Made) {
      return made(inventory, seen.get(), events);
    } else {
      events.add(inventory.replaced(node, seen.get()));
      if (result instanceof Result.Refused refused) {
        ResourceProblem problem =
            new ResourceProblem(
                refused.where(), refused.path(), refused.problem(), refused.remedy());
        node.editProblem = Optional.of(problem);
        events.add(new StoreEvent.Refused(node.name, List.of(problem)));
      }
    }
    return false;
  }

  private boolean made(Inventory inventory, SeenObject seen, List<StoreEvent> events) {
    boolean asWanted =
        seen.parsed()
            .match(each -> each.sameSpec(pending) && each.sameStatus(pending), invalid -> false);
    boolean newer = node.pending.isPresent() && node.pending.get() != pending;
    if (newer) {
      node.base = Optional.of(pending);
      node.diskHash = seen.hash();
    } else if (asWanted) {
      node.disk = Optional.of(pending);
      node.diskHash = seen.hash();
      node.pending = Optional.empty();
      node.base = Optional.empty();
      node.editProblem = Optional.empty();
    } else {
      events.add(inventory.replaced(node, seen));
    }
    return newer;
  }
}
