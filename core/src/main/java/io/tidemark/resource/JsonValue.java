package io.tidemark.resource;

/**
 * One value of a document: an immutable tree that shares what copies have in common and prints as
 * it was read, with the order of its keys and the literals of its numbers.
 *
 * <p>{@link AddressTable}, {@link AddressList} and {@link AddressRecords} are compact forms of an
 * object and two arrays; they equal each other only among their own kind.
 */
interface JsonValue {
  /** This value as an object; the empty object when it is none, so that absent reads as empty. */
  default JsonObject asObject() {
    return JsonObject.EMPTY;
  }

  /** This value as an array; the empty array when it is none. */
  default JsonArray asArray() {
    return JsonArray.EMPTY;
  }

  /** The text; empty when this value is none. */
  default String asText() {
    return "";
  }

  /** The number; 0 when this value is none that fits an int. */
  default int asInt() {
    return 0;
  }

  /** Whether this is the value null, which means the same as absence. */
  default boolean isNull() {
    return false;
  }
}
