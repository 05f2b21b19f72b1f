package io.tidemark.file;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;

/**
 * A file that is replaced as a whole and that survives a crash at any instant: after it, the file
 * has the old content or the new one. Its owner alone may read it.
 *
 * <p>Every method blocks on the file system. One writer at a time; a {@link GroupCommit} is one.
 */
public final class AtomicFile {
  /** What the new content is called until it has the file's name. */
  private static final String NEW = ".tidemark-new";

  private final Path file;
  private final FilePort files;

  /**
   * A file, which need not exist.
   *
   * @param file in a folder that exists
   */
  public AtomicFile(Path file, FilePort files) {
    this.file = file.toAbsolutePath();
    this.files = Objects.requireNonNull(files, "files");
  }

  /** Its path. */
  public Path path() {
    return file;
  }

  /**
   * Its content; empty when there is no such file.
   *
   * @param max bytes of the largest content; more are an error
   */
  public Optional<byte[]> read(int max) throws IOException {
    try (FilePort.OpenFile open = files.open(file)) {
      return Optional.of(open.read(max));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /**
   * Replaces the content; it is durable when this returns. When it throws, the file has the old
   * content or the new one.
   */
  public void write(byte[] content) throws IOException {
    Path temporary = temporary();
    try {
      files.write(temporary, content);
      files.rename(temporary, file);
    } catch (IOException e) {
      removeAfter(e, temporary);
      throw e;
    }
    files.sync(folder());
  }

  /** Removes what a crash left beside the file. */
  public void sweep() throws IOException {
    files.delete(temporary());
  }

  private void removeAfter(IOException failure, Path temporary) {
    try {
      files.delete(temporary);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  private Path temporary() {
    return file.resolveSibling("." + file.getFileName() + NEW);
  }

  private Path folder() {
    return Objects.requireNonNull(file.getParent(), "an absolute path of a file has a parent");
  }
}
