package io.tidemark.config;

import io.tidemark.error.CoreError;
import io.tidemark.file.FileErrorText;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Settings as a directory with one file per key, as Kubernetes mounts a ConfigMap. Names that begin
 * with a dot, such as {@code ..data}, are Kubernetes' own. Stateless.
 */
public final class ConfigDirectory {
  private static final int MAX_BYTES = 1 << 20;

  private ConfigDirectory() {}

  /**
   * The settings of a directory, by key.
   *
   * @param known the only names that are read; other files belong to other programs
   * @param problems receives a problem for each file that cannot be read
   */
  public static List<Setting> read(Path directory, Set<String> known, ConfigProblems problems) {
    List<Setting> settings = new ArrayList<>();
    try (Stream<Path> files = Files.list(directory)) {
      for (Path file : files.sorted().toList()) {
        String name = file.getFileName().toString();
        if (!name.startsWith(".") && known.contains(name) && Files.isRegularFile(file)) {
          read(name, file, settings, problems);
        }
      }
    } catch (IOException e) {
      boolean missing = !Files.isDirectory(directory);
      unreadable(
          directory,
          missing ? "is not a directory" : "cannot be read: " + FileErrorText.of(e),
          problems);
    }
    return List.copyOf(settings);
  }

  private static void read(String key, Path file, List<Setting> settings, ConfigProblems problems) {
    try {
      if (Files.size(file) > MAX_BYTES) {
        unreadable(file, "is larger than a megabyte", problems);
        return;
      }
      String text = Files.readString(file, StandardCharsets.UTF_8);
      settings.add(new Setting(key, text.replaceAll("[\\r\\n]+$", ""), file.toString()));
    } catch (CharacterCodingException e) {
      unreadable(file, "is not UTF-8 text", problems);
    } catch (IOException e) {
      unreadable(file, "cannot be read: " + FileErrorText.of(e), problems);
    }
  }

  private static void unreadable(Path where, String problem, ConfigProblems problems) {
    problems.add(
        new ConfigProblem(
            CoreError.CONFIG_UNREADABLE,
            "",
            "",
            where.toString(),
            problem,
            "Name a directory with one file per key, such as a mounted ConfigMap."));
  }
}
