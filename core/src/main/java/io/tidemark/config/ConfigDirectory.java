package io.tidemark.config;

import io.tidemark.file.FileErrorText;
import java.io.IOException;
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
  private static final String REMEDY =
      "Name a directory with one file per key, such as a mounted ConfigMap.";

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
          ConfigYaml.text(file, REMEDY, problems)
              .map(text -> text.replaceAll("[\\r\\n]+$", ""))
              .ifPresent(text -> settings.add(new Setting(name, text, file.toString())));
        }
      }
    } catch (IOException e) {
      String problem =
          Files.isDirectory(directory)
              ? "cannot be read: " + FileErrorText.of(e)
              : "is not a directory";
      problems.add(ConfigProblem.unreadable(directory.toString(), problem, REMEDY));
    }
    return List.copyOf(settings);
  }
}
