package io.tidemark.resource.directory;

import io.tidemark.resource.ResourceProblem;
import io.tidemark.resource.directory.HomeScan.Known;
import java.util.Optional;
import java.util.Set;

/** What is known of one file. Guarded by the lock of the store. */
final class FileState {
  /** The stamp of the newest content that was looked at. */
  FileStamp stamp = new FileStamp(true, "", 0, 0);

  /** What counts. */
  FileView view = FileView.nothing();

  /** What was seen once and counts when it is seen again. */
  Optional<FileView> candidate = Optional.empty();

  /** Whether the file was absent at the last look; it counts as gone when it is absent again. */
  boolean missing;

  /** Whether the content is read again even if the stamp stays: clocks of disks are coarse. */
  boolean again;

  /** Grows with each content that counts and each write of this program: older looks are void. */
  long changes;

  /** Whether this program is writing it now. */
  boolean busy;

  /** Names of nodes that may stand behind a problem of the file. */
  Set<String> hidden = Set.of();

  /** Why it could not be written. */
  Optional<ResourceProblem> unwritable = Optional.empty();

  /** Whether what was seen last does not count yet. */
  boolean isSuspect() {
    return missing || candidate.isPresent();
  }

  Known known() {
    return new Known(stamp, candidate.orElse(view), again, changes);
  }

  void beginWrite() {
    busy = true;
    changes++;
  }

  void endWrite() {
    busy = false;
    changes++;
  }
}
