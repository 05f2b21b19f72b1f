package io.tidemark.manifests;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.file.AtomicFile;
import io.tidemark.file.FileErrorText;
import io.tidemark.file.FilePort;
import io.tidemark.file.FilePort.OpenFile;
import io.tidemark.file.FileStamp;
import io.tidemark.file.FileTooLarge;
import io.tidemark.resource.ResourceProblem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * The files of a folder, or one file. Every call blocks on the file system.
 *
 * @param folder as people named it; a single file, too
 * @param directory whether it is a directory, not a single file
 * @param lengthMax bytes of the largest file that is read
 * @param role of the program, as {@link FolderAccess} has it
 */
record FolderFiles<T>(
    ManifestKind<T> kind,
    FilePort files,
    Path folder,
    boolean directory,
    int lengthMax,
    String role) {
  private static final int ATTEMPTS_MAX = 5;

  /**
   * Looks at all files; those whose stamp is known are not read again.
   *
   * @throws IOException when the folder cannot be listed, or the single file is not there
   */
  Map<Path, ManifestFile<T>> scan(Function<Path, ManifestFile<T>> known) throws IOException {
    List<Path> paths = List.of(folder);
    if (directory) {
      paths =
          files.list(folder).stream()
              .filter(name -> name.matches("[^.].*[.](yaml|yml|json)"))
              .map(folder::resolve)
              .toList();
    }
    Map<Path, ManifestFile<T>> found = new TreeMap<>();
    for (Path path : paths) {
      ManifestFile<T> look = look(path, known.apply(path));
      if (!look.isAbsent()) {
        found.put(path, look);
      }
    }
    if (!directory && found.isEmpty()) {
      throw new NoSuchFileException(folder.toString());
    }
    return found;
  }

  private ManifestFile<T> look(Path path, ManifestFile<T> known) {
    try {
      FileStamp stamp = files.stamp(path);
      if (!stamp.regular()) {
        return ManifestFile.nothing();
      }
      if (stamp.size() > lengthMax) {
        throw new FileTooLarge(lengthMax);
      }
      return known.stamp().equals(stamp)
          ? known
          : ManifestFile.read(kind, path.toString(), stamp, content(path));
    } catch (NoSuchFileException e) {
      return ManifestFile.nothing();
    } catch (IOException e) {
      FileStamp unknown = new FileStamp(true, "", 0, 0);
      return ManifestFile.unreadable(unknown, unreadable(path.toString(), e));
    }
  }

  /** Why a file or directory cannot be read. */
  static ResourceProblem unreadable(String where, IOException e) {
    String remedy = "Check that the path exists and may be read; reads are retried automatically.";
    if (e instanceof FileTooLarge) {
      remedy = "Split it into several files.";
    } else if (e instanceof AccessDeniedException) {
      remedy = "Give this user the permission to read it; reads are retried automatically.";
    }
    return new ResourceProblem(where, "", "cannot be read: " + FileErrorText.of(e), remedy);
  }

  private byte[] content(Path file) throws IOException {
    try (OpenFile open = files.open(file)) {
      return open.read(lengthMax);
    }
  }

  /** Makes a file that is there as a whole or not at all; false when there is one. */
  boolean create(Path file, String content) throws IOException {
    if (files.list(folder).contains(String.valueOf(file.getFileName()))) {
      return false;
    }
    new AtomicFile(file, files).write(content.getBytes(StandardCharsets.UTF_8));
    return true;
  }

  /**
   * Changes an object in its file, which is written as a whole: the new content is written beside
   * it, made durable and given the file's name. A crash leaves the old file or the new one. The
   * file is compared with the content that was read right before the name changes; if others wrote
   * meanwhile, the edit is repeated on theirs. Between the comparison and the rename a change of a
   * program that takes no lock can be lost.
   *
   * @param hash of the object
   * @return the file afterwards; empty when the object is another one by now
   */
  Optional<ManifestFile<T>> edit(Path file, String hash, UnaryOperator<ObjectNode> change)
      throws IOException {
    Path target = files.realPath(file);
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
      Optional<ManifestFile<T>> end =
          FolderLock.during(folder(target), () -> attempt(target, file.toString(), hash, change));
      if (end.isEmpty() || !end.get().isAbsent()) {
        return end;
      }
    }
    throw new IOException("the file is being changed all the time by another program");
  }

  /** Absent when others wrote meanwhile. */
  private Optional<ManifestFile<T>> attempt(
      Path target, String where, String hash, UnaryOperator<ObjectNode> change) throws IOException {
    FileStamp stamp = files.stamp(target);
    byte[] before = content(target);
    ManifestDocument.Text text = ManifestDocument.read(where, ManifestFile.text(before));
    List<ObjectNode> same =
        text.objects().stream().filter(each -> ManifestFile.hash(each).equals(hash)).toList();
    if (same.size() != 1) {
      return Optional.empty();
    }
    ObjectNode wanted = change.apply(same.get(0));
    if (wanted.equals(same.get(0))) {
      return Optional.of(ManifestFile.read(kind, where, stamp, before));
    }
    same.get(0).removeAll().setAll(wanted);
    byte[] after = text.print().getBytes(StandardCharsets.UTF_8);
    Path temporary = target.resolveSibling("." + target.getFileName() + suffix());
    try {
      files.write(temporary, after, target);
      if (!Arrays.equals(content(target), before) || !files.stamp(target).equals(stamp)) {
        return Optional.of(ManifestFile.nothing());
      }
      files.rename(temporary, target);
    } finally {
      files.delete(temporary);
    }
    files.sync(folder(target));
    return Optional.of(ManifestFile.read(kind, where, files.stamp(target), after));
  }

  private static Path folder(Path target) {
    return Objects.requireNonNull(target.getParent(), "a real path has a parent");
  }

  /**
   * Name suffix of a new content until it has the file's name; hidden, so no manifest. Each role
   * has its own, since a program that cannot write the lock file writes beside the others.
   */
  private String suffix() {
    return ".tidemark-new" + (role.isEmpty() ? "" : "-" + role);
  }

  /** Removes the new contents that a crash of this role left. */
  void sweep(Path real) throws IOException {
    for (String name : files.list(real)) {
      if (name.startsWith(".") && name.endsWith(suffix())) {
        files.delete(real.resolve(name));
      }
    }
  }
}
