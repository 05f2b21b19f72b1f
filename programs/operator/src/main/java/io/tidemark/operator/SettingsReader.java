package io.tidemark.operator;

import io.tidemark.config.ConfigKeys;
import io.tidemark.config.ConfigLayer;
import io.tidemark.config.ConfigProblem;
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
import io.tidemark.nodecidr.CidrAllocatorType;
import io.tidemark.nodecidr.config.NodeCidrConfig;
import io.tidemark.nodecidr.config.NodeCidrKey;
import io.tidemark.nodeid.config.NodeIdConfig;
import io.tidemark.nodeid.config.NodeIdKey;
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
   * The effective settings.
   *
   * @param secrets told the value of each secret setting of any provider, before it is read
   * @param whole whether the provider is asked about its settings even when nothing else is wrong
   * @throws IpamException listing everything that is wrong
   */
  static Settings read(
      SettingPlaces places, Providers providers, Consumer<String> secrets, boolean whole) {
    ConfigProblems problems = new ConfigProblems();
    ConfigKeys all = keysOfAll(providers);
    List<ConfigLayer> layers = places.layers(all, problems);
    tellSecrets(layers, all, secrets);
    Plugins.check(layers, problems);
    Optional<ModeChoice> choice = ModeChoice.of(layers, problems);
    if (choice.isEmpty() && problems.found().isEmpty()) {
      throw noChoice(providers);
    }
    return switch (choice.map(ModeChoice::mode).orElse(Mode.ENGINE)) {
      case ENGINE -> engine(layers, choice, problems, providers, whole);
      case NODE_CIDR -> nodeCidr(layers, choice.orElseThrow(), problems, providers);
      case NODE_ID -> nodeId(layers, choice.orElseThrow(), problems, providers);
    };
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
    EngineConfig.read(source, problems);
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
        Optional.empty(),
        source,
        metrics,
        kubernetes,
        keys.ignored(layers));
  }

  private static Settings nodeCidr(
      List<ConfigLayer> layers, ModeChoice choice, ConfigProblems problems, Providers providers) {
    ConfigSource all = keysOfAll(providers).resolve(layers, new ConfigProblems());
    boolean cloudy = NodeCidrConfig.type(all).filter(CidrAllocatorType::followsCloud).isPresent();
    Optional<ProviderFactory> cloud = cloudy ? cloud(all, providers, problems) : Optional.empty();
    ConfigKeys keys =
        NodeCidrConfig.keys(
            layers, keysOfProgram(cloud, providers).withForeignMode("node-id", NodeIdKey.all()));
    ConfigReader reader = new ConfigReader(keys.resolve(layers, problems), problems);
    NodeCidrConfig config = NodeCidrConfig.read(reader);
    config.requireRunnable(reader);
    return withoutEngine(
        choice, cloud, Optional.of(config), Optional.empty(), reader, keys.ignored(layers));
  }

  /** The provider whose ranges the nodes have. */
  private static Optional<ProviderFactory> cloud(
      ConfigSource source, Providers providers, ConfigProblems problems) {
    String key = ProgramKey.PROVIDER.key();
    List<ProviderFactory> able =
        providers.all().stream().filter(ProviderFactory::hasAliasRanges).toList();
    Optional<String> name = source.value(key).map(String::strip);
    Optional<ProviderFactory> chosen =
        able.stream().filter(each -> name.equals(Optional.of(each.name()))).findFirst();
    if (chosen.isEmpty()) {
      problems.add(
          new ConfigProblem(
              CoreError.PROVIDER_UNKNOWN,
              key,
              name.orElse(""),
              source.origin(key),
              name.isPresent()
                  ? "assigns no ranges to instances"
                  : "is not set: the cloud that assigns ranges to instances",
              "Choose one that does: "
                  + String.join(", ", able.stream().map(ProviderFactory::name).toList())
                  + "; or leave cidr-allocator-type unset."));
    }
    return chosen;
  }

  private static Settings nodeId(
      List<ConfigLayer> layers, ModeChoice choice, ConfigProblems problems, Providers providers) {
    ConfigKeys keys = withBlocks(keysOfProgram(Optional.empty(), providers)).with(NodeIdKey.all());
    ConfigReader reader = new ConfigReader(keys.resolve(layers, problems), problems);
    Optional<NodeIdConfig> config = NodeIdConfig.readToRun(reader);
    return withoutEngine(
        choice, Optional.empty(), Optional.empty(), config, reader, keys.ignored(layers));
  }

  private static Settings withoutEngine(
      ModeChoice choice,
      Optional<ProviderFactory> cloud,
      Optional<NodeCidrConfig> nodeCidr,
      Optional<NodeIdConfig> nodeId,
      ConfigReader reader,
      List<ConfigProblem> ignored) {
    MetricsConfig metrics = MetricsConfig.read(reader);
    KubernetesConfig kubernetes = KubernetesConfig.read(reader.source(), reader.problems());
    cloud.ifPresent(
        provider -> ProviderSettings.check(provider, reader.source(), reader.problems()));
    reader.problems().throwIfAny();
    return new Settings(
        choice, cloud, nodeCidr, nodeId, reader.source(), metrics, kubernetes, ignored);
  }

  private static void tellSecrets(
      List<ConfigLayer> layers, ConfigKeys keys, Consumer<String> secrets) {
    layers.stream()
        .flatMap(layer -> layer.settings().stream())
        .filter(setting -> keys.isSecret(setting.key()))
        .forEach(setting -> secrets.accept(setting.value()));
  }

  private static IpamException noChoice(Providers providers) {
    return new IpamException(
        CoreError.PROVIDER_UNKNOWN,
        "no provider is chosen: there is neither --provider, nor ipam in the settings; known: "
            + String.join(", ", providers.names()));
  }

  private static ProviderFactory named(ModeChoice choice, Providers providers) {
    return providers.named(choice.name(), choice.origin());
  }

  /** Keys of every provider and mode, for looking through places before one is chosen. */
  static ConfigKeys keysOfAll(Providers providers) {
    return keysOfEngines(providers).with(NodeCidrKey.all()).with(NodeIdKey.all());
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
            .withForeignMode("node-id", NodeIdKey.all());
    return withForeign(withBlocks(keys), providers, chosen.get().name());
  }

  private static ConfigKeys withBlocks(ConfigKeys keys) {
    return keys.withForeignMode("cluster-pool", NodeCidrKey.clusterPool())
        .withForeignMode("kubernetes", NodeCidrKey.kubernetes());
  }

  /** Those of the program alone, and of the cloud that nodes follow. */
  private static ConfigKeys keysOfProgram(Optional<ProviderFactory> cloud, Providers providers) {
    ConfigKeys keys =
        ConfigKeys.of(ProgramKey.all()).withForeignMode("eni or azure", EngineKey.all());
    return withForeign(
        keys.with(cloud.map(ProviderFactory::settings).orElse(List.of())),
        providers,
        cloud.map(ProviderFactory::name).orElse(""));
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
