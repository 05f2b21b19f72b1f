package io.tidemark.file;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * A file that is replaced as a whole and that survives a crash at any instant: after it, the file
 * has the old content or the new one. Its owner alone may read it.
 *
 * <p>Every method blocks on the file system. One writer at a time; a {@link GroupCommit} is one.
 */
public final class AtomicFile {
  /** Name suffix of the new content until it has the file's name. */
  private static final String NEW = ".tidemark-new";

  /** Name suffix of the old content, where it is kept. */
  private static final String PREVIOUS = ".bak";

  private final Path file;
  private final FilePort files;
  private final boolean keepsPrevious;

  /**
   * A file, which need not exist.
   *
   * @param file in a folder that exists
   */
  public AtomicFile(Path file, FilePort files) {
    this(file, files, false);
  }

  private AtomicFile(Path file, FilePort files, boolean keepsPrevious) {
    this.file = file.toAbsolutePath();
    this.files = files;
    this.keepsPrevious = keepsPrevious;
  }

  /**
   * A file whose content before the last write stays beside it, under its name and {@code .bak};
   * not where the file system knows no second names.
   *
   * @param file in a folder that exists
   */
  public static AtomicFile keepingPrevious(Path file, FilePort files) {
    return new AtomicFile(file, files, true);
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
    return read(file, max);
  }

  /** The content before the last write; empty when none was kept. */
  public Optional<byte[]> readPrevious(int max) throws IOException {
    return read(previous(), max);
  }

  private Optional<byte[]> read(Path path, int max) throws IOException {
    try (FilePort.OpenFile open = files.open(path)) {
      return Optional.of(open.read(max));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  /** Replaces the content, durably; when it throws, the file has the old or the new one. */
  public void write(byte[] content) throws IOException {
    write(content, keepsPrevious);
  }

  /**
   * Replaces the content, which is damaged, by the one before it. The damaged one stays beside the
   * file, under its name and {@code suffix}, in place of an earlier one.
   */
  public void restorePrevious(byte[] previous, String suffix) throws IOException {
    setAside(suffix);
    write(previous, false);
  }

  /** Gives the file a second name, with {@code suffix}; a file that had it is gone. */
  private void setAside(String suffix) throws IOException {
    Path aside = file.resolveSibling(file.getFileName() + suffix);
    if (!files.link(file, aside)) {
      throw new IOException(file + " cannot be kept as " + aside);
    }
  }

  /** Takes the name from the file, which gets {@code suffix} behind it. */
  public void moveAside(String suffix) throws IOException {
    files.rename(file, file.resolveSibling(file.getFileName() + suffix));
    files.sync(folder());
  }

  private void write(byte[] content, boolean keep) throws IOException {
    Path temporary = temporary();
    try {
      files.write(temporary, content);
      if (keep) {
        keepPrevious();
      }
      files.rename(temporary, file);
    } catch (IOException e) {
      removeAfter(e);
      throw e;
    }
    files.sync(folder());
  }

  /** The previous content has its name at every instant, so a crash cannot lose it. */
  private void keepPrevious() throws IOException {
    try {
      if (files.link(file, secondName())) {
        files.rename(secondName(), previous());
      }
    } catch (NoSuchFileException e) {
      // The first write has none.
    }
  }

  /** Removes what a crash left beside the file. */
  public void sweep() throws IOException {
    files.delete(temporary());
    if (keepsPrevious) {
      files.delete(secondName());
    }
  }

  /** The names of what {@link #sweep} would remove. */
  public List<String> leftovers() throws IOException {
    Set<String> names = Set.of(name(temporary()), name(secondName()));
    return files.list(folder()).stream().filter(names::contains).sorted().toList();
  }

  private static String name(Path path) {
    return path.getFileName().toString();
  }

  private void removeAfter(IOException failure) {
    try {
      sweep();
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }

  private Path temporary() {
    return file.resolveSibling("." + file.getFileName() + NEW);
  }

  /** The path of the content before the last write. */
  public Path previous() {
    return file.resolveSibling(file.getFileName() + PREVIOUS);
  }

  /** Second name of the present content until it is the previous one. */
  private Path secondName() {
    return file.resolveSibling("." + file.getFileName() + PREVIOUS);
  }

  private Path folder() {
    return Objects.requireNonNull(file.getParent(), "an absolute path of a file has a parent");
  }
}
