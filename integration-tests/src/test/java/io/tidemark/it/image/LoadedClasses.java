package io.tidemark.it.image;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** How many classes a JVM loaded, and how many of them from its class-data archive. */
record LoadedClasses(int all, long archived) {
  /** The option of the JVM that writes the log. */
  static String logTo(String file) {
    return "-Xlog:class+load:file=" + file;
  }

  static LoadedClasses of(Path log) throws IOException {
    List<String> lines = Files.readAllLines(log);
    return new LoadedClasses(
        lines.size(), lines.stream().filter(each -> each.contains("shared objects file")).count());
  }

  long archivedPercent() {
    return archived * 100 / all;
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%,d of %,d classes from the archive", archived, all);
  }
}
