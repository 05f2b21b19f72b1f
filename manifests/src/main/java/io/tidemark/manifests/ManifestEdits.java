package io.tidemark.manifests;

import io.tidemark.manifests.ObjectEdit.Result;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Edits of objects of one file, made together. Pure: answers a new text, which was read again and
 * means what was wanted, while every other object has the very characters it had.
 *
 * @param file as it shall be
 * @param changed whether a character changes
 * @param results by name of the object
 */
record ManifestEdits(ManifestFile file, boolean changed, Map<String, Result> results) {
  /** What one object shall be. */
  private record Target(int index, MarkedMapping wanted, TextEdits edits) {}

  /** Makes {@code edits}; of one object the status before the spec. */
  static ManifestEdits of(ManifestFile file, List<ObjectEdit> edits) {
    Map<String, Result> results = new LinkedHashMap<>();
    Map<String, Target> targets = new LinkedHashMap<>();
    Map<String, List<ObjectEdit>> byName = new LinkedHashMap<>();
    edits.forEach(each -> byName.computeIfAbsent(each.name(), n -> new ArrayList<>()).add(each));
    Map<String, Integer> index = file.index();
    byName.forEach(
        (name, ofName) -> plan(file, index.getOrDefault(name, -1), ofName, results, targets));
    if (targets.values().stream().allMatch(each -> each.edits().isEmpty())) {
      return new ManifestEdits(file, false, results);
    }
    ManifestFile edited = apply(file, targets);
    if (proves(file, edited, targets)) {
      return new ManifestEdits(edited, true, results);
    }
    return targets.size() == 1 ? unproved(file, targets, results) : byHalves(file, byName, results);
  }

  private static void plan(
      ManifestFile file,
      int index,
      List<ObjectEdit> edits,
      Map<String, Result> results,
      Map<String, Target> targets) {
    String name = edits.get(0).name();
    if (index < 0) {
      results.put(name, new Result.Missing());
      return;
    }
    ManifestObject object = file.objects().get(index);
    MarkedMapping wanted = object.node();
    List<ObjectEdit> ordered = new ArrayList<>(edits);
    ordered.sort(Comparator.comparing(ObjectEdit::half, Comparator.reverseOrder()));
    for (ObjectEdit edit : ordered) {
      TreeMerge.Outcome outcome =
          TreeMerge.merge(edit.half(), edit.original(), edit.changed(), wanted);
      if (outcome instanceof TreeMerge.Outcome.Clash clash) {
        results.put(name, new Result.Clashed(clash.path()));
        return;
      }
      if (outcome instanceof TreeMerge.Outcome.NotOwned notOwned) {
        String problem = "belongs to the agent or the user, so the operator never writes it";
        String remedy = "Leave this field as it is in the change.";
        results.put(name, refused(file, object, notOwned.path(), problem, remedy));
        return;
      }
      wanted = ((TreeMerge.Outcome.Merged) outcome).wanted();
    }
    TextEdits edit = new TextEdits();
    try {
      new TextEditor(file.text(), object.document(), edit).change(object.node(), wanted, "");
      results.put(name, new Result.Made());
      targets.put(name, new Target(index, wanted, edit));
    } catch (EditRefused e) {
      results.put(name, refused(file, object, e.path(), e.problem(), e.remedy()));
    }
  }

  private static ManifestFile apply(ManifestFile file, Map<String, Target> targets) {
    TextEdits all = new TextEdits();
    targets.values().forEach(each -> all.addAll(each.edits()));
    return ManifestFile.read(file.where(), all.applyTo(file.text()));
  }

  /** Whether the edited objects mean what was wanted and all others are what they were. */
  private static boolean proves(
      ManifestFile before, ManifestFile after, Map<String, Target> targets) {
    int size = before.objects().size();
    if (size != after.objects().size() || before.problems().size() != after.problems().size()) {
      return false;
    }
    MarkedMapping[] wanted = new MarkedMapping[size];
    targets.values().forEach(each -> wanted[each.index()] = each.wanted());
    for (int i = 0; i < size; i++) {
      ManifestObject one = before.objects().get(i);
      ManifestObject other = after.objects().get(i);
      boolean alike =
          wanted[i] == null
              ? one.text().equals(other.text())
              : Meaning.exactly(wanted[i], other.node());
      if (!alike || !one.name().equals(other.name())) {
        return false;
      }
    }
    return true;
  }

  private static ManifestEdits unproved(
      ManifestFile file, Map<String, Target> targets, Map<String, Result> results) {
    targets.forEach(
        (name, target) -> {
          ManifestObject object = file.objects().get(target.index());
          String problem = "cannot be changed here without changing more than what is meant";
          String remedy = "Write spec and status as plain lines of key: value.";
          results.put(name, refused(file, object, "", problem, remedy));
        });
    return new ManifestEdits(file, false, results);
  }

  /** Finds the objects whose edits cannot be made, and makes the others. */
  private static ManifestEdits byHalves(
      ManifestFile file, Map<String, List<ObjectEdit>> byName, Map<String, Result> results) {
    List<List<ObjectEdit>> all = List.copyOf(byName.values());
    int middle = all.size() / 2;
    ManifestEdits first = of(file, flat(all.subList(0, middle)));
    ManifestEdits second = of(first.file(), flat(all.subList(middle, all.size())));
    results.putAll(first.results());
    results.putAll(second.results());
    return new ManifestEdits(second.file(), first.changed() || second.changed(), results);
  }

  private static List<ObjectEdit> flat(List<List<ObjectEdit>> edits) {
    return edits.stream().flatMap(List::stream).toList();
  }

  private static Result refused(
      ManifestFile file, ManifestObject object, String path, String problem, String remedy) {
    MarkedNode place = ObjectPath.nearest(object.node(), path);
    return new Result.Refused(file.where(place.start()), path, problem, remedy);
  }
}
