package io.tidemark.manifests;

import java.time.Duration;
import java.util.Optional;

/**
 * Decides when what another program wrote into a file is believed. Pure.
 *
 * <p>What was seen twice is believed. A content that may be half-written must have stood still for
 * {@link #QUIET} besides: one that says less than before ({@link Losses}), and the first content of
 * a file that was changed within that time and does not show that it is complete. A file that keeps
 * changing is waited for {@link #PATIENCE} and then believed when it was seen twice.
 */
final class FileSettling {
  /** How long a content that may be half-written must stand still. */
  static final Duration QUIET = Duration.ofSeconds(10);

  /** How long a file is waited for that does not become quiet. */
  static final Duration PATIENCE = Duration.ofSeconds(30);

  /** What to do with a content. */
  enum Verdict {
    /** It counts from now on. */
    BELIEVE,
    /** It is looked at again after a short time. */
    LOOK_AGAIN,
    /** It is looked at until it has been quiet. */
    WAIT
  }

  /**
   * How a content was seen.
   *
   * @param start whether nothing was looked at before, so that once is enough
   * @param finished whether the file shows that its writer has ended
   * @param modifiedAgoNanos since the file's time of modification; negative when that is to come
   * @param unchangedNanos since this content was seen first, with the file's times as they are
   * @param doubtedNanos since the file has been doubted first
   * @param looks how often this content was seen, one or more
   */
  record Look(
      boolean start,
      boolean finished,
      long modifiedAgoNanos,
      long unchangedNanos,
      long doubtedNanos,
      int looks) {
    boolean isLate() {
      return doubtedNanos >= PATIENCE.toNanos();
    }
  }

  private FileSettling() {}

  /**
   * Why {@code next} may be half-written, for people; empty when it is complete.
   *
   * @param known what the file said when it was whole; {@link FileView#nothing} when it never was
   */
  static <T> Optional<String> doubt(
      ManifestKind<T> kind, FileView<T> known, FileView<T> next, Look look) {
    if (!known.objects().isEmpty()) {
      return Losses.between(kind, known, next).map(loss -> "it lost " + loss);
    }
    boolean recent = look.modifiedAgoNanos() < QUIET.toNanos();
    return recent && !look.finished() && next.mayEndEarly()
        ? Optional.of("it was changed only just now")
        : Optional.empty();
  }

  /** What to do with {@code next}, given a doubt about it. */
  static Verdict of(Optional<String> doubt, FileView<?> next, Look look) {
    boolean quiet = look.unchangedNanos() >= QUIET.toNanos();
    if (doubt.isPresent() && !quiet && !look.isLate()) {
      return Verdict.WAIT;
    }
    return look.looks() > 1 || (look.start() && next.troubles().isEmpty())
        ? Verdict.BELIEVE
        : Verdict.LOOK_AGAIN;
  }
}
