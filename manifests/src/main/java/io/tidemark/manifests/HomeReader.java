package io.tidemark.manifests;

import io.tidemark.file.FilePort;
import io.tidemark.file.FilePort.OpenFile;
import io.tidemark.file.FileStamp;
import io.tidemark.file.FileTooLarge;
import io.tidemark.manifests.HomeScan.Found;
import io.tidemark.manifests.HomeScan.Known;
import io.tidemark.resource.ResourceProblem;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Looks at the files of a home. Every call blocks on the file system. */
final class HomeReader {
  private final FilePort files;
  private final Path home;
  private final boolean directory;
  private final int lengthMax;

  HomeReader(FilePort files, Path home, boolean directory, int lengthMax) {
    this.files = files;
    this.home = home;
    this.directory = directory;
    this.lengthMax = lengthMax;
  }

  /** Looks at all files; those whose stamp is known are not read again. */
  HomeScan lookAtAll(Map<Path, Known> known) {
    List<Path> paths;
    try {
      paths = directory ? manifests(files.list(home)) : List.of(home);
    } catch (IOException e) {
      ResourceProblem problem = Words.unreadable(home.toString(), e);
      return new HomeScan(Optional.of(problem), true, Map.of());
    }
    Map<Path, Optional<Found>> found = look(paths, known);
    found.values().removeIf(Optional::isEmpty);
    if (!directory && found.isEmpty()) {
      IOException gone = new NoSuchFileException(home.toString());
      ResourceProblem problem = Words.unreadable(home.toString(), gone);
      return new HomeScan(Optional.of(problem), true, Map.of());
    }
    return new HomeScan(Optional.empty(), true, found);
  }

  /** Looks at some files. */
  HomeScan lookAt(Collection<Path> paths, Map<Path, Known> known) {
    return new HomeScan(Optional.empty(), false, look(paths, known));
  }

  private List<Path> manifests(List<String> names) {
    List<Path> paths = new ArrayList<>();
    for (String name : names) {
      boolean manifest = name.endsWith(".yaml") || name.endsWith(".yml") || name.endsWith(".json");
      if (manifest && !name.startsWith(".")) {
        paths.add(home.resolve(name));
      }
    }
    Collections.sort(paths);
    return paths;
  }

  private Map<Path, Optional<Found>> look(Collection<Path> paths, Map<Path, Known> known) {
    Map<Path, Optional<Found>> found = new HashMap<>();
    for (Path path : paths) {
      found.put(path, look(path, Optional.ofNullable(known.get(path))));
    }
    return found;
  }

  /** Looks at one file; empty when it is not there, or no file. */
  Optional<Found> look(Path path, Optional<Known> known) {
    FileView before = known.map(Known::view).orElseGet(FileView::nothing);
    try {
      FileStamp stamp = files.stamp(path);
      if (!stamp.regular()) {
        return Optional.empty();
      }
      if (known.isPresent() && known.get().stamp().equals(stamp) && !known.get().again()) {
        return Optional.of(new Found(stamp, before, false));
      }
      FileView view = read(path, stamp, before);
      boolean finished = before.objects().isEmpty() && files.isFinished(path);
      return Optional.of(new Found(stamp, view, finished));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    } catch (IOException e) {
      FileStamp none = new FileStamp(true, "", 0, 0);
      return Optional.of(new Found(none, FileView.unreadable(path.toString(), e), false));
    }
  }

  private FileView read(Path path, FileStamp stamp, FileView before) throws IOException {
    String where = path.toString();
    if (stamp.size() > lengthMax) {
      throw new FileTooLarge(lengthMax);
    }
    try (OpenFile open = files.open(path)) {
      byte[] content = open.read(lengthMax);
      String hash = ManifestBytes.hash(content);
      if (hash.equals(before.hash())) {
        return before;
      }
      try {
        ManifestFile file = ManifestFile.read(where, ManifestBytes.text(content));
        return FileView.of(file, hash, before);
      } catch (MalformedText e) {
        ResourceProblem problem = new ResourceProblem(where, "", e.problem(), e.remedy());
        return FileView.unreadable(problem);
      }
    }
  }
}
