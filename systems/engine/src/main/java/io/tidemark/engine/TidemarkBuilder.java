package io.tidemark.engine;

import io.tidemark.cluster.NodeBackend;
import io.tidemark.cluster.run.RunThreads;
import io.tidemark.config.ConfigKeys;
import io.tidemark.config.ConfigLayer;
import io.tidemark.config.ConfigProblems;
import io.tidemark.config.ConfigSource;
import io.tidemark.config.Option;
import io.tidemark.config.Setting;
import io.tidemark.error.IpamException;
import io.tidemark.metrics.Meters;
import io.tidemark.node.config.EngineConfig;
import io.tidemark.node.config.EngineKey;
import io.tidemark.resilience.CloudCallsFactory;
import io.tidemark.resource.NodeResourceStore;
import io.tidemark.spi.ProviderFactory;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;

/**
 * Builds an engine. Provider and store are required; everything else has a default. A later call of
 * the same method replaces the earlier one. Not thread-safe.
 */
public final class TidemarkBuilder {
  /** Where settings were given that a program sets itself, for messages. */
  private static final String PROGRAM = "the program tidemark";

  private static final String ORIGIN = "program";

  private Optional<ProviderFactory> provider = Optional.empty();
  private Optional<NodeBackend.Opener> backend = Optional.empty();
  private Map<String, String> given = Map.of();
  private Optional<ConfigSource> resolved = Optional.empty();
  private Meters meters = Meters.none();
  private Optional<RunThreads> threads = Optional.empty();
  private Optional<RandomGenerator> random = Optional.empty();
  private Optional<CloudCallsFactory> cloud = Optional.empty();
  private boolean readOnly;

  TidemarkBuilder() {}

  /**
   * The cloud, by the name of a provider on the class path.
   *
   * @throws IpamException {@code PROVIDER_UNKNOWN}, listing the known ones
   */
  public TidemarkBuilder provider(String name) {
    return provider(Providers.installed().named(name, ORIGIN));
  }

  /** The cloud. */
  public TidemarkBuilder provider(ProviderFactory factory) {
    provider = Optional.of(factory);
    return this;
  }

  /**
   * Where the nodes are, with everything else that is known there, such as a folder or a cluster.
   */
  public TidemarkBuilder store(NodeBackend.Opener opener) {
    backend = Optional.of(opener);
    return this;
  }

  /** Where the nodes are, if there is only a store; the program closes it after the engine. */
  public TidemarkBuilder store(NodeResourceStore store) {
    Objects.requireNonNull(store, "store");
    return store(environment -> new StoreAlone(store));
  }

  /**
   * Settings by their key, as in docs/config.md; checked when the engine is built. None by default.
   * Keys of the program {@code tidemark} are refused; docs/embedding.md says what replaces them.
   */
  public TidemarkBuilder settings(Map<String, String> settings) {
    given = Map.copyOf(settings);
    resolved = Optional.empty();
    return this;
  }

  /** Settings with validated keys and the source of each. */
  public TidemarkBuilder settings(ConfigSource settings) {
    resolved = Optional.of(settings);
    return this;
  }

  /** Where it counts; nowhere by default. */
  public TidemarkBuilder metrics(Meters metrics) {
    meters = Objects.requireNonNull(metrics, "metrics");
    return this;
  }

  /** Threads of the program; by default the engine starts and ends its own. */
  public TidemarkBuilder threads(RunThreads working) {
    threads = Optional.of(working);
    return this;
  }

  /**
   * The source of jitter, names and request tokens; two processes must not get the same numbers. A
   * {@link SecureRandom} by default. Thread-safe.
   */
  public TidemarkBuilder random(RandomGenerator generator) {
    random = Optional.of(generator);
    return this;
  }

  /** How requests reach the cloud, instead of the rate limits and retries of the settings. */
  public TidemarkBuilder cloudCalls(CloudCallsFactory factory) {
    cloud = Optional.of(factory);
    return this;
  }

  /** Changes nothing: plans are made and can be explained, but are not executed. */
  public TidemarkBuilder readOnly() {
    readOnly = true;
    return this;
  }

  /**
   * Validates everything; opens and starts nothing yet.
   *
   * @throws IpamException {@code CONFIG_REFUSED} with all wrong settings at once, those of provider
   *     and store too
   * @throws IllegalStateException without a provider or a store
   */
  public Tidemark build() {
    ProviderFactory chosen = required(provider, "provider");
    NodeBackend.Opener opener = required(backend, "store");
    ConfigProblems problems = new ConfigProblems();
    ConfigSource source = resolved.orElseGet(() -> resolve(chosen, opener, problems));
    EngineConfig config = config(chosen, source, problems);
    opener.check(source, problems);
    if (resolved.isEmpty() || !problems.found().isEmpty()) {
      ProviderSettings.check(chosen, source, problems);
    }
    problems.throwIfAny();
    return new Tidemark(
        new EngineSetup(
            chosen,
            opener,
            config,
            source,
            meters,
            threads,
            random.orElseGet(SecureRandom::new),
            cloud,
            readOnly));
  }

  static EngineConfig config(ProviderFactory chosen, ConfigSource source, ConfigProblems problems) {
    EngineConfig config = EngineConfig.read(source, problems);
    return chosen
        .passTimeout()
        .filter(unlessSet -> source.value(EngineKey.PASS_TIMEOUT.key()).isEmpty())
        .map(config::withPassTimeout)
        .orElse(config);
  }

  private ConfigSource resolve(
      ProviderFactory chosen, NodeBackend.Opener opener, ConfigProblems problems) {
    List<Option<?>> settings = new ArrayList<>(EngineKey.all());
    settings.addAll(opener.settings());
    settings.addAll(chosen.settings());
    return refusingForeign(ConfigKeys.of(settings))
        .resolve(List.of(ConfigLayer.own(Setting.all(ORIGIN, given))), problems);
  }

  /**
   * The same keys; keys of docs/config.md that are no settings of an embedded engine are refused
   * with their owner, and with what to use instead: those of the program {@code tidemark}, and
   * those of a cluster if the nodes are elsewhere.
   */
  private static ConfigKeys refusingForeign(ConfigKeys keys) {
    return keys.withForeign(
            PROGRAM, Set.of("provider", "ipam"), "Call provider(...) of TidemarkBuilder.")
        .withForeign(
            PROGRAM,
            Set.of("plugins"),
            "Add the provider to the class path, or call provider(...) with its factory.")
        .withForeign(
            PROGRAM,
            Set.of("enable-metrics", "metrics-prefix"),
            "Call metrics(...) of TidemarkBuilder.")
        .withForeign(
            "KubernetesBackend",
            Set.of(
                "nodes-gc-interval",
                "pre-allocate-cordoned",
                "taint-exhausted-nodes",
                "taint-delay",
                "leader-election",
                "leader-election-namespace",
                "leader-election-lease-duration",
                "leader-election-renew-deadline",
                "leader-election-retry-period",
                "operator-k8s-client-qps",
                "operator-k8s-client-burst",
                "kube-api-qps",
                "kube-api-burst",
                "k8s-request-timeout"),
            "Remove the key, or call store(...) with a KubernetesBackend.");
  }

  private static <T> T required(Optional<T> part, String name) {
    return part.orElseThrow(() -> new IllegalStateException("no " + name + " was given"));
  }

  /** A backend that is a store and knows nothing more. */
  private record StoreAlone(NodeResourceStore store) implements NodeBackend {
    @Override
    public void close() {
      // it is the program's
    }
  }
}
