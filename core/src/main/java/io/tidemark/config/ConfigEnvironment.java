package io.tidemark.config;

import io.tidemark.error.CoreError;
import io.tidemark.error.NearestName;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Settings as environment variables: {@code TIDEMARK_CLUSTER_NAME} is {@code cluster-name}. A few
 * keys of clouds have the name that the tools of that cloud use, too; it is weaker. Stateless.
 */
public final class ConfigEnvironment {
  private static final String PREFIX = "TIDEMARK_";

  /** Names that others use (node-manager 8). */
  private static final Map<String, String> OF_CLOUDS =
      Map.of(
          "AZURE_SUBSCRIPTION_ID", "azure-subscription-id",
          "AZURE_RESOURCE_GROUP", "azure-resource-group",
          "AZURE_USER_ASSIGNED_IDENTITY_ID", "azure-user-assigned-identity-id",
          "AZURE_USE_PRIMARY_ADDRESS", "azure-use-primary-address");

  private ConfigEnvironment() {}

  /** The variable that sets {@code key}. */
  public static String variable(String key) {
    return PREFIX + key.replace('-', '_').toUpperCase(Locale.ROOT);
  }

  /**
   * The settings of an environment, the strongest layer first. A variable of ours whose name is
   * almost that of a setting is refused; the namespace is shared, so other names are passed over.
   *
   * @param known every key that some program of ours reads or refuses by name
   */
  public static List<ConfigLayer> read(
      Map<String, String> environment, Set<String> known, ConfigProblems problems) {
    Map<String, String> keys = new TreeMap<>();
    known.forEach(key -> keys.put(variable(key), key));
    List<Setting> own = new ArrayList<>();
    List<Setting> shared = new ArrayList<>();
    for (Map.Entry<String, String> each : new TreeMap<>(environment).entrySet()) {
      String name = each.getKey();
      String origin = "environment variable " + name;
      Optional<String> key = Optional.ofNullable(keys.get(name));
      key.ifPresent(found -> own.add(new Setting(found, each.getValue(), origin)));
      Optional.ofNullable(OF_CLOUDS.get(name))
          .ifPresent(found -> shared.add(new Setting(found, each.getValue(), origin)));
      if (key.isEmpty() && name.startsWith(PREFIX)) {
        mistyped(name, keys.values()).ifPresent(problems::add);
      }
    }
    return List.of(ConfigLayer.own(own), ConfigLayer.shared(shared));
  }

  private static Optional<ConfigProblem> mistyped(String name, Collection<String> known) {
    String key = name.substring(PREFIX.length()).toLowerCase(Locale.ROOT).replace('_', '-');
    return NearestName.of(key, known)
        .map(
            nearest ->
                new ConfigProblem(
                    CoreError.CONFIG_UNKNOWN_KEY,
                    "",
                    "",
                    "environment variable " + name,
                    "names no setting",
                    "Did you mean " + variable(nearest) + "?"));
  }
}
