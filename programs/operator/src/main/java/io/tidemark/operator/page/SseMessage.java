package io.tidemark.operator.page;

import io.tidemark.operator.report.NodeRow;
import io.tidemark.operator.report.PageJson;
import java.util.List;

/**
 * One message of an event stream, in pieces of at most {@link #ROWS} nodes: {@code snapshot} with
 * all nodes or {@code change} with those that changed. Each node is read when its piece is made.
 * Used by one thread at a time.
 */
final class SseMessage {
  static final int ROWS = 256;

  private final PageSource source;
  private final String event;
  private final String id;
  private final long version;
  private final String facts;
  private final List<String> names;
  private int next;

  private SseMessage(
      PageSource source, String event, String id, long version, String facts, List<String> names) {
    this.source = source;
    this.event = event;
    this.id = id;
    this.version = version;
    this.facts = facts;
    this.names = names;
  }

  static SseMessage snapshot(PageSource source, String id, long version) {
    List<String> names = source.nodes().stream().map(NodeRow::name).toList();
    return new SseMessage(source, "snapshot", id, version, source.facts(), names);
  }

  /**
   * Of some nodes.
   *
   * @param facts {@code null} when they did not change
   */
  static SseMessage change(
      PageSource source, String id, long version, String facts, List<String> names) {
    return new SseMessage(source, "change", id, version, facts, names);
  }

  /** The version of a client that took all of it. */
  long version() {
    return version;
  }

  boolean isOver() {
    return next > names.size();
  }

  String piece() {
    StringBuilder text = new StringBuilder();
    if (next == 0) {
      text.append("event: ").append(event).append("\ndata: {\"facts\":").append(facts);
      text.append(",\"nodes\":[\n");
    }
    int end = Math.min(names.size(), next + ROWS);
    for (; next < end; next++) {
      text.append("data: ").append(next == 0 ? "" : ",").append(row(names.get(next))).append('\n');
    }
    if (next == names.size()) {
      text.append("data: ]}\nid: ").append(id).append("\n\n");
      next++;
    }
    return text.toString();
  }

  private String row(String name) {
    return source.node(name).map(PageJson::node).orElseGet(() -> PageJson.gone(name));
  }
}
