package io.tidemark.simulation.scenario;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A document as it was written, before anything is known of its meaning. Immutable. */
sealed interface Tree {
  /** Its line, from 1. */
  int line();

  /** One value; empty text for none. */
  record Scalar(String text, int line) implements Tree {}

  /** A list. */
  record Items(List<Tree> items, int line) implements Tree {
    public Items {
      items = List.copyOf(items);
    }
  }

  /** Values by key, in their order. */
  record Fields(Map<String, Tree> fields, int line) implements Tree {
    public Fields {
      fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }
  }

  /** Its kind, for messages. */
  default String kind() {
    if (this instanceof Scalar) {
      return "a value";
    }
    return this instanceof Items ? "a list" : "a mapping";
  }
}
