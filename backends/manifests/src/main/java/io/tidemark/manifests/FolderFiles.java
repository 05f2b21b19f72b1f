package io.tidemark.manifests;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.file.AtomicFile;
import io.tidemark.file.FileErrorText;
import io.tidemark.file.FilePort;
import io.tidemark.file.FilePort.OpenFile;
import io.tidemark.file.FileStamp;
import io.tidemark.file.FileTooLarge;
import io.tidemark.file.ProgramLock;
import io.tidemark.file.ProgramLock.Work;
import io.tidemark.resource.ResourceProblem;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
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
 * The files of a folder, or one file. Every call blocks on the file system. A lock keeps a second
 * program of the same role away. In a folder in which an operator and agents write, another one
 * lets one of them replace a file at a time: a replacement compares and renames in two calls, so
 * two at once would lose one change.
 *
 * @param folder as people named it; a single file, too
 * @param lengthMax bytes of the largest file that is read
 * @param role of the program: one of each may write; empty for the operator
 */
record FolderFiles<T>(
    ManifestKind<T> kind, Path folder, FilePort files, int lengthMax, String role) {
  private static final String SHARED = ".tidemark.write-lock";

  boolean isDirectory() throws IOException {
    return files.isDirectory(files.realPath(folder));
  }

  /**
   * Locks the folder for the role, and removes what a crash of it left; the result gives the lock
   * back. Throws {@code STORE_IN_USE}, naming the process, or {@code STORE_UNWRITABLE}.
   */
  Runnable lock() throws IOException {
    Path real = files.realPath(folder);
    Path place = isDirectory() ? real : parent(real);
    ProgramLock lock = taken(place, place.resolve(".tidemark" + ofRole() + ".lock"));
    try {
      for (String name : files.list(place)) {
        if (name.startsWith(".") && name.endsWith(suffix())) {
          files.delete(place.resolve(name));
        }
      }
      if (!role.isEmpty()) {
        share(place);
      }
      return lock::remove;
    } catch (IOException e) {
      lock.remove();
      throw e;
    }
  }

  private static ProgramLock taken(Path place, Path lock) {
    try {
      return ProgramLock.takeNamed(lock);
    } catch (ProgramLock.InUse e) {
      String detail = place + " is in use by " + e.getMessage() + ", which holds " + lock;
      throw new IpamException(CoreError.STORE_IN_USE, detail, e);
    } catch (IOException e) {
      String detail = "cannot make the lock of " + place + ": " + FileErrorText.of(e);
      throw new IpamException(CoreError.STORE_UNWRITABLE, detail, e);
    }
  }

  /** From now on writers in a folder wait for each other; the lock file stays. */
  static void share(Path folder) throws IOException {
    try {
      Files.createFile(folder.resolve(SHARED));
    } catch (FileAlreadyExistsException e) {
      return;
    }
  }

  /** Works while nobody else does in this process and, if the folder is shared, in any other. */
  static <R> R during(Path folder, Work<R> work) throws IOException {
    return ProgramLock.during(folder.resolve(SHARED), work);
  }

  /** Looks at all files, or at one that must be there; known ones are not read again. */
  Map<Path, ManifestFile<T>> scan(Function<Path, ManifestFile<T>> known) throws IOException {
    Map<Path, ManifestFile<T>> found = new TreeMap<>();
    boolean directory = isDirectory();
    for (String name : directory ? files.list(folder) : List.of("")) {
      Path path = folder.resolve(name);
      if (!directory || name.matches("[^.].*[.](yaml|yml|json)")) {
        found.put(path, look(path, known.apply(path)));
      }
    }
    if (!directory && found.values().stream().allMatch(ManifestFile::isAbsent)) {
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
      return known.stamp().equals(stamp)
          ? known
          : ManifestFile.read(kind, path.toString(), stamp, content(path));
    } catch (NoSuchFileException e) {
      return ManifestFile.nothing();
    } catch (IOException e) {
      return ManifestFile.unreadable(ManifestFile.UNKNOWN, unreadable(path.toString(), e));
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
    return during(
        files.realPath(folder),
        () -> {
          if (files.list(folder).contains(String.valueOf(file.getFileName()))) {
            return false;
          }
          new AtomicFile(file, files).write(content.getBytes(StandardCharsets.UTF_8));
          return true;
        });
  }

  /**
   * Changes an object in its file, which is written as a whole. The result is the file afterwards;
   * without a change it is empty when the object is another one, absent when others wrote the file.
   *
   * @param hash of the object
   */
  Optional<ManifestFile<T>> edit(Path file, String hash, UnaryOperator<ObjectNode> change)
      throws IOException {
    Path target = files.realPath(file);
    return during(
        parent(target),
        () -> {
          FileStamp stamp = files.stamp(target);
          byte[] before = content(target);
          List<ManifestDocument> documents = ManifestDocument.read(file.toString(), before);
          List<ObjectNode> same = ManifestDocument.objects(documents);
          same.removeIf(each -> !ManifestFile.hash(each).equals(hash));
          if (same.size() != 1) {
            return Optional.empty();
          }
          ObjectNode wanted = change.apply(same.get(0));
          boolean changes = !wanted.equals(same.get(0));
          same.get(0).removeAll().setAll(wanted);
          byte[] after = changes ? ManifestDocument.print(documents) : before;
          return Optional.of(
              changes && !replace(target, stamp, before, after)
                  ? ManifestFile.nothing()
                  : ManifestFile.read(kind, file.toString(), ManifestFile.UNKNOWN, after));
        });
  }

  /**
   * Replaces a content; false when the file has another one by now. The new one is written beside
   * it, made durable and given the file's name, so a crash leaves the old one or the new one. A
   * program that takes no lock can lose a change between the comparison and the rename.
   */
  private boolean replace(Path target, FileStamp stamp, byte[] before, byte[] after)
      throws IOException {
    Path temporary = target.resolveSibling("." + target.getFileName() + suffix());
    try {
      files.write(temporary, after, target);
      if (!Arrays.equals(content(target), before) || !files.stamp(target).equals(stamp)) {
        return false;
      }
      files.rename(temporary, target);
    } finally {
      files.delete(temporary);
    }
    files.sync(parent(target));
    return true;
  }

  private static Path parent(Path target) {
    return Objects.requireNonNull(target.getParent(), "a real path has a parent");
  }

  /** Of a new content until it has the file's name, which is hidden, so no manifest. */
  private String suffix() {
    return ".tidemark-new" + ofRole();
  }

  /** Each role has its own files, since not every program can write the lock file of all. */
  private String ofRole() {
    return role.isEmpty() ? "" : "-" + role;
  }
}
