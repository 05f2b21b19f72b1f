package io.tidemark.file;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Objects;

/** Errors of the file system in words, for messages to people. */
public final class FileErrorText {
  private FileErrorText() {}

  /** Why it failed, without the path. */
  public static String of(IOException e) {
    if (e instanceof NoSuchFileException || e instanceof FileNotFoundException) {
      return "it does not exist";
    }
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (e instanceof NotDirectoryException) {
      return "it is not a directory";
    }
    if (e instanceof FileSystemException f && f.getReason() != null) {
      return f.getReason();
    }
    return Objects.requireNonNullElse(e.getMessage(), e.getClass().getSimpleName());
  }
}
