package io.tidemark.manifests;

import io.tidemark.manifests.MarkedNode.Compound;
import io.tidemark.resource.ResourceProblem;

/**
 * One half of one object, such as its spec, that shall be changed.
 *
 * @param original the object as it was when the change was made up
 * @param changed the object as it shall be
 */
record ObjectEdit(String name, OwnedPaths half, Compound original, Compound changed) {
  /** From two states of the object as JSON. */
  static ObjectEdit of(String name, OwnedPaths half, String original, String changed) {
    return new ObjectEdit(
        name, half, (Compound) MarkedJson.parse(original), (Compound) MarkedJson.parse(changed));
  }

  /** How the edits of one object ended; they are made all or not at all. */
  sealed interface Result {
    /** The object means what was wanted; it may have done so before. */
    record Made() implements Result {}

    /** Somebody else changed the same place of the object; theirs stays. */
    record Clashed() implements Result {}

    /** The object is not in the file, or more than once. */
    record Missing() implements Result {}

    /** The change cannot be made by changing its own characters alone. */
    record Refused(ResourceProblem problem) implements Result {}
  }
}
