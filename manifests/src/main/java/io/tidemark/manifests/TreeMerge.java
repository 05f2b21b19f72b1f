package io.tidemark.manifests;

import io.tidemark.manifests.MarkedNode.Child;
import io.tidemark.manifests.MarkedNode.Compound;
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
  /** The third state differs from the first where the second does. */
  static final class Clash extends Exception {
    private static final long serialVersionUID = 1L;

    Clash(String path) {
      super(path, null, false, false);
    }
  }

  private static final Compound NOTHING = Compound.mapping(List.of());

  private final OwnedPaths owned;

  private TreeMerge(OwnedPaths owned) {
    this.owned = owned;
  }

  /**
   * Makes the difference {@code original} to {@code changed}, as far as owned, on {@code current}.
   *
   * @return made of the third state's own values where nothing changes
   * @throws TextFault when the difference touches what this program does not write
   */
  static Compound merge(OwnedPaths owned, Compound original, Compound changed, Compound current)
      throws Clash, TextFault {
    Optional<MarkedNode> before = original.value(owned.root()).or(() -> Optional.of(NOTHING));
    Optional<MarkedNode> after = changed.value(owned.root()).or(() -> Optional.of(NOTHING));
    Optional<Child> now = current.child(owned.root());
    Optional<MarkedNode> value =
        new TreeMerge(owned).value(before, after, now.map(Child::value), List.of(owned.root()));
    if (value.isEmpty() || (now.isPresent() && now.get().value() == value.get())) {
      return current;
    }
    List<Child> children = new ArrayList<>(current.children());
    Child child = Child.of(owned.root(), value.get());
    if (now.isPresent()) {
      children.set(children.indexOf(now.get()), child);
    } else {
      children.add(child);
    }
    return Compound.mapping(children);
  }

  /** What shall stand at {@code path}; the very value of {@code now} when it stays. */
  private Optional<MarkedNode> value(
      Optional<MarkedNode> before,
      Optional<MarkedNode> after,
      Optional<MarkedNode> now,
      List<String> path)
      throws Clash, TextFault {
    int depth = path.size();
    if (Meaning.same(before, after, depth) || Meaning.same(after, now, depth)) {
      return now;
    }
    boolean mappings = isMapping(before) && isMapping(after) && isMapping(now);
    boolean known = before.isPresent() && after.isPresent() && now.isPresent();
    if (mappings && (owned.leadTo(path) || (known && !now.get().isEmpty()))) {
      Compound merged = mapping(asMapping(before), asMapping(after), asMapping(now), path);
      return merged.isEmpty() && now.isEmpty() ? now : Optional.of(merged);
    }
    String name = ObjectPath.of(path);
    if (!owned.own(path)) {
      throw new TextFault(
          name,
          "belongs to the agent or the user, so this program never writes it",
          "Leave this field as it is in the change.");
    }
    if (!Meaning.same(before, now, depth)) {
      throw new Clash(name);
    }
    return after.map(MarkedNode::resolved);
  }

  /** The entries of {@code now} in their order; a new one behind its predecessor in the change. */
  private Compound mapping(Compound before, Compound after, Compound now, List<String> path)
      throws Clash, TextFault {
    Map<String, Child> staying = new LinkedHashMap<>();
    for (Child child : now.children()) {
      Optional<MarkedNode> value = child(before, after, now, child.name(), path);
      if (value.isPresent()) {
        boolean same = value.get() == child.value();
        staying.put(child.name(), same ? child : Child.of(child.name(), value.get()));
      }
    }
    List<Child> merged = new ArrayList<>();
    Map<String, List<Child>> behind = new HashMap<>();
    List<Child> place = merged;
    for (Child child : after.children()) {
      if (staying.containsKey(child.name())) {
        place = behind.computeIfAbsent(child.name(), name -> new ArrayList<>());
      } else if (now.child(child.name()).isEmpty()) {
        Optional<MarkedNode> value = child(before, after, now, child.name(), path);
        value.map(each -> Child.of(child.name(), each)).ifPresent(place::add);
      }
    }
    staying.forEach(
        (name, child) -> {
          merged.add(child);
          merged.addAll(behind.getOrDefault(name, List.of()));
        });
    return Compound.mapping(merged);
  }

  private Optional<MarkedNode> child(
      Compound before, Compound after, Compound now, String name, List<String> path)
      throws Clash, TextFault {
    List<String> inner = new ArrayList<>(path);
    inner.add(name);
    return value(
        before.child(name).map(Child::value),
        after.child(name).map(Child::value),
        now.child(name).map(Child::value),
        inner);
  }

  private static boolean isMapping(Optional<MarkedNode> node) {
    return node.isEmpty()
        || node.get().isEmpty()
        || (node.get().resolved() instanceof Compound compound && compound.isMapping());
  }

  private static Compound asMapping(Optional<MarkedNode> node) {
    return node.isPresent()
            && node.get().resolved() instanceof Compound compound
            && compound.isMapping()
        ? compound
        : NOTHING;
  }
}
