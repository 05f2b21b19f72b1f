package io.tidemark.operator;

import io.tidemark.config.ConfigLayer;
import io.tidemark.config.ConfigProblem;
import io.tidemark.config.ConfigProblems;
import io.tidemark.config.Setting;
import io.tidemark.engine.Providers;
import io.tidemark.error.CoreError;
import io.tidemark.program.SettingArguments;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the folder of plugins before the command line is parsed, since the options of a command are
 * the settings of all providers. So only the command line and the environment can name it.
 */
final class Plugins {
  private static final String OPTION = "--" + ProgramKey.PLUGINS.key();
  private static final String VARIABLE = "TIDEMARK_PLUGINS";

  private Plugins() {}

  /**
   * The installed providers and those of the folder of plugins, if there is one.
   *
   * @throws io.tidemark.error.IpamException when a plugin cannot be loaded
   */
  static Providers with(Providers installed, Map<String, String> environment, String... args) {
    return named(args)
        .or(() -> Optional.ofNullable(environment.get(VARIABLE)))
        .filter(folder -> !folder.isBlank())
        .map(folder -> installed.withPlugins(Path.of(folder.strip())))
        .orElse(installed);
  }

  private static Optional<String> named(String... args) {
    for (int i = 0; i < args.length; i++) {
      if (args[i].startsWith(OPTION + "=")) {
        return Optional.of(args[i].substring(OPTION.length() + 1));
      }
      if (args[i].equals(OPTION) && i + 1 < args.length) {
        return Optional.of(args[i + 1]);
      }
    }
    return Optional.empty();
  }

  /** Adds a problem for each place that names a folder of plugins too late. */
  static void check(List<ConfigLayer> layers, ConfigProblems problems) {
    layers.stream()
        .flatMap(layer -> layer.settings().stream())
        .filter(setting -> setting.key().equals(ProgramKey.PLUGINS.key()) && isLate(setting))
        .forEach(
            setting ->
                problems.add(
                    new ConfigProblem(
                        CoreError.CONFIG_INVALID_VALUE,
                        setting.key(),
                        setting.value(),
                        setting.origin(),
                        "cannot be set here, since plugins are loaded before this place is read",
                        "Set " + OPTION + " or " + VARIABLE + " instead.")));
  }

  private static boolean isLate(Setting setting) {
    return !setting.origin().equals(SettingArguments.COMMAND_LINE)
        && !setting.origin().contains(VARIABLE);
  }
}
