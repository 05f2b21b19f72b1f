package io.tidemark.provider.aws;

import io.tidemark.config.ConfigSource;
import io.tidemark.config.Option;
import io.tidemark.provider.aws.ec2.Ec2CallLimits;
import io.tidemark.provider.aws.eni.EniModel;
import io.tidemark.provider.aws.limits.InstanceTypeLimits;
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
    AwsConfig read = AwsConfig.read(config);
    return Optional.of(
        new EniModel(
                InstanceTypeLimits.shipped(read.limits(), spec.instanceType()),
                settings,
                spec,
                read.eni())
            .fill(
                passes,
                read.eni().scope().crossAccount()
                    ? Ec2CallLimits.ofNetworks(read.account(), "", read.apiShare())
                    : Ec2CallLimits.of(read.account(), "", read.apiShare())));
  }
}
