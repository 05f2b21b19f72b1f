package io.tidemark.manifests;

import io.tidemark.manifests.MarkedNode.Compound;
import io.tidemark.manifests.MarkedNode.Document;
import io.tidemark.manifests.ObjectEdit.Result;
import io.tidemark.resource.ResourceProblem;
import java.util.ArrayList;
import java.util.IdentityHashMap;
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
  private record Target(int index, Compound wanted, TextEdits edits) {}

  /** Makes {@code edits}; those of one object in their order. */
  static ManifestEdits of(ManifestFile file, List<ObjectEdit> edits) {
    Map<String, List<ObjectEdit>> byName = new LinkedHashMap<>();
    edits.forEach(each -> byName.computeIfAbsent(each.name(), n -> new ArrayList<>()).add(each));
    return ofObjects(file, List.copyOf(byName.values()));
  }

  private static ManifestEdits ofObjects(ManifestFile file, List<List<ObjectEdit>> edits) {
    Map<String, Result> results = new LinkedHashMap<>();
    List<Target> targets = new ArrayList<>();
    Map<String, Integer> index = file.index();
    IdentityHashMap<Document, TextEditor> editors = new IdentityHashMap<>();
    for (List<ObjectEdit> ofOne : edits) {
      String name = ofOne.get(0).name();
      int place = index.getOrDefault(name, -1);
      results.put(
          name, place < 0 ? new Result.Missing() : plan(file, place, ofOne, editors, targets));
    }
    TextEdits all = new TextEdits();
    targets.forEach(each -> all.addAll(each.edits()));
    if (all.isEmpty()) {
      return new ManifestEdits(file, false, results);
    }
    ManifestFile edited = ManifestFile.read(file.kind(), file.where(), all.applyTo(file.text()));
    if (proves(file, edited, targets)) {
      return new ManifestEdits(edited, true, results);
    }
    return edits.size() > 1 ? byHalves(file, edits) : unproved(file, targets.get(0));
  }

  private static Result plan(
      ManifestFile file,
      int index,
      List<ObjectEdit> edits,
      IdentityHashMap<Document, TextEditor> editors,
      List<Target> targets) {
    ManifestObject object = file.objects().get(index);
    Compound wanted = object.node();
    try {
      for (ObjectEdit edit : edits) {
        wanted = TreeMerge.merge(edit.half(), edit.original(), edit.changed(), wanted);
      }
      TextEditor editor =
          editors.computeIfAbsent(
              object.document(), document -> new TextEditor(file.cursor(), document));
      targets.add(new Target(index, wanted, editor.change(object.node(), wanted)));
      return new Result.Made();
    } catch (TreeMerge.Clash e) {
      return new Result.Clashed();
    } catch (TextFault e) {
      return refused(file, object, e.path(), e.problem(), e.remedy());
    }
  }

  /** Whether the edited objects mean what was wanted and all others are what they were. */
  private static boolean proves(ManifestFile before, ManifestFile after, List<Target> targets) {
    int size = before.objects().size();
    if (size != after.objects().size() || before.problems().size() != after.problems().size()) {
      return false;
    }
    Compound[] wanted = new Compound[size];
    targets.forEach(each -> wanted[each.index()] = each.wanted());
    for (int i = 0; i < size; i++) {
      ManifestObject one = before.objects().get(i);
      ManifestObject other = after.objects().get(i);
      boolean alike =
          wanted[i] == null
              ? one.text().equals(other.text())
              : Meaning.exact(wanted[i]).equals(Meaning.exact(other.node()));
      if (!alike || !one.name().equals(other.name())) {
        return false;
      }
    }
    return true;
  }

  /** Finds the objects whose edits cannot be made, and makes the others. */
  private static ManifestEdits byHalves(ManifestFile file, List<List<ObjectEdit>> edits) {
    int middle = edits.size() / 2;
    ManifestEdits first = ofObjects(file, edits.subList(0, middle));
    ManifestEdits second = ofObjects(first.file(), edits.subList(middle, edits.size()));
    Map<String, Result> results = new LinkedHashMap<>(first.results());
    results.putAll(second.results());
    return new ManifestEdits(second.file(), first.changed() || second.changed(), results);
  }

  private static ManifestEdits unproved(ManifestFile file, Target target) {
    ManifestObject object = file.objects().get(target.index());
    String problem = "cannot be changed here without changing more than what is meant";
    String remedy = "Write spec and status as plain lines of key: value.";
    Result refused = refused(file, object, "", problem, remedy);
    return new ManifestEdits(file, false, Map.of(object.name(), refused));
  }

  private static Result refused(
      ManifestFile file, ManifestObject object, String path, String problem, String remedy) {
    String where = file.where(ObjectPath.nearest(object.node(), path).start());
    return new Result.Refused(new ResourceProblem(where, path, problem, remedy));
  }
}
