package io.tidemark.datastore.journal;

import io.tidemark.file.FilePort;
import java.nio.file.Path;

/** A checkpoint whose journal is folded after a few changes. */
public final class SmallJournal {
  private static final int BYTES_MAX = 3_000;
  private static final int RECORDS_MAX = 6;

  private SmallJournal() {}

  /** That of a plain file, which need not exist. */
  public static JournalCheckpointer of(Path plain, FilePort files) {
    return new JournalCheckpointer(plain, files, BYTES_MAX, RECORDS_MAX);
  }
}
