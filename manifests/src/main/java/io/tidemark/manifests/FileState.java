package io.tidemark.manifests;

import io.tidemark.file.FileStamp;
import io.tidemark.manifests.FileSettling.Look;
import io.tidemark.manifests.FileSettling.Verdict;
import io.tidemark.manifests.FolderReader.Found;
import io.tidemark.manifests.FolderReader.Known;
import io.tidemark.resource.ResourceProblem;
import io.tidemark.time.TimeSource;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What is known of one file. Guarded by the lock of the store. */
final class FileState<T> {
  private static final Logger LOG = LoggerFactory.getLogger(FileState.class);

  private final ManifestKind<T> kind;
  private final TimeSource time;

  /** The stamp of the newest content that was looked at. */
  FileStamp stamp = new FileStamp(true, "", 0, 0);

  /** What counts. */
  FileView<T> view = FileView.nothing();

  /** What counted last of which nothing was hidden behind a problem. */
  FileView<T> whole = FileView.nothing();

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

  /** What was seen and does not count yet, how often, and since when. */
  private Optional<FileView<T>> candidate = Optional.empty();

  private int looks;

  /** Since when the file is doubted; empty when it is not. */
  private OptionalLong doubtedSinceNanos = OptionalLong.empty();

  private long candidateSinceNanos;

  FileState(ManifestKind<T> kind, TimeSource time) {
    this.kind = kind;
    this.time = time;
  }

  /** Whether what was seen last counts when it is seen again at once. */
  boolean isSuspect() {
    return missing || (candidate.isPresent() && !waits);
  }

  /**
   * What to do with a content that differs from what counts; it is a candidate from now on.
   *
   * @param doubts whether what may be half-written is waited for
   * @param start whether nothing was looked at before
   */
  Verdict judge(Path path, Found<T> found, boolean doubts, boolean start) {
    Look look = saw(found, start);
    Optional<String> doubt =
        doubts ? FileSettling.doubt(kind, whole, found.view(), look) : Optional.empty();
    Verdict verdict = FileSettling.of(doubt, found.view(), look);
    again = verdict != Verdict.BELIEVE || look.looks() == 1;
    waits = verdict == Verdict.WAIT;
    if (waits && doubtedSinceNanos.isEmpty()) {
      doubtedSinceNanos = OptionalLong.of(time.nanos());
      LOG.info(
          "A file may be half-written and is read again until it has not changed for {} s."
              + " file={} reason={}",
          FileSettling.QUIET.toSeconds(),
          path,
          doubt.orElse(""));
    } else if (verdict == Verdict.BELIEVE && look.isLate()) {
      LOG.warn(
          "A file kept changing for {} s and is read as it is. file={}",
          FileSettling.PATIENCE.toSeconds(),
          path);
    }
    return verdict;
  }

  private Look saw(Found<T> found, boolean start) {
    boolean same =
        candidate.filter(each -> each.hash().equals(found.view().hash())).isPresent()
            && stamp.equals(found.stamp());
    long now = time.nanos();
    if (!same) {
      looks = 0;
      candidateSinceNanos = now;
    }
    looks++;
    candidate = Optional.of(found.view());
    stamp = found.stamp();
    return new Look(
        start,
        found.finished(),
        TimeUnit.MILLISECONDS.toNanos(time.epochMillis()) - stamp.modifiedNanos(),
        now - candidateSinceNanos,
        now - doubtedSinceNanos.orElse(now),
        looks);
  }

  /** The file says what counts. */
  void settle() {
    candidate = Optional.empty();
    looks = 0;
    waits = false;
    doubtedSinceNanos = OptionalLong.empty();
  }

  Known<T> known() {
    return new Known<>(stamp, candidate.orElse(view), again, changes);
  }

  /** This program begins or ends a write; what was looked at before is void. */
  void write(boolean begins) {
    busy = begins;
    changes++;
  }
}
