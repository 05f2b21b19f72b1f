package io.tidemark.it.program;

import io.tidemark.testing.Repository;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Manifests in a folder, as text. */
public record NodeFolder(Path path) {
  /** Files that are new are read when they have been quiet; these are read at once. */
  private static final FileTime LONG_AGO = FileTime.fromMillis(0);

  private static final Pattern ADDRESS =
      Pattern.compile("(?m)^      ([0-9.]+):\\R        resource: (\\S+)$");

  /** The manifests of a folder of the repository. */
  public static NodeFolder copy(String from, Path to) {
    NodeFolder folder = new NodeFolder(to);
    new NodeFolder(Repository.root().resolve(from)).content().forEach(folder::write);
    return folder;
  }

  /** Writes a manifest. */
  public void write(String file, String text) {
    try {
      Path written = Files.writeString(path.resolve(file), text);
      Files.setLastModifiedTime(written, LONG_AGO);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Deletes a manifest. */
  public void remove(String file) {
    try {
      Files.delete(path.resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Reads a manifest. */
  public String read(String file) {
    try {
      return Files.readString(path.resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** All files. */
  public SortedMap<String, String> content() {
    try (Stream<Path> files = Files.list(path)) {
      SortedMap<String, String> all = new TreeMap<>();
      files.forEach(
          file -> all.put(file.getFileName().toString(), read(file.getFileName().toString())));
      return all;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The pool of a node: addresses with the interfaces they are on. */
  public SortedMap<String, String> pool(String file) {
    SortedMap<String, String> pool = new TreeMap<>();
    Matcher matcher = ADDRESS.matcher(read(file));
    while (matcher.find()) {
      pool.put(matcher.group(1), matcher.group(2));
    }
    return pool;
  }
}
