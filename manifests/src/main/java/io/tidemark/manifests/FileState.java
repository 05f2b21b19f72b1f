package io.tidemark.manifests;

import io.tidemark.file.FileStamp;
import io.tidemark.manifests.HomeScan.Found;
import io.tidemark.manifests.HomeScan.Known;
import io.tidemark.manifests.Settling.Look;
import io.tidemark.resource.ResourceProblem;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** What is known of one file. Guarded by the lock of the store. */
final class FileState {
  /** The stamp of the newest content that was looked at. */
  FileStamp stamp = new FileStamp(true, "", 0, 0);

  /** What counts. */
  FileView view = FileView.nothing();

  /** What counted last of which nothing was hidden behind a problem. */
  FileView whole = FileView.nothing();

  /** What was seen and does not count yet. */
  Optional<FileView> candidate = Optional.empty();

  /** How often the candidate was seen, and since when. */
  int looks;

  long candidateSinceNanos;

  /** Since when the file is doubted; empty when it is not. */
  OptionalLong doubtedSinceNanos = OptionalLong.empty();

  /** Whether the candidate counts only when the file has been quiet. */
  boolean waits;

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

  /** Whether what was seen last counts when it is seen again at once. */
  boolean isSuspect() {
    return missing || (candidate.isPresent() && !waits);
  }

  /** Notes that {@code found} was seen; the stamp is still that of the look before. */
  void saw(Found found, Moment now) {
    boolean same =
        candidate.map(each -> each.hash().equals(found.view().hash())).orElse(false)
            && stamp.equals(found.stamp());
    if (!same) {
      looks = 0;
      candidateSinceNanos = now.nanos();
    }
    looks++;
    candidate = Optional.of(found.view());
    stamp = found.stamp();
  }

  /** How the candidate was seen. */
  Look look(Found found, Moment now, boolean start) {
    long modified = TimeUnit.MILLISECONDS.toNanos(now.epochMillis()) - stamp.modifiedNanos();
    return new Look(
        start,
        found.finished(),
        modified,
        now.nanos() - candidateSinceNanos,
        doubtedSinceNanos.isPresent() ? now.nanos() - doubtedSinceNanos.getAsLong() : 0,
        looks);
  }

  /** The file says what counts. */
  void settle() {
    candidate = Optional.empty();
    looks = 0;
    waits = false;
    doubtedSinceNanos = OptionalLong.empty();
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
