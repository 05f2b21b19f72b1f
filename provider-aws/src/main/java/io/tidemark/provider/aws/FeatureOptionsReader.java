package io.tidemark.provider.aws;

import io.tidemark.config.ConfigReader;
import io.tidemark.config.ConfigSource;
import io.tidemark.config.SharedKey;
import io.tidemark.provider.aws.eni.EniOptions;
import io.tidemark.provider.aws.eni.EniSettings;
import java.util.List;

/** Reads what is off unless somebody asks for it, with what each of them rests on. Used once. */
final class FeatureOptionsReader {
  private final ConfigSource source;
  private final ConfigReader reader;

  FeatureOptionsReader(ConfigReader reader) {
    this.source = reader.source();
    this.reader = reader;
  }

  /**
   * The options.
   *
   * @param others what was read of the other settings
   */
  EniOptions read(EniSettings others) {
    EniOptions options =
        new EniOptions(
            AwsKeys.ENI_RELEASE.read(reader),
            AwsKeys.SUBNET_ROLES.read(reader),
            AwsKeys.FOREIGN.read(reader),
            AwsKeys.RECONCILE_GROUPS.read(reader),
            AwsKeys.RETIRE_SUBNETS.read(reader),
            AwsKeys.COPY_TRACKING.read(reader));
    if (options.releaseInterfaces() && !SharedKey.RELEASE_EXCESS_IPS.read(reader)) {
      contradiction(
          AwsKeys.ENI_RELEASE.key(),
          SharedKey.RELEASE_EXCESS_IPS.key(),
          "without it no interface is ever empty");
    }
    if (options.releaseInterfaces() && others.collectionInterval().isZero()) {
      contradiction(
          AwsKeys.ENI_RELEASE.key(),
          AwsKeys.GC_INTERVAL.key(),
          "an interface that a restart leaves detached is deleted by that collection alone");
    }
    if (options.retireSubnets() && others.subnetFallback()) {
      contradiction(
          AwsKeys.RETIRE_SUBNETS.key(),
          AwsKeys.SUBNET_FALLBACK.key(),
          "tags that match nothing select all");
    }
    if (isReferenceCompatible(reader)) {
      refuseWithReference(options);
    }
    return options;
  }

  static boolean isReferenceCompatible(ConfigReader reader) {
    return SharedKey.IPAM_PROFILE.read(reader) == SharedKey.Profile.REFERENCE;
  }

  private void refuseWithReference(EniOptions options) {
    List<String> given =
        List.of(
            options.releaseInterfaces() ? AwsKeys.ENI_RELEASE.key() : "",
            options.roleTags() ? AwsKeys.SUBNET_ROLES.key() : "",
            options.manageForeign() ? "" : AwsKeys.FOREIGN.key(),
            options.reconcileGroups() ? AwsKeys.RECONCILE_GROUPS.key() : "",
            options.retireSubnets() ? AwsKeys.RETIRE_SUBNETS.key() : "",
            options.copyTracking() ? AwsKeys.COPY_TRACKING.key() : "");
    for (String key : given) {
      if (!key.isEmpty()) {
        contradiction(key, SharedKey.IPAM_PROFILE.key(), "the reference has nothing of the kind");
      }
    }
  }

  private void contradiction(String key, String other, String why) {
    reader.problems().contradiction(source, key, other, why);
  }
}
