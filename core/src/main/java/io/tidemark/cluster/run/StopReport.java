package io.tidemark.cluster.run;

import java.util.List;

/**
 * How the end went.
 *
 * @param unknown changes of the cloud whose effect is not known; the next start reads them back
 * @param timely whether everything ended within the bound
 */
public record StopReport(List<String> unknown, boolean timely) {
  public StopReport {
    unknown = List.copyOf(unknown);
  }

  /** Whether nothing is left to be said. */
  public boolean isClean() {
    return unknown.isEmpty() && timely;
  }
}
