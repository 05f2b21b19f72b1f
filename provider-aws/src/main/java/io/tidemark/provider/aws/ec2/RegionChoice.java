package io.tidemark.provider.aws.ec2;

import io.tidemark.provider.aws.metadata.InstanceMetadata;
import io.tidemark.provider.kit.start.MetadataUnavailable;
import java.util.Optional;
import java.util.function.Supplier;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.regions.providers.AwsProfileRegionProvider;
import software.amazon.awssdk.regions.providers.AwsRegionProvider;
import software.amazon.awssdk.regions.providers.SystemSettingsRegionProvider;

/** Which region to work in: the settings', the environment's, the profile's, the instance's. */
public final class RegionChoice {
  private RegionChoice() {}

  /**
   * The region; reads the metadata only if settings, environment and profile name none.
   *
   * @throws MetadataUnavailable if it is named nowhere; the message says what to set
   */
  public static String of(Optional<String> configured, InstanceMetadata metadata)
      throws MetadataUnavailable {
    return of(
        configured, SystemSettingsRegionProvider::new, AwsProfileRegionProvider::new, metadata);
  }

  /** The region in settings, environment or profile; makes no request. */
  public static Optional<String> named(Optional<String> configured) {
    return named(configured, SystemSettingsRegionProvider::new, AwsProfileRegionProvider::new);
  }

  static String of(
      Optional<String> configured,
      Supplier<AwsRegionProvider> environment,
      Supplier<AwsRegionProvider> profile,
      InstanceMetadata metadata)
      throws MetadataUnavailable {
    Optional<String> named = named(configured, environment, profile);
    return named.isPresent() ? named.get() : metadata.region();
  }

  private static Optional<String> named(
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
}
