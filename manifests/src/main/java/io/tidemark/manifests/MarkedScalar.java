package io.tidemark.manifests;

import java.math.BigDecimal;
import java.util.Objects;

/**
 * A value without parts.
 *
 * @param text the string itself, or the JSON literal of a number, boolean or null
 */
record MarkedScalar(int start, int content, int end, Kind kind, Quoting quoting, String text)
    implements MarkedNode {
  /** What the value is in JSON. */
  enum Kind {
    STRING,
    NUMBER,
    BOOLEAN,
    NULL
  }

  /** How the value is written. */
  enum Quoting {
    PLAIN,
    SINGLE,
    DOUBLE,
    BLOCK
  }

  MarkedScalar {
    Objects.requireNonNull(text, "text");
  }

  static MarkedScalar string(String text) {
    return new MarkedScalar(NOWHERE, NOWHERE, NOWHERE, Kind.STRING, Quoting.PLAIN, text);
  }

  @Override
  public MarkedScalar resolved() {
    return this;
  }

  @Override
  public boolean isEmpty() {
    return kind == Kind.NULL;
  }

  /** Same kind and value; numbers are compared by value. */
  boolean says(MarkedScalar other) {
    if (kind != other.kind) {
      return false;
    }
    return text.equals(other.text)
        || (kind == Kind.NUMBER && new BigDecimal(text).compareTo(new BigDecimal(other.text)) == 0);
  }
}
