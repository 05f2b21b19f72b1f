package io.tidemark.manifests;

/**
 * A value and its place in a text. Offsets count chars of the file's text without its byte order
 * mark; {@code end} is the end of the last character that belongs to the value, so that line breaks
 * and comments behind it are outside.
 */
sealed interface MarkedNode permits MarkedScalar, MarkedMapping, MarkedSequence, MarkedAlias {
  /** First char, anchor and tag included. */
  int start();

  /** First char behind the value; equal to {@link #start} when a null is not written at all. */
  int end();

  /** The value itself: an alias answers what it refers to. */
  MarkedNode resolved();

  /** Whether it says nothing: null, an empty mapping or an empty sequence. */
  boolean isEmpty();

  /** The same value without a place: what was not read from a text. */
  int NOWHERE = -1;
}
