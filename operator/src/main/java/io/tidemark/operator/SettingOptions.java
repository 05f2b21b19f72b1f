package io.tidemark.operator;

import io.tidemark.config.ConfigKeys;
import io.tidemark.config.ConfigProblem;
import io.tidemark.config.ConfigProblems;
import io.tidemark.config.ConfigSource;
import io.tidemark.config.ConfigYaml;
import io.tidemark.config.CoreConfig;
import io.tidemark.config.CoreKey;
import io.tidemark.config.Setting;
import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.operator.wiring.ProviderSettings;
import io.tidemark.operator.wiring.Providers;
import io.tidemark.spi.ProviderFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * Every setting as an option: {@code --KEY VALUE} on the command line wins over the same key in the
 * file of {@code --config}. Keys are those of core and of all installed providers; those of a
 * provider that is not chosen are refused by name.
 */
final class SettingOptions {
  private static final String COMMAND_LINE = "command line";

  private SettingOptions() {}

  /**
   * What was set.
   *
   * @param source as given, for the provider
   * @param core typed and checked
   */
  record Settings(ConfigSource source, CoreConfig core) {}

  /** Gives a command an option for every key. */
  static void addTo(CommandSpec command, Providers providers) {
    ArgGroupSpec.Builder engine = group("%nSettings of the engine, also keys of --config:%n", 20);
    for (CoreKey key : CoreKey.values()) {
      boolean flag = key.form() == CoreKey.Form.FLAG;
      engine.addArg(option(key.key(), flag, description(key)).build());
      for (String alias : key.aliases()) {
        engine.addArg(option(alias, flag, "The same as --" + key.key() + ".").build());
      }
    }
    command.addArgGroup(engine.build());
    int order = 30;
    for (ProviderFactory provider : providers.all()) {
      if (!provider.configKeys().isEmpty()) {
        ArgGroupSpec.Builder own =
            group("%nSettings of provider " + provider.name() + ", see docs/config.md:%n", order++);
        new TreeMap<>(provider.configKeys())
            .forEach((key, meaning) -> own.addArg(option(key, false, meaning).build()));
        command.addArgGroup(own.build());
      }
    }
  }

  private static ArgGroupSpec.Builder group(String heading, int order) {
    return ArgGroupSpec.builder()
        .exclusive(false)
        .multiplicity("0..1")
        .heading(heading)
        .order(order);
  }

  private static OptionSpec.Builder option(String key, boolean flag, String description) {
    OptionSpec.Builder option =
        OptionSpec.builder("--" + key)
            .type(String.class)
            .paramLabel("VALUE")
            .description(description);
    return flag ? option.arity("0..1").fallbackValue("true") : option.arity("1");
  }

  private static String description(CoreKey key) {
    return key.meaning() + " (default: " + key.defaultText().orElse("unset") + ")";
  }

  /**
   * Reads command line and file.
   *
   * @throws io.tidemark.error.IpamException listing everything that is wrong
   */
  static Settings read(
      ParseResult parsed, @Nullable Path file, ProviderFactory chosen, Providers providers) {
    ConfigProblems problems = new ConfigProblems();
    ConfigKeys keys = ConfigKeys.ofCore().with(chosen.configKeys().keySet());
    for (ProviderFactory other : providers.all()) {
      if (!other.name().equals(chosen.name())) {
        keys = keys.withForeign(other.name(), foreign(other, chosen));
      }
    }
    List<List<Setting>> layers = new ArrayList<>();
    layers.add(given(parsed));
    Optional.ofNullable(file).ifPresent(path -> layers.add(ConfigYaml.read(path, problems)));
    ConfigSource source = keys.resolve(layers, problems);
    CoreConfig core = CoreConfig.read(source, problems);
    if (!problems.found().isEmpty()) {
      ProviderSettings.refusal(chosen, source)
          .ifPresent(refused -> problems.add(ofProvider(chosen, refused)));
    }
    problems.throwIfAny();
    return new Settings(source, core);
  }

  private static ConfigProblem ofProvider(ProviderFactory provider, IpamException refused) {
    return new ConfigProblem(
        CoreError.CONFIG_INVALID_VALUE,
        "",
        "",
        "provider " + provider.name(),
        refused.detail(),
        refused.code().remedy());
  }

  private static Set<String> foreign(ProviderFactory other, ProviderFactory chosen) {
    Set<String> keys = new TreeSet<>(other.configKeys().keySet());
    keys.removeAll(chosen.configKeys().keySet());
    return keys;
  }

  private static List<Setting> given(ParseResult parsed) {
    List<Setting> settings = new ArrayList<>();
    for (OptionSpec option : parsed.matchedOptions()) {
      if (option.group() != null) {
        String value = option.getValue();
        settings.add(new Setting(option.longestName().substring(2), value, COMMAND_LINE));
      }
    }
    return settings;
  }
}
