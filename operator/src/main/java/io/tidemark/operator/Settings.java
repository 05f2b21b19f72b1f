package io.tidemark.operator;

import io.tidemark.cluster.NodeBackend;
import io.tidemark.config.ConfigSource;
import io.tidemark.config.IgnoredSetting;
import io.tidemark.engine.Tidemark;
import io.tidemark.engine.TidemarkBuilder;
import io.tidemark.kubernetes.KubernetesConfig;
import io.tidemark.program.endpoint.MetricsConfig;
import io.tidemark.spi.ProviderFactory;
import java.util.List;
import java.util.Objects;

/**
 * What holds for one run of the program, all of it checked.
 *
 * @param provider the cloud
 * @param choice where the cloud was chosen
 * @param source as given, for the provider
 * @param metrics which are collected
 * @param kubernetes of the Kubernetes API
 * @param ignored what of shared places is known and has no effect
 */
record Settings(
    ProviderFactory provider,
    ProviderChoice choice,
    ConfigSource source,
    MetricsConfig metrics,
    KubernetesConfig kubernetes,
    List<IgnoredSetting> ignored) {
  Settings {
    Objects.requireNonNull(provider, "provider");
    Objects.requireNonNull(choice, "choice");
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(metrics, "metrics");
    Objects.requireNonNull(kubernetes, "kubernetes");
    ignored = List.copyOf(ignored);
  }

  /** An engine with these settings over the nodes of {@code backend}. */
  TidemarkBuilder engine(NodeBackend.Opener backend) {
    return Tidemark.builder().provider(provider).store(backend).settings(source);
  }
}
