package io.tidemark.manifests;

import io.tidemark.file.FilePort;
import io.tidemark.file.FilePort.OpenFile;
import io.tidemark.file.FileStamp;
import io.tidemark.manifests.ObjectEdit.Result;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
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
 * before the name changes hands. The file that lost its name is kept under a second one and
 * compared once more, after the exchange and again when the folder is durable: a whole other file
 * that had got the name, or what a program has written into the old one by then, gets the name
 * back, and the edits are made in that one.
 *
 * <p>Two moments remain: a file that gets the name between the two system calls of one {@link
 * FilePort#replace} is gone, and so is what a program that opened the old file writes into it after
 * the last comparison.
 */
final class FileReplacement {
  private static final int ATTEMPTS_MAX = 5;
  private static final int GIVEN_BACK_MAX = 5;

  /** What the new content is called until it has the file's name; hidden, so no manifest. */
  private static final String NEW = ".tidemark-new";

  /** A second name of the old file, until it is known that nobody wrote into it. */
  private static final String OLD = ".tidemark-old";

  private final ManifestKind<?> kind;
  private final FilePort files;
  private final int lengthMax;
  private final String suffix;
  private final AtomicLong attempts = new AtomicLong();

  /** Of a program of a role; another one may replace the same files. */
  FileReplacement(ManifestKind<?> kind, FilePort files, int lengthMax, String role) {
    this.suffix = role.isEmpty() ? "" : "-" + role;
    this.kind = kind;
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

  /** Makes a file that is there as a whole or not at all. */
  void create(Path file, String content) throws IOException {
    Path folder = files.realPath(parent(file));
    String name = String.valueOf(file.getFileName());
    if (files.list(folder).contains(name)) {
      throw new FileAlreadyExistsException(name);
    }
    Path temporary = folder.resolve("." + name + NEW + suffix);
    files.write(temporary, content.getBytes(StandardCharsets.UTF_8));
    files.rename(temporary, folder.resolve(name));
    files.sync(folder);
  }

  /**
   * Makes edits in whatever the file holds now.
   *
   * @param plan the edits for a content of the file; asked again when the content has changed
   */
  Replaced edit(Path file, Function<ManifestFile, List<ObjectEdit>> plan)
      throws IOException, TextFault {
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

  /** Empty when others wrote meanwhile; theirs stands there then. */
  private Optional<Replaced> attempt(
      Path target, String where, Function<ManifestFile, List<ObjectEdit>> plan)
      throws IOException, TextFault {
    String number = Long.toString(attempts.incrementAndGet());
    Path temporary =
        target.resolveSibling("." + target.getFileName() + "." + number + NEW + suffix);
    Path second = target.resolveSibling("." + target.getFileName() + "." + number + OLD + suffix);
    FileStamp stamp = files.stamp(target);
    try (OpenFile open = files.open(target)) {
      byte[] before = open.read(lengthMax);
      ManifestFile read = ManifestFile.read(kind, where, ManifestBytes.text(before));
      ManifestEdits made = ManifestEdits.of(read, plan.apply(read));
      if (!made.changed()) {
        return Optional.of(new Replaced(read, ManifestBytes.hash(before), stamp, made.results()));
      }
      byte[] after = ManifestBytes.bytes(made.file().text(), before);
      try {
        files.write(temporary, after, target);
        if (!Arrays.equals(open.read(lengthMax), before) || !files.stamp(target).equals(stamp)) {
          return Optional.empty();
        }
        FileStamp ours = files.stamp(temporary);
        boolean kept = files.replace(temporary, target, second);
        if (kept && !files.stamp(second).equals(stamp)) {
          giveBack(second, ours, target, temporary);
          return Optional.empty();
        }
        for (boolean durable : new boolean[] {false, true}) {
          if (durable) {
            files.sync(parent(target));
          }
          byte[] late = open.read(lengthMax);
          if (!Arrays.equals(late, before)) {
            if (!kept) {
              files.write(second, late, target);
            }
            giveBack(second, ours, target, temporary);
            return Optional.empty();
          }
        }
        return Optional.of(
            new Replaced(
                made.file(), ManifestBytes.hash(after), files.stamp(target), made.results()));
      } finally {
        files.delete(temporary);
        files.delete(second);
      }
    }
  }

  /**
   * Gives a file of others the name back, unless another one has got it by now: that is newer.
   *
   * @param ours stamp of the file that this program put there
   * @param spare a name that is free
   */
  private void giveBack(Path theirs, FileStamp ours, Path target, Path spare) throws IOException {
    Path next = theirs;
    Path aside = spare;
    FileStamp expected = ours;
    for (int i = 0; i < GIVEN_BACK_MAX && files.stamp(target).key().equals(expected.key()); i++) {
      FileStamp put = files.stamp(next);
      boolean kept = files.replace(next, target, aside);
      if (!kept || files.stamp(aside).key().equals(expected.key())) {
        return;
      }
      Path newer = aside;
      aside = next;
      next = newer;
      expected = put;
    }
  }

  /** Removes what a crash left beside the files of {@code directory} whose names begin so. */
  void sweep(Path directory, String prefix) throws IOException {
    for (String name : files.list(directory)) {
      if (name.startsWith("." + prefix) && isOurs(name)) {
        files.delete(directory.resolve(name));
      }
    }
  }

  private boolean isOurs(String name) {
    return name.endsWith(NEW + suffix) || name.endsWith(OLD + suffix);
  }

  private static Path parent(Path file) {
    return Objects.requireNonNull(file.getParent(), "a real path has a parent");
  }
}
