package io.tidemark.manifests;

import io.tidemark.file.FileTooLarge;
import io.tidemark.resource.ResourceProblem;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.util.Objects;

/** Errors of the file system in words. */
final class FileErrorText {
  private FileErrorText() {}

  static String of(IOException e) {
    if (e instanceof NoSuchFileException || e instanceof FileNotFoundException) {
      return "it does not exist";
    }
    if (e instanceof AccessDeniedException) {
      return "permission denied";
    }
    if (e instanceof NotDirectoryException) {
      return "it is no directory";
    }
    if (e instanceof FileSystemException f && f.getReason() != null) {
      return f.getReason();
    }
    return Objects.requireNonNullElse(e.getMessage(), e.getClass().getSimpleName());
  }

  /** Why a file or directory cannot be read. */
  static ResourceProblem unreadable(String where, IOException e) {
    String remedy = "Check that the path exists and may be read; reads are retried automatically.";
    if (e instanceof FileTooLarge) {
      remedy = "Split it into several files.";
    } else if (e instanceof AccessDeniedException) {
      remedy = "Give this user the permission to read it; reads are retried automatically.";
    }
    return new ResourceProblem(where, "", "cannot be read: " + of(e), remedy);
  }
}
