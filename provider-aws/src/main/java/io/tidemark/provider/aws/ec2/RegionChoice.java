package io.tidemark.provider.aws.ec2;

import java.util.Optional;
import java.util.function.Supplier;
import software.amazon.awssdk.core.SdkSystemSetting;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.regions.providers.AwsProfileRegionProvider;
import software.amazon.awssdk.regions.providers.AwsRegionProvider;
import software.amazon.awssdk.regions.providers.SystemSettingsRegionProvider;

/** The environment, as every program with the AWS SDK reads it. */
public final class RegionChoice {
  private RegionChoice() {}

  /** The region in settings, environment or profile, in this order; makes no request. */
  public static Optional<String> named(Optional<String> configured) {
    return named(configured, SystemSettingsRegionProvider::new, AwsProfileRegionProvider::new);
  }

  static Optional<String> named(
      Optional<String> configured,
      Supplier<AwsRegionProvider> environment,
      Supplier<AwsRegionProvider> profile) {
    return configured.or(() -> region(environment)).or(() -> region(profile));
  }

  private static Optional<String> region(Supplier<AwsRegionProvider> provider) {
    try {
      return Optional.ofNullable(provider.get().getRegion()).map(region -> region.id());
    } catch (SdkException none) {
      return Optional.empty();
    }
  }

  /** Whether {@code AWS_EC2_METADATA_DISABLED} forbids to ask the instance metadata service. */
  public static boolean isMetadataDisabled() {
    return SdkSystemSetting.AWS_EC2_METADATA_DISABLED.getBooleanValue().orElse(false);
  }
}
