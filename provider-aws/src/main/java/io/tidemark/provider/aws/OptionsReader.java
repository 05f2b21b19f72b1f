package io.tidemark.provider.aws;

import io.tidemark.config.ConfigReader;
import io.tidemark.config.ConfigSource;
import io.tidemark.config.CoreConfig;
import io.tidemark.provider.aws.eni.EniOptions;
import io.tidemark.provider.aws.eni.EniSettings;
import java.util.List;

/** Reads what is off unless somebody asks for it, with what each of them rests on. Used once. */
final class OptionsReader {
  private static final String PROFILE = "ipam-profile";
  private static final String RELEASE = "release-excess-ips";

  private final ConfigSource source;
  private final ConfigReader reader;
  private final CoreConfig core;

  /** Problems of {@code core} are told by whoever reads it for itself. */
  OptionsReader(ConfigReader reader, CoreConfig core) {
    this.source = reader.source();
    this.reader = reader;
    this.core = core;
  }

  /**
   * The options.
   *
   * @param others what was read of the other settings
   */
  EniOptions read(EniSettings others) {
    EniOptions options =
        new EniOptions(
            reader.flag(AwsKeys.ENI_RELEASE, false),
            reader.flag(AwsKeys.SUBNET_ROLES, false),
            reader.flag(AwsKeys.FOREIGN, true),
            reader.flag(AwsKeys.RECONCILE_GROUPS, false),
            reader.flag(AwsKeys.RETIRE_SUBNETS, false),
            reader.flag(AwsKeys.COPY_TRACKING, false));
    if (options.releaseInterfaces() && !core.release().enabled()) {
      contradiction(AwsKeys.ENI_RELEASE, RELEASE, "without it no interface is ever empty");
    }
    if (options.releaseInterfaces() && others.collectionInterval().isZero()) {
      contradiction(
          AwsKeys.ENI_RELEASE,
          AwsKeys.GC_INTERVAL,
          "an interface that a restart leaves detached is deleted by that collection alone");
    }
    if (options.retireSubnets() && others.subnetFallback()) {
      contradiction(
          AwsKeys.RETIRE_SUBNETS, AwsKeys.SUBNET_FALLBACK, "tags that match nothing select all");
    }
    if (core.isReferenceCompatible()) {
      refuseWithReference(options);
    }
    return options;
  }

  private void refuseWithReference(EniOptions options) {
    List<String> given =
        List.of(
            options.releaseInterfaces() ? AwsKeys.ENI_RELEASE : "",
            options.roleTags() ? AwsKeys.SUBNET_ROLES : "",
            options.manageForeign() ? "" : AwsKeys.FOREIGN,
            options.reconcileGroups() ? AwsKeys.RECONCILE_GROUPS : "",
            options.retireSubnets() ? AwsKeys.RETIRE_SUBNETS : "",
            options.copyTracking() ? AwsKeys.COPY_TRACKING : "");
    for (String key : given) {
      if (!key.isEmpty()) {
        contradiction(key, PROFILE, "the reference has nothing of the kind");
      }
    }
  }

  private void contradiction(String key, String other, String why) {
    reader.problems().contradiction(source, key, other, why);
  }
}
