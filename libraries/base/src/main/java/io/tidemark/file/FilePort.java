package io.tidemark.file;

import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The file system for programs that must not lose a file; every call may block and fail. */
public interface FilePort {
  /** Names in {@code directory}, in no order. */
  List<String> list(Path directory) throws IOException;

  /** Whether {@code path} is a directory. */
  boolean isDirectory(Path path) throws IOException;

  /** The file that {@code path} leads to once links are followed. */
  Path realPath(Path path) throws IOException;

  /** The attributes of a file; follows links. */
  FileStamp stamp(Path file) throws IOException;

  /** Opens a file for reading; it stays readable after another file takes its name. */
  OpenFile open(Path file) throws IOException;

  /**
   * Writes a new file, or replaces one that a crash left behind, with the permissions of {@code
   * like}, and forces it to disk.
   */
  void write(Path file, byte[] content, Path like) throws IOException;

  /**
   * Writes a new file that its owner alone may read and write, or replaces one that a crash left
   * behind, and forces it to disk.
   */
  void write(Path file, byte[] content) throws IOException;

  /** Gives {@code from} the name {@code to} at one instant; a file that had it is gone. */
  void rename(Path from, Path to) throws IOException;

  /**
   * Gives {@code file} the name {@code second} as well; a file that had it is gone. Fails when
   * there is no {@code file}.
   *
   * @return false where the file system knows no second names: then nothing has changed
   */
  boolean link(Path file, Path second) throws IOException;

  /** Makes the names in {@code directory} durable. */
  void sync(Path directory) throws IOException;

  /** Removes a file if it is there. */
  void delete(Path file) throws IOException;

  /** A file held open. */
  interface OpenFile extends Closeable {
    /** Its content now, from the first byte; more than {@code max} bytes are an error. */
    byte[] read(int max) throws IOException;
  }
}
