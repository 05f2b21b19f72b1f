package io.tidemark.resource.directory;

import java.util.OptionalInt;

/**
 * One half of one object, spec or status, that shall be changed.
 *
 * @param original the object as JSON, as it was when the change was made up
 * @param changed the object as JSON, as it shall be
 */
record ObjectEdit(String name, OwnedPaths half, MarkedMapping original, MarkedMapping changed) {
  static ObjectEdit of(String name, OwnedPaths half, String original, String changed) {
    return new ObjectEdit(name, half, mapping(original), mapping(changed));
  }

  private static MarkedMapping mapping(String json) {
    return (MarkedMapping) MarkedJson.parse(json);
  }

  /** How an edit of a file's text ended. */
  sealed interface Result {
    /** The file as it shall be; the same text when nothing had to change. */
    record Edited(ManifestFile file) implements Result {}

    /** Somebody else changed the same place of the object. */
    record Clashed(String path) implements Result {}

    /** The object is not in the file, or more than once. */
    record Missing() implements Result {}

    /** The change cannot be made by changing its own characters alone; nothing was changed. */
    record Refused(EditProblem problem) implements Result {}
  }

  /** Why an edit is refused. */
  record EditProblem(String where, String path, String problem, String remedy) {}

  /** Makes the change in {@code file}. Pure: answers a new text, proved to mean the change. */
  Result applyTo(ManifestFile file) {
    OptionalInt index = file.indexOf(name);
    if (index.isEmpty()) {
      return new Result.Missing();
    }
    ManifestObject object = file.objects().get(index.getAsInt());
    TreeMerge.Outcome outcome = TreeMerge.merge(half, original, changed, object.node());
    if (outcome instanceof TreeMerge.Outcome.Clash clash) {
      return new Result.Clashed(clash.path());
    }
    if (outcome instanceof TreeMerge.Outcome.NotOwned notOwned) {
      return refused(
          file,
          object,
          notOwned.path(),
          "belongs to the agent or the user and is never written by the operator",
          "Leave this field as it is in the change.");
    }
    MarkedMapping wanted = ((TreeMerge.Outcome.Merged) outcome).wanted();
    TextEdits edits = new TextEdits();
    try {
      new TextEditor(file.text(), object.document(), edits).change(object.node(), wanted, "");
    } catch (EditRefused e) {
      return refused(file, object, e.path(), e.problem(), e.remedy());
    }
    if (edits.isEmpty()) {
      return new Result.Edited(file);
    }
    ManifestFile edited = ManifestFile.read(file.where(), edits.applyTo(file.text()));
    if (!proves(file, edited, index.getAsInt(), wanted)) {
      return refused(
          file,
          object,
          half.root(),
          "is written in a way that this program cannot change without changing more",
          "Write the section as plain lines of key: value, without block scalars and tags.");
    }
    return new Result.Edited(edited);
  }

  /** Whether the edited text means the change, and everything else means what it meant. */
  private static boolean proves(
      ManifestFile before, ManifestFile after, int index, MarkedMapping wanted) {
    if (before.objects().size() != after.objects().size()
        || before.problems().size() != after.problems().size()) {
      return false;
    }
    for (int i = 0; i < before.objects().size(); i++) {
      ManifestObject one = before.objects().get(i);
      ManifestObject other = after.objects().get(i);
      boolean edited = i == index;
      boolean alike =
          edited ? Meaning.exactly(wanted, other.node()) : one.text().equals(other.text());
      if (!alike || !one.name().equals(other.name())) {
        return false;
      }
    }
    return true;
  }

  private static Result refused(
      ManifestFile file, ManifestObject object, String path, String problem, String remedy) {
    return new Result.Refused(
        new EditProblem(file.where(object.node().start()), path, problem, remedy));
  }
}
