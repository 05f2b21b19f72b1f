package io.tidemark.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The checkout that a test runs in. */
public final class Repository {
  private Repository() {}

  /** Its top directory, whichever module's directory the test was started in. */
  public static Path root() {
    Path at = Path.of("").toAbsolutePath();
    while (!Files.isDirectory(at.resolve(".mvn"))) {
      Path parent = at.getParent();
      if (parent == null) {
        throw new IllegalStateException(
            "no directory above " + Path.of("").toAbsolutePath() + " holds .mvn");
      }
      at = parent;
    }
    return at;
  }

  /** The text of a file, by its path from the top, such as {@code docs/errors.md}. */
  public static String text(String path) {
    try {
      return Files.readString(root().resolve(path), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
