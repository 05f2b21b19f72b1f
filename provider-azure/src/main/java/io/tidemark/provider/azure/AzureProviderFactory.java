package io.tidemark.provider.azure;

import io.tidemark.config.ConfigSource;
import io.tidemark.config.Option;
import io.tidemark.provider.azure.ipam.AzureModel;
import io.tidemark.provider.azure.network.ArmCallLimits;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.Checkup;
import io.tidemark.spi.NodeSettings;
import io.tidemark.spi.PlannedInstance;
import io.tidemark.spi.ProviderContext;
import io.tidemark.spi.ProviderFactory;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The provider {@code azure}: entrance of this module. Asking for name and keys loads none of
 * Azure's libraries.
 */
public final class AzureProviderFactory implements ProviderFactory {
  /** A write of a scale set's instance takes tens of seconds (K11). */
  private static final Duration PASS_TIMEOUT = Duration.ofMinutes(5);

  @Override
  public String name() {
    return "azure";
  }

  @Override
  public List<Option<?>> settings() {
    return AzureKeys.all();
  }

  @Override
  public Optional<Duration> passTimeout() {
    return Optional.of(PASS_TIMEOUT);
  }

  @Override
  public AllocationImplementation create(ProviderContext context) {
    return new AzureProvider(context, System.getenv()).allocation();
  }

  @Override
  public Checkup checkup(ProviderContext context) {
    return new AzureProvider(context, System.getenv()).checkup();
  }

  @Override
  public Optional<PlannedInstance> plan(
      ConfigSource config,
      NodeSettings settings,
      NodeResource node,
      PlannedInstance.Passes passes) {
    AzureConfig read = new AzureConfigReader(config, System.getenv()).read();
    return Optional.of(
        new AzureModel(node, settings, read.ipam())
            .fill(passes, ArmCallLimits.of(name(), read.apiShare())));
  }
}
