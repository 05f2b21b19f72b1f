package io.tidemark.resource.directory;

import io.tidemark.resource.directory.FilePort.OpenFile;
import io.tidemark.resource.directory.ObjectEdit.Result;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * Makes edits in a file, at one instant for everybody who reads it: the new content is written
 * beside it, made durable and given the file's name. A crash leaves the old file or the new one.
 *
 * <p>What others write meanwhile is not lost. The file is compared with what was read immediately
 * before the name changes hands; and because the old file stays open, a program that was still
 * writing into it is noticed afterwards, its text is taken and the edits are made in that one. Only
 * a whole other file that gets the name between these two system calls goes unnoticed.
 */
final class FileReplacement {
  private static final int ATTEMPTS_MAX = 5;

  /** What the new content is called until it has the file's name; hidden, so no manifest. */
  private static final String NEW = ".tidemark-new";

  /** A second name of the old file, until it is known that nobody wrote into it. */
  private static final String OLD = ".tidemark-old";

  private final FilePort files;
  private final int lengthMax;
  private final AtomicLong attempts = new AtomicLong();

  FileReplacement(FilePort files, int lengthMax) {
    this.files = files;
    this.lengthMax = lengthMax;
  }

  /**
   * What came of it.
   *
   * @param file as it stands there now
   * @param stamp of the file
   * @param results by name of the object
   */
  record Replaced(ManifestFile file, String hash, FileStamp stamp, Map<String, Result> results) {}

  /**
   * Makes edits in whatever the file holds now.
   *
   * @param plan the edits for a content of the file; asked again when the content has changed
   */
  Replaced edit(Path file, String where, Function<ManifestFile, List<ObjectEdit>> plan)
      throws IOException, MalformedText {
    Path target = files.realPath(file);
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      Optional<Replaced> replaced = attempt(target, where, plan);
      if (replaced.isPresent()) {
        return replaced.get();
      }
    }
    throw new IOException("the file is being changed all the time by another program");
  }

  /** Empty when others wrote meanwhile; theirs stands there then. */
  private Optional<Replaced> attempt(
      Path target, String where, Function<ManifestFile, List<ObjectEdit>> plan)
      throws IOException, MalformedText {
    String number = Long.toString(attempts.incrementAndGet());
    Path temporary = target.resolveSibling("." + target.getFileName() + "." + number + NEW);
    Path second = target.resolveSibling("." + target.getFileName() + "." + number + OLD);
    FileStamp stamp = files.stamp(target);
    try (OpenFile open = files.open(target)) {
      byte[] before = open.read(lengthMax);
      ManifestFile read = ManifestFile.read(where, ManifestBytes.text(before));
      ManifestEdits made = ManifestEdits.of(read, plan.apply(read));
      if (!made.changed()) {
        return Optional.of(new Replaced(read, ManifestBytes.hash(before), stamp, made.results()));
      }
      byte[] after = ManifestBytes.bytes(made.file().text(), before);
      try {
        files.write(temporary, after, target);
        boolean linked = files.link(target, second);
        if (!Arrays.equals(open.read(lengthMax), before) || !files.stamp(target).equals(stamp)) {
          return Optional.empty();
        }
        files.replace(temporary, target);
        byte[] late = open.read(lengthMax);
        if (!Arrays.equals(late, before)) {
          giveBack(target, second, linked, late);
          return Optional.empty();
        }
        files.sync(parent(target));
        return Optional.of(
            new Replaced(
                made.file(), ManifestBytes.hash(after), files.stamp(target), made.results()));
      } finally {
        files.delete(temporary);
        files.delete(second);
      }
    }
  }

  /** Somebody is writing into the old file: it gets its name back. */
  private void giveBack(Path target, Path second, boolean linked, byte[] theirs)
      throws IOException {
    if (!linked) {
      files.write(second, theirs, target);
    }
    files.replace(second, target);
  }

  /** Removes what a crash left beside the files of {@code directory} whose names begin so. */
  void sweep(Path directory, String prefix) throws IOException {
    for (String name : files.list(directory)) {
      if (name.startsWith("." + prefix) && (name.endsWith(NEW) || name.endsWith(OLD))) {
        files.delete(directory.resolve(name));
      }
    }
  }

  private static Path parent(Path file) {
    return Objects.requireNonNull(file.getParent(), "a real path has a parent");
  }
}
