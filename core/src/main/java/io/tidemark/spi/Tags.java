package io.tidemark.spi;

import java.util.Map;

/**
 * Key-value pairs of an instance, interface, subnet or address in the cloud (node-manager 1.6).
 * Immutable.
 *
 * @param pairs values by key; a value may be empty text
 */
public record Tags(Map<String, String> pairs) {
  public Tags {
    pairs = Map.copyOf(pairs);
  }

  /** Whether every required pair is present with an equal value; no requirement fits everything. */
  public boolean matches(Map<String, String> required) {
    return pairs.entrySet().containsAll(required.entrySet());
  }
}
