package io.tidemark.datastore;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

/** How a request for an address of each network card ended. */
public sealed interface CardsOutcome {
  /** With one of each, by the number of the card. */
  record Granted(Map<Integer, Assignment> assignments) implements CardsOutcome {
    public Granted {
      assignments = Collections.unmodifiableMap(new TreeMap<>(assignments));
    }
  }

  /**
   * Without any.
   *
   * @param card the first one that gave none
   * @param outcome of that card
   */
  record Failed(int card, AssignOutcome outcome) implements CardsOutcome {}
}
