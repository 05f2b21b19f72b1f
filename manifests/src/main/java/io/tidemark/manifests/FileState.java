package io.tidemark.manifests;

import io.tidemark.file.FileStamp;
import io.tidemark.manifests.FolderReader.Found;
import io.tidemark.manifests.FolderReader.Known;
import io.tidemark.resource.ResourceProblem;
import java.util.Optional;

/** The state of one file. Guarded by the lock of the store. */
final class FileState<T> {
  /** The content that counts. */
  FileView<T> view = FileView.nothing();

  /** Whether the file was absent at the last look; it counts as gone when it is absent again. */
  boolean missing;

  /** Grows with each content that counts and each write of this program: older looks are void. */
  long changes;

  /** Whether this program is writing it now. */
  boolean busy;

  /** Why it could not be read, while its previous content counts. */
  Optional<ResourceProblem> unreadable = Optional.empty();

  /** Why it could not be written. */
  Optional<ResourceProblem> unwritable = Optional.empty();

  private FileStamp stamp = new FileStamp(true, "", 0, 0);
  private FileView<T> seen = FileView.nothing();

  /** How often the seen content was seen; 0 when it is the one that counts. */
  private int looks;

  /** Whether the content is read again even if the stamp stays: clocks of disks are coarse. */
  private boolean again;

  /** Whether the last look counts when the next one, at once, sees the same. */
  boolean isSuspect() {
    return missing || looks == 1;
  }

  /** Takes in a look; true when its content counts from now on, because it was seen twice. */
  boolean saw(Found<T> found) {
    missing = false;
    boolean same = seen.hash().equals(found.view().hash()) && stamp.equals(found.stamp());
    stamp = found.stamp();
    seen = found.view();
    if (seen.hash().equals(view.hash())) {
      again &= looks != 0;
      looks = 0;
      unreadable = Optional.empty();
      return false;
    }
    again = true;
    looks = same ? looks + 1 : 1;
    if (looks > 1) {
      unreadable = seen.unreadable();
    }
    return looks > 1 && unreadable.isEmpty();
  }

  /** From now on this content counts. */
  void accept(FileView<T> next) {
    view = next;
    seen = next;
    looks = 0;
    changes++;
  }

  /** This program has just read or written the file as a whole. */
  void take(FileStamp newest) {
    stamp = newest;
    missing = false;
    again = true;
    unreadable = Optional.empty();
    unwritable = Optional.empty();
  }

  Known<T> known(boolean anew) {
    return new Known<>(stamp, seen, again || anew, changes);
  }

  /** This program begins or ends a write; older looks are void. */
  void write(boolean begins) {
    busy = begins;
    changes++;
  }
}
