package io.tidemark.datastore.checkpoint;

import io.tidemark.datastore.checkpoint.UnreadableCheckpoint.Kind;
import io.tidemark.file.AtomicFile;
import io.tidemark.file.FilePort;
import io.tidemark.file.FileTooLarge;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * The file of a checkpoint as it is found at the start. Beside it lies the content before the last
 * write, which is used when the file is damaged. A damaged file is never lost: it is kept under its
 * name and {@code .bad}.
 *
 * <p>Every method blocks on the file system. To be read before anything is written.
 */
public final class CheckpointFile implements Checkpointer {
  /** Bytes of the largest file; a hundred times what the largest node needs. */
  public static final int BYTES_MAX = 32 << 20;

  /** Behind the name of a damaged file. */
  public static final String DAMAGED = ".bad";

  /** Behind the name of a journal, which a read folds into the file. */
  public static final String JOURNAL = ".journal";

  private final AtomicFile file;
  private final CheckpointJournal journal;

  /** The reaction when neither file can be read. */
  public enum DataLoss {
    /** Nothing: both stay as they are, and the start fails. */
    REFUSED,
    /** The store begins without assignments, so that it may assign addresses that pods have. */
    ALLOWED
  }

  /** How reading ended. */
  public sealed interface Read {
    /** The content that was read; empty when there is none. */
    default CheckpointData data() {
      return CheckpointData.EMPTY;
    }

    record Current(CheckpointData data) implements Read {}

    /**
     * With the content before the last write, which is the content of the file again; what changed
     * with that write is not known.
     *
     * @param problem of the file
     */
    record Previous(CheckpointData data, UnreadableCheckpoint problem) implements Read {}

    /**
     * There is none.
     *
     * @param problem why the file that was there was put aside; empty when there was none
     */
    record Absent(Optional<UnreadableCheckpoint> problem) implements Read {}

    /** Without; nothing was changed. */
    record Refused(Path file, UnreadableCheckpoint problem) implements Read {}
  }

  /**
   * A file, which need not exist.
   *
   * @param file in a folder that exists
   */
  public CheckpointFile(Path file, FilePort files) {
    this.file = AtomicFile.keepingPrevious(file, files);
    this.journal = new CheckpointJournal(this.file, files);
  }

  /** The file of a network card: the first one's is {@code path} itself. */
  public static Path ofCard(Path path, int card) {
    if (card == 0) {
      return path;
    }
    String name = Objects.requireNonNull(path.getFileName(), "a file has a name").toString();
    String base = name.endsWith(".json") ? name.substring(0, name.length() - 5) : name;
    return path.resolveSibling(base + "-nic-" + card + ".json");
  }

  @Override
  public String name() {
    return file.path().toString();
  }

  @Override
  public void checkpoint(byte[] content) throws IOException {
    file.write(content);
  }

  /** Reads it; a file that cannot be read is refused. */
  @Override
  public Read restore() throws IOException {
    return read(DataLoss.REFUSED);
  }

  /**
   * Folds a journal into it, reads it, and removes what a crash left beside it. A journal that
   * cannot be read is treated like the file, which lacks its changes.
   */
  public Read read(DataLoss loss) throws IOException {
    file.sweep();
    try {
      journal.fold();
    } catch (UnreadableCheckpoint e) {
      if (loss == DataLoss.REFUSED) {
        return new Read.Refused(journal.path(), e);
      }
      journal.moveAside();
      Read read = readFile(loss);
      return read instanceof Read.Current current ? new Read.Previous(current.data(), e) : read;
    }
    return readFile(loss);
  }

  private Read readFile(DataLoss loss) throws IOException {
    UnreadableCheckpoint problem;
    try {
      Optional<byte[]> bytes = file.read(BYTES_MAX);
      return bytes.isEmpty()
          ? new Read.Absent(Optional.empty())
          : new Read.Current(CheckpointReaderJson.read(bytes.get()));
    } catch (UnreadableCheckpoint e) {
      problem = e;
    } catch (FileTooLarge e) {
      problem = new UnreadableCheckpoint(Kind.CORRUPT, String.valueOf(e.getMessage()));
    }
    if (problem.kind() == Kind.CORRUPT) {
      Optional<Read> previous = readPrevious(problem);
      if (previous.isPresent()) {
        return previous.get();
      }
    }
    if (loss == DataLoss.REFUSED) {
      return new Read.Refused(file.path(), problem);
    }
    file.moveAside(DAMAGED);
    return new Read.Absent(Optional.of(problem));
  }

  private Optional<Read> readPrevious(UnreadableCheckpoint problem) throws IOException {
    Optional<byte[]> bytes = file.readPrevious(BYTES_MAX);
    if (bytes.isEmpty()) {
      return Optional.empty();
    }
    CheckpointData data;
    try {
      data = CheckpointReaderJson.read(bytes.get());
    } catch (UnreadableCheckpoint e) {
      return Optional.empty();
    }
    file.restorePrevious(bytes.get(), DAMAGED);
    return Optional.of(new Read.Previous(data, problem));
  }
}
