package io.tidemark.manifests;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What shall stand in an object: the difference between two states of it, made on a third one.
 * Where the third one is as the first, or already as the second, the difference fits; elsewhere
 * somebody else changed the same place, and theirs stays. Pure.
 */
final class TreeMerge {
  /** How a merge ended. */
  sealed interface Outcome {
    /** What shall stand there; made of the third state's own values where nothing changes. */
    record Merged(MarkedMapping wanted) implements Outcome {}

    /** The third state differs from the first where the second does. */
    record Clash(String path) implements Outcome {}

    /** The difference touches what this program does not write. */
    record NotOwned(String path) implements Outcome {}
  }

  private static final class Stopped extends Exception {
    private static final long serialVersionUID = 1L;

    private final transient Outcome outcome;

    Stopped(Outcome outcome) {
      super(null, null, false, false);
      this.outcome = outcome;
    }
  }

  private static final MarkedMapping NOTHING = MarkedMapping.of(List.of());

  private final OwnedPaths owned;

  private TreeMerge(OwnedPaths owned) {
    this.owned = owned;
  }

  /**
   * Makes the difference {@code original} to {@code changed}, as far as owned, on {@code current}.
   */
  static Outcome merge(
      OwnedPaths owned, MarkedMapping original, MarkedMapping changed, MarkedMapping current) {
    TreeMerge merge = new TreeMerge(owned);
    MarkedNode before = original.value(owned.root()).orElse(NOTHING);
    MarkedNode after = changed.value(owned.root()).orElse(NOTHING);
    List<String> path = List.of(owned.root());
    try {
      Map<String, MarkedEntry> entries = new LinkedHashMap<>();
      current.entries().forEach(each -> entries.put(each.name(), each));
      Optional<MarkedNode> now = current.entry(owned.root()).map(MarkedEntry::value);
      Optional<MarkedNode> value = merge.value(Optional.of(before), Optional.of(after), now, path);
      if (value.isPresent() && (now.isEmpty() || value.get() != now.get())) {
        entries.put(owned.root(), MarkedEntry.of(owned.root(), value.get()));
      }
      return new Outcome.Merged(MarkedMapping.of(List.copyOf(entries.values())));
    } catch (Stopped e) {
      return e.outcome;
    }
  }

  /** What shall stand at {@code path}; the very value of {@code now} when it stays. */
  private Optional<MarkedNode> value(
      Optional<MarkedNode> before,
      Optional<MarkedNode> after,
      Optional<MarkedNode> now,
      List<String> path)
      throws Stopped {
    if (same(before, after, path) || same(after, now, path)) {
      return now;
    }
    boolean mappings = isMapping(before) && isMapping(after) && isMapping(now);
    boolean known = before.isPresent() && after.isPresent() && now.isPresent();
    if (mappings && (owned.leadTo(path) || (known && !now.get().isEmpty()))) {
      MarkedMapping merged = mapping(asMapping(before), asMapping(after), asMapping(now), path);
      return merged.isEmpty() && now.isEmpty() ? now : Optional.of(merged);
    }
    String name = ObjectPath.of(path);
    if (!owned.own(path)) {
      throw new Stopped(new Outcome.NotOwned(name));
    }
    if (!same(before, now, path)) {
      throw new Stopped(new Outcome.Clash(name));
    }
    return after.map(MarkedNode::resolved);
  }

  private MarkedMapping mapping(
      MarkedMapping before, MarkedMapping after, MarkedMapping now, List<String> path)
      throws Stopped {
    Map<String, MarkedEntry> staying = new LinkedHashMap<>();
    for (MarkedEntry entry : now.entries()) {
      Optional<MarkedNode> value = childOf(before, after, now, entry.name(), path);
      value.ifPresent(each -> staying.put(entry.name(), with(entry, each)));
    }
    List<MarkedEntry> first = new ArrayList<>();
    Map<String, List<MarkedEntry>> behind = new HashMap<>();
    List<MarkedEntry> place = first;
    for (MarkedEntry entry : after.entries()) {
      String name = entry.name();
      if (staying.containsKey(name)) {
        place = behind.computeIfAbsent(name, key -> new ArrayList<>());
      } else if (now.entry(name).isEmpty()) {
        Optional<MarkedNode> value = childOf(before, after, now, name, path);
        if (value.isPresent()) {
          place.add(MarkedEntry.of(name, value.get()));
        }
      }
    }
    List<MarkedEntry> entries = new ArrayList<>(first);
    staying.forEach(
        (name, entry) -> {
          entries.add(entry);
          entries.addAll(behind.getOrDefault(name, List.of()));
        });
    return MarkedMapping.of(entries);
  }

  private static MarkedEntry with(MarkedEntry entry, MarkedNode value) {
    return value == entry.value() ? entry : MarkedEntry.of(entry.name(), value);
  }

  private Optional<MarkedNode> childOf(
      MarkedMapping before, MarkedMapping after, MarkedMapping now, String name, List<String> path)
      throws Stopped {
    List<String> inner = new ArrayList<>(path);
    inner.add(name);
    return value(
        before.entry(name).map(MarkedEntry::value),
        after.entry(name).map(MarkedEntry::value),
        now.entry(name).map(MarkedEntry::value),
        inner);
  }

  private static boolean same(
      Optional<MarkedNode> one, Optional<MarkedNode> other, List<String> path) {
    return Meaning.same(one, other, path.size());
  }

  private static boolean isMapping(Optional<MarkedNode> node) {
    return node.isEmpty() || node.get().isEmpty() || node.get().resolved() instanceof MarkedMapping;
  }

  private static MarkedMapping asMapping(Optional<MarkedNode> node) {
    return node.map(MarkedNode::resolved)
        .filter(MarkedMapping.class::isInstance)
        .map(MarkedMapping.class::cast)
        .orElse(NOTHING);
  }
}
