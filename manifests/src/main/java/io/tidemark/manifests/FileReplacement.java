package io.tidemark.manifests;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.file.FilePort;
import io.tidemark.file.FilePort.OpenFile;
import io.tidemark.file.FileStamp;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Writes a file as a whole: the new content is written beside it, made durable and given the file's
 * name. A crash leaves the old file or the new one. The file is compared with the content that was
 * read right before the name changes; if others wrote meanwhile, the edit is repeated on theirs.
 * Between the comparison and the rename a change of a program that takes no lock can be lost.
 */
final class FileReplacement {
  private static final int ATTEMPTS_MAX = 5;

  /** Name suffix of the new content until it has the file's name; hidden, so no manifest. */
  private static final String NEW = ".tidemark-new";

  private final ManifestKind<?> kind;
  private final FilePort files;
  private final int lengthMax;
  private final String suffix;
  private final AtomicLong attempts = new AtomicLong();

  /** Of a program of a role; another one may replace the same files. */
  FileReplacement(ManifestKind<?> kind, FilePort files, int lengthMax, String role) {
    this.suffix = NEW + (role.isEmpty() ? "" : "-" + role);
    this.kind = kind;
    this.files = files;
    this.lengthMax = lengthMax;
  }

  /** Decides which objects of a content change; called again when the content has changed. */
  @FunctionalInterface
  interface Plan {
    /** The objects to write, by name; none leaves the file as it is. */
    Map<String, ObjectNode> changes(ManifestFile read);
  }

  /**
   * The file after an edit.
   *
   * @param content as it is now
   */
  record Replaced(ManifestFile content, String hash, FileStamp stamp) {}

  /** Makes a file that is there as a whole or not at all. */
  void create(Path file, String content) throws IOException {
    Path folder = files.realPath(parent(file));
    String name = String.valueOf(file.getFileName());
    if (files.list(folder).contains(name)) {
      throw new FileAlreadyExistsException(name);
    }
    Path temporary = folder.resolve("." + name + suffix);
    files.write(temporary, content.getBytes(StandardCharsets.UTF_8));
    files.rename(temporary, folder.resolve(name));
    files.sync(folder);
  }

  /** Edits the present content of a file. */
  Replaced edit(Path file, Plan plan) throws IOException {
    Path target = files.realPath(file);
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      Optional<Replaced> replaced =
          FolderWriteLock.take(parent(target), () -> attempt(target, file.toString(), plan));
      if (replaced.isPresent()) {
        return replaced.get();
      }
    }
    throw new IOException("the file is being changed all the time by another program");
  }

  /** Empty when others wrote meanwhile. */
  private Optional<Replaced> attempt(Path target, String where, Plan plan) throws IOException {
    FileStamp stamp = files.stamp(target);
    byte[] before = content(target);
    ManifestFile read = ManifestFile.read(kind, where, ManifestBytes.text(before));
    Map<String, ObjectNode> changes = plan.changes(read);
    if (changes.isEmpty()) {
      return Optional.of(new Replaced(read, ManifestBytes.hash(before), stamp));
    }
    String text = read.print(changes);
    byte[] after = text.getBytes(StandardCharsets.UTF_8);
    Path temporary =
        target.resolveSibling(
            "." + target.getFileName() + "." + attempts.incrementAndGet() + suffix);
    try {
      files.write(temporary, after, target);
      if (!Arrays.equals(content(target), before) || !files.stamp(target).equals(stamp)) {
        return Optional.empty();
      }
      files.rename(temporary, target);
    } finally {
      files.delete(temporary);
    }
    files.sync(parent(target));
    return Optional.of(
        new Replaced(
            ManifestFile.read(kind, where, text), ManifestBytes.hash(after), files.stamp(target)));
  }

  private byte[] content(Path target) throws IOException {
    try (OpenFile open = files.open(target)) {
      return open.read(lengthMax);
    }
  }

  /** Removes the new contents that a crash left beside the files whose names begin so. */
  void sweep(Path directory, String prefix) throws IOException {
    for (String name : files.list(directory)) {
      if (name.startsWith("." + prefix) && name.endsWith(suffix)) {
        files.delete(directory.resolve(name));
      }
    }
  }

  private static Path parent(Path file) {
    return Objects.requireNonNull(file.getParent(), "a real path has a parent");
  }
}
