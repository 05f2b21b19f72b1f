package io.tidemark.operator;

import io.tidemark.config.Option;
import io.tidemark.engine.Providers;
import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.node.config.EngineKey;
import io.tidemark.nodecidr.config.NodeCidrKey;
import io.tidemark.nodeid.config.NodeIdKey;
import io.tidemark.program.SettingArguments;
import io.tidemark.spi.ProviderFactory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import picocli.CommandLine.Model.CommandSpec;

/**
 * Every setting as an option {@code --KEY VALUE}. Keys are those of program, engine, node CIDRs,
 * node ids and all installed providers; those of what is not chosen are refused by name.
 */
final class SettingOptions {
  private SettingOptions() {}

  /**
   * Gives a command an option for every key, but for {@code --provider}.
   *
   * @throws IpamException {@code PLUGIN_REFUSED} if a provider has a setting with the name of an
   *     option of the command
   */
  static void addTo(CommandSpec command, Providers providers) {
    List<Option<?>> program =
        ProgramKey.all().stream().filter(key -> !key.equals(ProgramKey.PROVIDER)).toList();
    Set<String> known = new HashSet<>(keys(ProgramKey.withEngine()));
    List<Option<?>> nodeCidr =
        NodeCidrKey.all().stream().filter(key -> known.add(key.key())).toList();
    List<Option<?>> nodeId = NodeIdKey.all().stream().filter(key -> known.add(key.key())).toList();
    SettingArguments.add(
        command, "%nSettings of the program, also keys of --config:%n", 20, program);
    SettingArguments.add(
        command, "%nSettings of the engine, also keys of --config:%n", 21, EngineKey.all());
    SettingArguments.add(
        command,
        "%nSettings of node CIDRs (ipam=kubernetes, cluster-pool), also keys of --config:%n",
        22,
        nodeCidr);
    SettingArguments.add(
        command, "%nSettings of node ids (ipam=node-id), also keys of --config:%n", 23, nodeId);
    requireNewNames(command, providers);
    int order = 30;
    for (Map.Entry<String, List<Option<?>>> each : byOwners(providers).entrySet()) {
      SettingArguments.add(
          command,
          "%nSettings of " + each.getKey() + ", see docs/config.md:%n",
          order++,
          each.getValue());
    }
  }

  private static void requireNewNames(CommandSpec command, Providers providers) {
    List<String> taken = new ArrayList<>();
    for (ProviderFactory provider : providers.all()) {
      for (Option<?> key : provider.settings()) {
        if (command.optionsMap().containsKey("--" + key.key())) {
          taken.add(
              "provider '"
                  + provider.name()
                  + "' has the setting "
                  + key.key()
                  + ", which is an option of the program");
        }
      }
    }
    if (!taken.isEmpty()) {
      throw new IpamException(CoreError.PLUGIN_REFUSED, String.join("\n", taken));
    }
  }

  private static List<String> keys(List<Option<?>> settings) {
    return settings.stream().map(Option::key).toList();
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

  /** The settings of a provider by their names. */
  static List<Option<?>> sorted(ProviderFactory provider) {
    List<Option<?>> settings = new ArrayList<>(provider.settings());
    settings.sort(Comparator.comparing(Option::key));
    return settings;
  }
}
