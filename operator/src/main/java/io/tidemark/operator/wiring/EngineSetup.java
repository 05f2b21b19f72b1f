package io.tidemark.operator.wiring;

import io.tidemark.config.ConfigSource;
import io.tidemark.config.CoreConfig;
import io.tidemark.metrics.CloudApiMetrics;
import io.tidemark.metrics.IpamMetrics;
import io.tidemark.spi.ProviderFactory;
import java.util.Objects;

/**
 * What an {@link Engine} is made of.
 *
 * @param config the settings, typed
 * @param source the settings as given, for the provider
 * @param readOnly nothing is changed, neither in the cloud nor in the home
 */
public record EngineSetup(
    ProviderFactory provider,
    NodeHome.Opener home,
    CoreConfig config,
    ConfigSource source,
    IpamMetrics ipamMetrics,
    CloudApiMetrics cloudMetrics,
    boolean readOnly) {
  public EngineSetup {
    Objects.requireNonNull(provider, "provider");
    Objects.requireNonNull(home, "home");
    Objects.requireNonNull(config, "config");
    Objects.requireNonNull(source, "source");
    Objects.requireNonNull(ipamMetrics, "ipamMetrics");
    Objects.requireNonNull(cloudMetrics, "cloudMetrics");
  }
}
