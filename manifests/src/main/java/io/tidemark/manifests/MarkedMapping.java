package io.tidemark.manifests;

import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Pairs in the order in which they are written; no key twice. */
final class MarkedMapping implements MarkedNode {
  private final int start;
  private final int content;
  private final int end;
  private final boolean flow;
  private final Map<String, MarkedEntry> entries;

  /** {@code entries} iterates in order and is not changed any more. */
  MarkedMapping(int start, int content, int end, boolean flow, Map<String, MarkedEntry> entries) {
    this.start = start;
    this.content = content;
    this.end = end;
    this.flow = flow;
    this.entries = entries;
  }

  /** A mapping that is not read from a text. */
  static MarkedMapping of(List<MarkedEntry> entries) {
    LinkedHashMap<String, MarkedEntry> byName = new LinkedHashMap<>();
    entries.forEach(each -> byName.put(each.name(), each));
    return new MarkedMapping(NOWHERE, NOWHERE, NOWHERE, false, byName);
  }

  @Override
  public int start() {
    return start;
  }

  /** Behind anchor and tag: the brace, or the first key. */
  int content() {
    return content;
  }

  @Override
  public int end() {
    return end;
  }

  /** Whether it is written with braces. */
  boolean flow() {
    return flow;
  }

  @Override
  public MarkedMapping resolved() {
    return this;
  }

  @Override
  public boolean isEmpty() {
    return entries.isEmpty();
  }

  Collection<MarkedEntry> entries() {
    return Collections.unmodifiableCollection(entries.values());
  }

  Optional<MarkedEntry> entry(String name) {
    return Optional.ofNullable(entries.get(name));
  }

  /** The value of {@code name}, aliases resolved. */
  Optional<MarkedNode> value(String name) {
    return entry(name).map(each -> each.value().resolved());
  }
}
