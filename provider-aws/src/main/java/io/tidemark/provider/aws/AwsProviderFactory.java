package io.tidemark.provider.aws;

import io.tidemark.config.ConfigSource;
import io.tidemark.config.Option;
import io.tidemark.resource.EniSpec;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.Checkup;
import io.tidemark.spi.NodeSettings;
import io.tidemark.spi.PlannedInstance;
import io.tidemark.spi.ProviderContext;
import io.tidemark.spi.ProviderFactory;
import java.util.List;
import java.util.Optional;

/**
 * The provider {@code aws}: entrance of this module. Asking for name and keys loads nothing of the
 * AWS SDK.
 */
public final class AwsProviderFactory implements ProviderFactory {
  @Override
  public String name() {
    return "aws";
  }

  /** As the reference names them. */
  @Override
  public String metricsName() {
    return "ec2";
  }

  @Override
  public List<Option<?>> settings() {
    return AwsKeys.all();
  }

  @Override
  public boolean hasAliasRanges() {
    return true;
  }

  @Override
  public AllocationImplementation create(ProviderContext context) {
    return AwsProvider.create(context);
  }

  @Override
  public Checkup checkup(ProviderContext context) {
    return AwsProvider.checkup(context);
  }

  @Override
  public Optional<PlannedInstance> plan(
      ConfigSource config,
      NodeSettings settings,
      NodeResource node,
      PlannedInstance.Passes passes) {
    EniSpec spec = node.eniSpec().orElse(EniSpec.EMPTY);
    return Optional.of(AwsProvider.plan(config, settings, spec, passes));
  }
}
