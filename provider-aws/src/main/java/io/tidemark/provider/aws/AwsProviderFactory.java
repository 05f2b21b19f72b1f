package io.tidemark.provider.aws;

import io.tidemark.config.Option;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.Checkup;
import io.tidemark.spi.ProviderContext;
import io.tidemark.spi.ProviderFactory;
import java.util.List;

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
}
