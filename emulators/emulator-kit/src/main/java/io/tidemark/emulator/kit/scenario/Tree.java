package io.tidemark.emulator.kit.scenario;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A file as it was written, before anything is known of its meaning. Immutable. */
public sealed interface Tree {
  /** The line it stands on, from 1. */
  int line();

  /** Its kind, for messages. */
  String kind();

  /** One value; empty text for none. */
  record Scalar(String text, int line) implements Tree {
    @Override
    public String kind() {
      return "a value";
    }
  }

  /** A list. */
  record Items(List<Tree> items, int line) implements Tree {
    public Items {
      items = List.copyOf(items);
    }

    @Override
    public String kind() {
      return "a list";
    }
  }

  /** Values by key, in their order. */
  record Fields(Map<String, Tree> fields, int line) implements Tree {
    public Fields {
      fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
    }

    @Override
    public String kind() {
      return "a mapping";
    }
  }
}
