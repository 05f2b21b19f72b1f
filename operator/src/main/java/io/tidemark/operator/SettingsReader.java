package io.tidemark.operator;

import io.tidemark.config.ConfigKeys;
import io.tidemark.config.ConfigLayer;
import io.tidemark.config.ConfigProblems;
import io.tidemark.config.ConfigReader;
import io.tidemark.config.ConfigSource;
import io.tidemark.engine.ProviderSettings;
import io.tidemark.engine.Providers;
import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.kubernetes.KubernetesConfig;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.node.config.EngineKey;
import io.tidemark.nodecidr.config.NodeCidrConfig;
import io.tidemark.nodecidr.config.NodeCidrKey;
import io.tidemark.operator.ModeChoice.Mode;
import io.tidemark.program.SettingPlaces;
import io.tidemark.program.endpoint.MetricsConfig;
import io.tidemark.spi.ProviderFactory;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Puts the settings of all places together: chooses what is run, tells keys that are read from
 * those that are not, checks values. Everything that is wrong is told at once. Stateless.
 */
final class SettingsReader {
  private SettingsReader() {}

  /**
   * What holds.
   *
   * @param otherwise the provider where nobody chose one; empty when somebody must
   * @param secrets told the value of each secret setting of any provider, before it is read
   * @param whole whether the provider is asked about its settings even when nothing else is wrong
   * @throws IpamException listing everything that is wrong
   */
  static Settings read(
      SettingPlaces places,
      Providers providers,
      Optional<String> otherwise,
      Consumer<String> secrets,
      boolean whole) {
    ConfigProblems problems = new ConfigProblems();
    ConfigKeys all = keysOfAll(providers);
    List<ConfigLayer> layers = places.layers(all, problems);
    tellSecrets(layers, all, secrets);
    Optional<ModeChoice> choice = ModeChoice.of(layers, problems);
    if (choice.isEmpty() && problems.found().isEmpty()) {
      choice = Optional.of(otherwise(otherwise, providers));
    }
    boolean engine = choice.filter(each -> each.mode() != Mode.ENGINE).isEmpty();
    return engine
        ? engine(layers, choice, problems, providers, whole)
        : nodeCidr(layers, choice.orElseThrow(), problems, providers);
  }

  private static Settings engine(
      List<ConfigLayer> layers,
      Optional<ModeChoice> choice,
      ConfigProblems problems,
      Providers providers,
      boolean whole) {
    Optional<ProviderFactory> chosen = choice.map(each -> named(each, providers));
    ConfigKeys keys = keysOfEngine(chosen, providers);
    ConfigSource source = keys.resolve(layers, problems);
    EngineConfig unused = EngineConfig.read(source, problems);
    MetricsConfig metrics = MetricsConfig.read(new ConfigReader(source, problems));
    KubernetesConfig kubernetes = KubernetesConfig.read(source, problems);
    if (whole || !problems.found().isEmpty()) {
      chosen.ifPresent(provider -> ProviderSettings.check(provider, source, problems));
    }
    problems.throwIfAny();
    return new Settings(
        choice.orElseThrow(),
        chosen,
        Optional.empty(),
        source,
        metrics,
        kubernetes,
        keys.ignored(layers));
  }

  private static Settings nodeCidr(
      List<ConfigLayer> layers, ModeChoice choice, ConfigProblems problems, Providers providers) {
    ConfigKeys keys = NodeCidrConfig.keys(layers, keysOfProgram(providers));
    ConfigSource source = keys.resolve(layers, problems);
    ConfigReader reader = new ConfigReader(source, problems);
    NodeCidrConfig config = NodeCidrConfig.read(reader);
    config.requireRunnable(reader);
    MetricsConfig metrics = MetricsConfig.read(reader);
    KubernetesConfig kubernetes = KubernetesConfig.read(source, problems);
    problems.throwIfAny();
    return new Settings(
        choice,
        Optional.empty(),
        Optional.of(config),
        source,
        metrics,
        kubernetes,
        keys.ignored(layers));
  }

  private static void tellSecrets(
      List<ConfigLayer> layers, ConfigKeys keys, Consumer<String> secrets) {
    layers.stream()
        .flatMap(layer -> layer.settings().stream())
        .filter(setting -> keys.isSecret(setting.key()))
        .forEach(setting -> secrets.accept(setting.value()));
  }

  private static ModeChoice otherwise(Optional<String> name, Providers providers) {
    return name.map(each -> ModeChoice.provider(each, "default"))
        .orElseThrow(
            () ->
                new IpamException(
                    CoreError.PROVIDER_UNKNOWN,
                    "no provider is chosen: there is neither --provider, nor ipam in the settings;"
                        + " known: "
                        + String.join(", ", providers.names())));
  }

  private static ProviderFactory named(ModeChoice choice, Providers providers) {
    return providers.named(choice.name(), choice.origin());
  }

  /** Keys of every provider and mode, for looking through places before one is chosen. */
  static ConfigKeys keysOfAll(Providers providers) {
    return keysOfEngines(providers).with(NodeCidrKey.all());
  }

  /** Those of the engine with every provider. */
  static ConfigKeys keysOfEngines(Providers providers) {
    ConfigKeys keys = ConfigKeys.of(ProgramKey.withEngine());
    for (ProviderFactory each : providers.all()) {
      keys = keys.with(each.settings());
    }
    return keys;
  }

  /** Those of the engine with a provider; without one, with all of them. */
  private static ConfigKeys keysOfEngine(Optional<ProviderFactory> chosen, Providers providers) {
    if (chosen.isEmpty()) {
      return keysOfAll(providers);
    }
    ConfigKeys keys =
        ConfigKeys.of(ProgramKey.withEngine())
            .with(chosen.get().settings())
            .withForeignMode("cluster-pool", NodeCidrKey.clusterPool())
            .withForeignMode("kubernetes", NodeCidrKey.kubernetes());
    return withForeign(keys, providers, chosen.get().name());
  }

  /** Those of the program alone. */
  private static ConfigKeys keysOfProgram(Providers providers) {
    ConfigKeys keys =
        ConfigKeys.of(ProgramKey.all()).withForeignMode("eni or azure", EngineKey.all());
    return withForeign(keys, providers, "");
  }

  private static ConfigKeys withForeign(ConfigKeys keys, Providers providers, String chosen) {
    ConfigKeys all = keys;
    for (ProviderFactory other : providers.all()) {
      if (!other.name().equals(chosen)) {
        all = all.withForeign(other.name(), other.settings());
      }
    }
    return all;
  }
}
