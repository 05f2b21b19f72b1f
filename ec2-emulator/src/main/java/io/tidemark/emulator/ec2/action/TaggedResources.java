package io.tidemark.emulator.ec2.action;

import io.tidemark.emulator.ec2.model.Call;
import io.tidemark.emulator.ec2.model.Resource;
import io.tidemark.emulator.ec2.model.ResourceType;
import io.tidemark.emulator.ec2.model.Table;
import io.tidemark.emulator.ec2.model.Tags;
import io.tidemark.emulator.ec2.protocol.Refusal;
import java.util.List;
import java.util.function.UnaryOperator;

/** Resources of any kind, found by what their ids look like. */
final class TaggedResources {
  private TaggedResources() {}

  /**
   * Changes the tags of these resources of the caller.
   *
   * @throws Refusal when an id is of no kind that has tags, or names nothing of the caller
   */
  static void change(Call call, List<String> ids, UnaryOperator<Tags> change) {
    for (String id : ids.stream().distinct().toList()) {
      Table<? extends Resource> table = call.region().tableOf(id).orElseThrow(() -> unknown(id));
      change(call, table, id, change);
    }
  }

  private static Refusal unknown(String id) {
    return ResourceType.ofId(id)
        .map(type -> type.notFound(id))
        .orElseGet(() -> Refusal.of("InvalidID", "The ID '" + id + "' is not valid"));
  }

  /** A resource with other tags is of the same kind: every {@code withTags} returns its own. */
  @SuppressWarnings("unchecked")
  private static <T extends Resource> void change(
      Call call, Table<T> table, String id, UnaryOperator<Tags> change) {
    T resource = call.needOwn(table, id);
    table.put((T) resource.withTags(change.apply(resource.tags())));
  }
}
