package io.tidemark.manifests;

import io.tidemark.file.FileErrorText;
import io.tidemark.file.FilePort;
import io.tidemark.file.FilePort.OpenFile;
import io.tidemark.file.FileStamp;
import io.tidemark.file.FileTooLarge;
import io.tidemark.resource.ResourceProblem;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Looks at the files of a folder, or at one file. Every call blocks on the file system. */
final class FolderReader<T> {
  /**
   * The result of one look.
   *
   * @param problem why the folder itself cannot be listed
   * @param complete whether all files were looked at, so that a file that is missing here is gone
   * @param files what was found, by file; empty for a file that was asked for and is not there
   */
  record Scan<T>(
      Optional<ResourceProblem> problem, boolean complete, Map<Path, Optional<Found<T>>> files) {
    static <T> Scan<T> failed(ResourceProblem problem) {
      return new Scan<>(Optional.of(problem), true, Map.of());
    }
  }

  /** A file as it was found. */
  record Found<T>(FileStamp stamp, FileView<T> view) {}

  /**
   * The knowledge of a file.
   *
   * @param again whether the content is read even if the stamp is the same
   * @param changes tells whether something newer is known once the look ends
   */
  record Known<T>(FileStamp stamp, FileView<T> view, boolean again, long changes) {}

  private final ManifestKind<T> kind;
  private final FilePort files;
  private final Path folder;
  private final boolean directory;
  private final int lengthMax;

  FolderReader(
      ManifestKind<T> kind, FilePort files, Path folder, boolean directory, int lengthMax) {
    this.kind = kind;
    this.files = files;
    this.folder = folder;
    this.directory = directory;
    this.lengthMax = lengthMax;
  }

  /** Whether it is a directory that is read, not a single file. */
  boolean isDirectory() {
    return directory;
  }

  /** Looks at all files; those whose stamp is known are not read again. */
  Scan<T> lookAtAll(Map<Path, Known<T>> known) {
    try {
      List<Path> paths = List.of(folder);
      if (directory) {
        paths =
            files.list(folder).stream()
                .filter(name -> name.matches("[^.].*[.](yaml|yml|json)"))
                .map(folder::resolve)
                .toList();
      }
      Map<Path, Optional<Found<T>>> found = lookAt(paths, known).files();
      found.values().removeIf(Optional::isEmpty);
      if (!directory && found.isEmpty()) {
        throw new NoSuchFileException(folder.toString());
      }
      return new Scan<>(Optional.empty(), true, found);
    } catch (IOException e) {
      return Scan.failed(unreadable(folder.toString(), e));
    }
  }

  /** Looks at some files. */
  Scan<T> lookAt(Collection<Path> paths, Map<Path, Known<T>> known) {
    Map<Path, Optional<Found<T>>> found = new HashMap<>();
    paths.stream().sorted().forEach(path -> found.put(path, look(path, known.get(path))));
    return new Scan<>(Optional.empty(), false, found);
  }

  /** Looks at one file; empty when it is not there, or no file. */
  Optional<Found<T>> look(Path path, @Nullable Known<T> known) {
    FileView<T> before = known == null ? FileView.nothing() : known.view();
    try {
      FileStamp stamp = files.stamp(path);
      if (!stamp.regular()) {
        return Optional.empty();
      }
      if (known != null && known.stamp().equals(stamp) && !known.again()) {
        return Optional.of(new Found<>(stamp, before));
      }
      return Optional.of(new Found<>(stamp, read(path, stamp, before)));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      FileView<T> view = FileView.unreadable(unreadable(path.toString(), e));
      return Optional.of(new Found<>(new FileStamp(true, "", 0, 0), view));
    }
  }

  private FileView<T> read(Path path, FileStamp stamp, FileView<T> before) throws IOException {
    if (stamp.size() > lengthMax) {
      throw new FileTooLarge(lengthMax);
    }
    String where = path.toString();
    try (OpenFile open = files.open(path)) {
      byte[] content = open.read(lengthMax);
      String hash = ManifestBytes.hash(content);
      return hash.equals(before.hash())
          ? before
          : FileView.of(
              kind, ManifestFile.read(kind, where, ManifestBytes.text(content)), hash, before);
    } catch (UnreadableManifest e) {
      return FileView.unreadable(new ResourceProblem(e.place(where), "", e.problem(), e.remedy()));
    }
  }

  /** Why a file or directory cannot be read. */
  private static ResourceProblem unreadable(String where, IOException e) {
    String remedy = "Check that the path exists and may be read; reads are retried automatically.";
    if (e instanceof FileTooLarge) {
      remedy = "Split it into several files.";
    } else if (e instanceof AccessDeniedException) {
      remedy = "Give this user the permission to read it; reads are retried automatically.";
    }
    return new ResourceProblem(where, "", "cannot be read: " + FileErrorText.of(e), remedy);
  }
}
