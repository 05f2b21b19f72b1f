package io.tidemark.manifests;

import java.util.List;

/**
 * The fate of writes that had been answered and were not in their files yet.
 *
 * @param unwritten nodes whose last write is not in their file, by name
 * @param unknown nodes whose write was under way when time ran out: it is in the file or not
 */
public record FlushReport(List<String> unwritten, List<String> unknown) {
  /** All changes are in the files. */
  public static final FlushReport CLEAN = new FlushReport(List.of(), List.of());

  public FlushReport {
    unwritten = List.copyOf(unwritten);
    unknown = List.copyOf(unknown);
  }

  /** Whether all changes are in the files. */
  public boolean isClean() {
    return unwritten.isEmpty() && unknown.isEmpty();
  }
}
