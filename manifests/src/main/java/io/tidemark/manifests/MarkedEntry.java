package io.tidemark.manifests;

/**
 * One pair of a mapping.
 *
 * @param colon place of the colon behind the key; {@link MarkedNode#NOWHERE} when there is none
 */
record MarkedEntry(MarkedScalar key, int colon, MarkedNode value) {
  static MarkedEntry of(String key, MarkedNode value) {
    return new MarkedEntry(MarkedScalar.string(key), MarkedNode.NOWHERE, value);
  }

  String name() {
    return key.text();
  }

  int start() {
    return key.start();
  }

  /** Behind the value, or behind the colon when the value is not written. */
  int end() {
    return Math.max(Math.max(value.end(), colon + 1), key.end());
  }
}
