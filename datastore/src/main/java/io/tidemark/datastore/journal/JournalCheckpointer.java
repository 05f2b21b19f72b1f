package io.tidemark.datastore.journal;

import io.tidemark.datastore.checkpoint.CheckpointData;
import io.tidemark.datastore.checkpoint.CheckpointFile;
import io.tidemark.datastore.checkpoint.CheckpointFile.DataLoss;
import io.tidemark.datastore.checkpoint.CheckpointFile.Read;
import io.tidemark.datastore.checkpoint.CheckpointReaderJson;
import io.tidemark.datastore.checkpoint.Checkpointer;
import io.tidemark.datastore.checkpoint.UnreadableCheckpoint;
import io.tidemark.datastore.journal.Journal.Merged;
import io.tidemark.file.AtomicFile;
import io.tidemark.file.FilePort;
import io.tidemark.file.FileTooLarge;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * A checkpoint with a journal: a write appends what changed. The journal is folded into the plain
 * file when it is long, and when this is closed; the plain file is written first, and a journal
 * that does not begin with what the plain file has does not count.
 *
 * <p>Every method blocks on the file system. To be read before anything is written.
 */
public final class JournalCheckpointer implements Checkpointer, AutoCloseable {
  /** The journal is folded when its records have more bytes. */
  private static final int BYTES_MAX = 1 << 20;

  /** The journal is folded when it has more records. */
  private static final int RECORDS_MAX = 10_000;

  /** Of a journal that is read: the plain file's content, and what was appended before the fold. */
  private static final int JOURNAL_BYTES_MAX = 2 * CheckpointFile.BYTES_MAX;

  private final CheckpointFile file;
  private final AtomicFile plain;
  private final AtomicFile journal;
  private final FilePort files;
  private final int bytesMax;
  private final int recordsMax;

  /** Whether a write is under way, or this is closed. */
  private final AtomicBoolean busy = new AtomicBoolean();

  /** The content of the journal; null while nothing can be appended to it. */
  private byte @Nullable [] last;

  private int records;
  private long begin;
  private long end;

  /**
   * A file, which need not exist, nor its journal.
   *
   * @param path of the plain file, in a folder that exists
   */
  public JournalCheckpointer(Path path, FilePort files) {
    this(path, files, BYTES_MAX, RECORDS_MAX);
  }

  JournalCheckpointer(Path path, FilePort files, int bytesMax, int recordsMax) {
    this.file = new CheckpointFile(path, files);
    this.plain = AtomicFile.keepingPrevious(path, files);
    this.journal = new AtomicFile(Journal.of(path), files);
    this.files = files;
    this.bytesMax = bytesMax;
    this.recordsMax = recordsMax;
  }

  @Override
  public String name() {
    return file.name();
  }

  // ---- writing

  @Override
  public void checkpoint(byte[] content) throws IOException {
    if (!busy.compareAndSet(false, true)) {
      throw new IOException(name() + " is closed, or written to by another");
    }
    try {
      byte[] before = last;
      if (before == null || records >= recordsMax || end - begin >= bytesMax) {
        begin(content);
      } else {
        append(before, content);
      }
    } finally {
      busy.set(false);
    }
  }

  private void append(byte[] before, byte[] content) throws IOException {
    byte[] record = Journal.record(ContentPatch.between(before, content));
    files.append(journal.path(), end, record);
    end += record.length;
    records++;
    last = content;
  }

  /**
   * Between the two writes the plain file alone counts: the journal does not begin with it, because
   * each content has a generation of its own.
   */
  private void begin(byte[] content) throws IOException {
    last = null;
    plain.replace(content);
    byte[] begun = Journal.begun(content);
    journal.write(begun);
    plain.dropPrevious();
    begin = begun.length;
    end = begin;
    records = 0;
    last = content;
  }

  /** Folds the journal into the plain file, unless a write does not end. Idempotent. */
  @Override
  public void close() throws IOException {
    byte[] content = busy.compareAndSet(false, true) ? last : null;
    if (content != null) {
      fold(content);
    }
  }

  private void fold(byte[] content) throws IOException {
    plain.replace(content);
    dropJournal();
  }

  private void dropJournal() throws IOException {
    files.delete(journal.path());
    plain.syncFolder();
  }

  // ---- reading

  /** Reads both; a file that cannot be read is refused. */
  @Override
  public Read restore() throws IOException {
    return read(DataLoss.REFUSED);
  }

  /**
   * Reads both, and folds the journal into the plain file, so that a {@link CheckpointFile} can go
   * on from there as well.
   */
  public Read read(DataLoss loss) throws IOException {
    journal.sweep();
    Optional<byte[]> appended = journal.read(JOURNAL_BYTES_MAX);
    if (appended.isEmpty()) {
      return file.read(loss);
    }
    Optional<byte[]> content = readPlain();
    Merged merged = Journal.merged(content, appended.get());
    if (merged instanceof Merged.Superseded) {
      Read read = file.read(loss);
      if (!(read instanceof Read.Refused)) {
        dropJournal();
      }
      return read;
    }
    if (merged instanceof Merged.Damaged damaged) {
      return withoutJournal(loss, damaged.problem());
    }
    byte[] latest = ((Merged.Latest) merged).content();
    CheckpointData data;
    try {
      data = CheckpointReaderJson.read(latest);
    } catch (UnreadableCheckpoint e) {
      return withoutJournal(loss, e);
    }
    plain.sweep();
    Optional<UnreadableCheckpoint> problem = content.flatMap(JournalCheckpointer::problem);
    if (problem.isPresent()) {
      plain.restorePrevious(latest, CheckpointFile.DAMAGED);
      dropJournal();
      return new Read.Previous(data, problem.get());
    }
    fold(latest);
    plain.dropPrevious();
    return new Read.Current(data);
  }

  /** One that is too large to be read is no checkpoint. */
  private Optional<byte[]> readPlain() throws IOException {
    try {
      return plain.read(CheckpointFile.BYTES_MAX);
    } catch (FileTooLarge e) {
      return Optional.of(new byte[0]);
    }
  }

  private static Optional<UnreadableCheckpoint> problem(byte[] content) {
    try {
      Object unused = CheckpointReaderJson.read(content);
      return Optional.empty();
    } catch (UnreadableCheckpoint e) {
      return Optional.of(e);
    }
  }

  /** The plain file lacks the entries that were appended. */
  private Read withoutJournal(DataLoss loss, UnreadableCheckpoint problem) throws IOException {
    if (loss == DataLoss.REFUSED) {
      return new Read.Refused(journal.path(), problem);
    }
    journal.moveAside(CheckpointFile.DAMAGED);
    Read read = file.read(loss);
    return read instanceof Read.Current current ? new Read.Previous(current.data(), problem) : read;
  }
}
