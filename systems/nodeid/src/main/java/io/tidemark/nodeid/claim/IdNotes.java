package io.tidemark.nodeid.claim;

import io.tidemark.nodeid.NodeId;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A leader's notes for the next one: which ids were claimed once.
 *
 * @param frontier the lowest id that may never have been claimed
 * @param released ids without a claim that were claimed once, the one released longest ago first
 */
public record IdNotes(long frontier, List<NodeId> released) {
  public static final IdNotes NONE = new IdNotes(1, List.of());

  private static final String FRONTIER = "node-id-frontier";
  private static final String RELEASED = "node-id-released";

  /** Of more than these the oldest are left out; they count as released before all others. */
  private static final int RELEASED_MAX = 512;

  public IdNotes {
    int from = Math.max(0, released.size() - RELEASED_MAX);
    released = List.copyOf(released.subList(from, released.size()));
  }

  /** Reads texts by name; what cannot be read counts as not known. */
  public static IdNotes read(Map<String, String> notes) {
    try {
      String frontier = notes.getOrDefault(FRONTIER, "1");
      String released = notes.getOrDefault(RELEASED, "");
      List<NodeId> ids =
          released.isEmpty()
              ? List.of()
              : Arrays.stream(released.split(" ", -1)).map(NodeId::parse).distinct().toList();
      return new IdNotes(NodeId.parse(frontier).number(), ids);
    } catch (IllegalArgumentException e) {
      return NONE;
    }
  }

  public Map<String, String> write() {
    return Map.of(
        FRONTIER,
        Long.toString(Math.min(frontier, NodeId.MAX)),
        RELEASED,
        released.stream().map(NodeId::toString).collect(Collectors.joining(" ")));
  }
}
