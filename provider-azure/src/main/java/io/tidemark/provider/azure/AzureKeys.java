package io.tidemark.provider.azure;

import io.tidemark.config.Option;
import io.tidemark.config.Options;
import io.tidemark.config.SharedKey;
import java.time.Duration;
import java.util.List;

/** The provider's settings (Z45). Names that the reference has are kept. */
final class AzureKeys {
  private static final Options ALL = new Options();

  private static final String ID = "[0-9A-Za-z-]{1,64}";

  static final Option<String> CLOUD =
      ALL.text(
          "azure-cloud",
          "",
          "(?i)AzurePublicCloud|AzureUSGovernmentCloud|AzureChinaCloud|custom",
          "AzurePublicCloud, AzureUSGovernmentCloud, AzureChinaCloud or custom",
          "AzurePublicCloud, AzureUSGovernmentCloud, AzureChinaCloud or custom (default: from"
              + " the machine's metadata)");
  static final Option<String> RESOURCE_MANAGER =
      ALL.raw(
          "azure-resource-manager-endpoint",
          "endpoint of a custom cloud: host name or URL, http for loopback only");
  static final Option<String> AUTHORITY =
      ALL.raw(
          "azure-authority-host",
          "authority of a custom cloud: host name or URL, http for loopback only");
  static final Option<String> METADATA =
      ALL.raw(
          "azure-metadata-endpoint",
          "endpoint of the machine's metadata (default: http://169.254.169.254)");
  static final Option<String> CA_BUNDLE =
      ALL.raw(
          "azure-ca-bundle",
          "PEM file of trusted certificate authorities; unset, those of the Java runtime");
  static final Option<String> IDENTITY =
      ALL.text(
          "azure-user-assigned-identity-id",
          "",
          ID,
          "the client ID of the identity",
          "client ID of the user-assigned identity to use, instead of other credentials");
  static final Option<String> SUBSCRIPTION =
      ALL.text(
          "azure-subscription-id",
          "",
          ID,
          "the ID of a subscription",
          "the only subscription whose instances are managed");
  static final Option<String> GROUP =
      ALL.text(
          "azure-resource-group",
          "",
          "[\\p{L}\\p{N}._()-]{1,90}",
          "the name of a resource group",
          "the only resource group whose instances are managed");
  static final Option<Boolean> PRIMARY =
      ALL.flag(
          "azure-use-primary-address", false, "let the primary address of an interface serve pods");
  static final Option<Double> API_SHARE =
      ALL.decimal(
          "azure-api-share", 1, 0.01, 10, "share of Azure's documented request rates to use, {}");
  static final Option<Duration> RESYNC_INTERVAL =
      ALL.duration(
          "azure-resync-interval",
          "5m",
          "1s",
          "24h",
          "interval of full reads of the nodes' scale sets and resource groups, {}");
  static final Option<Duration> POLL_INTERVAL =
      ALL.duration(
          "azure-poll-interval",
          "5s",
          "100ms",
          "5m",
          "interval between polls of a long-running operation, {}");
  static final Option<String> PREFIX =
      ALL.text(
          "azure-ipconfig-prefix",
          "Tidemark-",
          "[A-Za-z0-9][A-Za-z0-9._-]{0,59}",
          "1 to 60 letters, digits, '.', '_' and '-', a letter or digit first",
          "prefix of the names of IP configurations that are created");
  static final Option<Boolean> RELEASE_FOREIGN =
      ALL.flag(
          "azure-release-foreign",
          false,
          "also release addresses of IP configurations that Tidemark did not create");
  static final Option<Duration> RELEASE_QUARANTINE =
      ALL.duration(
          "azure-release-quarantine",
          "10m",
          "0",
          "24h",
          "how long a released address is not counted as free, {}");
  static final Option<Boolean> SET_BLOCKS =
      ALL.flag(
          "azure-blocks-on-scale-sets",
          false,
          "allocate /28 blocks to instances of Uniform scale sets too");
  static final Option<Integer> SUBNET_RESERVE =
      ALL.integer(
          "azure-subnet-reserve",
          0,
          0,
          65_536,
          "free addresses of each subnet that are left to others, {}");
  static final Option<Duration> HORIZON = ALL.with(SharedKey.CONSISTENCY_HORIZON);

  private AzureKeys() {}

  /** All of them, in the order of the document. */
  static List<Option<?>> all() {
    return ALL.all();
  }
}
