package io.tidemark.operator;

import io.tidemark.config.Option;
import io.tidemark.config.Setting;
import io.tidemark.engine.Providers;
import io.tidemark.node.config.EngineKey;
import io.tidemark.spi.ProviderFactory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParseResult;

/**
 * Every setting as an option {@code --KEY VALUE}. Keys are those of program, engine and all
 * installed providers; those of a provider that is not chosen are refused by name.
 */
final class SettingOptions {
  /** Where such a setting stands, for messages. */
  static final String COMMAND_LINE = "command line";

  private SettingOptions() {}

  /** Gives a command an option for every key, but for {@code --provider}. */
  static void addTo(CommandSpec command, Providers providers) {
    ArgGroupSpec.Builder program = group("%nSettings of the program, also keys of --config:%n", 20);
    for (Option<?> key : ProgramKey.all()) {
      if (!key.equals(ProgramKey.PROVIDER)) {
        add(program, key);
      }
    }
    command.addArgGroup(program.build());
    ArgGroupSpec.Builder engine = group("%nSettings of the engine, also keys of --config:%n", 21);
    for (Option<?> key : EngineKey.all()) {
      add(engine, key);
    }
    command.addArgGroup(engine.build());
    int order = 30;
    for (Map.Entry<String, List<Option<?>>> each : byOwners(providers).entrySet()) {
      ArgGroupSpec.Builder own =
          group("%nSettings of " + each.getKey() + ", see docs/config.md:%n", order++);
      each.getValue().forEach(key -> add(own, key));
      command.addArgGroup(own.build());
    }
  }

  /** The settings by the providers that read them, a setting of several of them once. */
  private static Map<String, List<Option<?>>> byOwners(Providers providers) {
    Map<String, Option<?>> keys = new TreeMap<>();
    Map<String, List<String>> owners = new TreeMap<>();
    for (ProviderFactory provider : providers.all()) {
      for (Option<?> key : provider.settings()) {
        keys.put(key.key(), key);
        owners.computeIfAbsent(key.key(), k -> new ArrayList<>()).add(provider.name());
      }
    }
    Map<String, List<Option<?>>> groups = new TreeMap<>();
    keys.forEach(
        (name, key) -> {
          List<String> of = owners.getOrDefault(name, List.of());
          String heading = (of.size() == 1 ? "provider " : "providers ") + String.join(" and ", of);
          groups.computeIfAbsent(heading, h -> new ArrayList<>()).add(key);
        });
    return groups;
  }

  /** What of it was given. */
  static List<Setting> given(ParseResult parsed) {
    List<Setting> settings = new ArrayList<>();
    for (OptionSpec option : parsed.matchedOptions()) {
      if (option.group() != null) {
        String value = option.getValue();
        settings.add(new Setting(option.longestName().substring(2), value, COMMAND_LINE));
      }
    }
    return settings;
  }

  /** The settings of a provider by their names. */
  static List<Option<?>> sorted(ProviderFactory provider) {
    List<Option<?>> settings = new ArrayList<>(provider.settings());
    settings.sort(Comparator.comparing(Option::key));
    return settings;
  }

  private static void add(ArgGroupSpec.Builder group, Option<?> key) {
    boolean flag = key.form() == Option.Form.FLAG;
    group.addArg(option(key.key(), flag, description(key)).build());
    for (String alias : key.aliases()) {
      group.addArg(option(alias, flag, "The same as --" + key.key() + ".").build());
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

  private static String description(Option<?> key) {
    return key.meaning() + key.defaultText().map(text -> " (default: " + text + ")").orElse("");
  }
}
