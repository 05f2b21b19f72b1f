package io.tidemark.manifests;

/**
 * One half of one object, spec or status, that shall be changed.
 *
 * @param original the object as it was when the change was made up
 * @param changed the object as it shall be
 */
record ObjectEdit(String name, OwnedPaths half, MarkedMapping original, MarkedMapping changed) {
  /** From two states of the object as JSON. */
  static ObjectEdit of(String name, OwnedPaths half, String original, String changed) {
    return new ObjectEdit(name, half, mapping(original), mapping(changed));
  }

  private static MarkedMapping mapping(String json) {
    return (MarkedMapping) MarkedJson.parse(json);
  }

  /** How the edits of one object ended; they are made all or not at all. */
  sealed interface Result {
    /** The object means what was wanted; it may have done so before. */
    record Made() implements Result {}

    /** Somebody else changed the same place of the object; theirs stays. */
    record Clashed(String path) implements Result {}

    /** The object is not in the file, or more than once. */
    record Missing() implements Result {}

    /**
     * The change cannot be made by changing its own characters alone.
     *
     * @param where file and line
     * @param path place in the object
     */
    record Refused(String where, String path, String problem, String remedy) implements Result {}
  }
}
