package io.tidemark.config;

import io.tidemark.error.CoreError;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Keys that people bring along from elsewhere and that nothing here reads, each with the reason. A
 * key that a provider declares is not refused, whatever this table says.
 */
final class RefusedKeys {
  private static final SortedMap<String, Refusal> BY_KEY = new TreeMap<>();

  private static final String CHOOSE = "Remove the key, or choose the provider ";

  static {
    removed(
        "update-ec2-adapter-limit-via-api",
        "was removed: limits are read from the cloud",
        "Remove the key.");
    removed(
        "checkpoint",
        "was removed: ipamd replaces its checkpoint at each change",
        "Remove the key. A start of ipamd folds a journal that is left into the checkpoint.");
    foreign("subnet-ids-filter", "aws");
    foreign("subnet-tags-filter", "aws");
    foreign("instance-tags-filter", "aws");
    foreign("aws-use-primary-address", "aws");
    foreign("aws-max-results-per-call", "aws");
    foreign("aws-instance-limit-mapping", "aws");
    foreign("ec2-api-endpoint", "aws");
    foreign("eni-tags", "aws");
    foreign("eni-gc-tags", "aws");
    foreign("eni-gc-interval", "aws");
    foreign("azure-subscription-id", "azure");
    foreign("azure-resource-group", "azure");
    foreign("azure-user-assigned-identity-id", "azure");
    foreign("azure-use-primary-address", "azure");
    unsupported("alibaba-cloud-vpc-id");
    unsupported("alibaba-cloud-release-excess-ips");
  }

  /** Why a key is refused, and what to do about it. */
  record Refusal(CoreError code, String problem, String remedy) {}

  private RefusedKeys() {}

  static Map<String, Refusal> all() {
    return Map.copyOf(BY_KEY);
  }

  private static void removed(String key, String problem, String remedy) {
    BY_KEY.put(key, new Refusal(CoreError.CONFIG_REMOVED_KEY, problem, remedy));
  }

  static Refusal ofProvider(String provider) {
    return ofOwner("provider " + provider, CHOOSE + provider + ".");
  }

  static Refusal ofMode(String mode) {
    return ofOwner("ipam=" + mode, "Remove the key, or set ipam=" + mode + ".");
  }

  static Refusal ofOwner(String owner, String remedy) {
    return new Refusal(CoreError.CONFIG_FOREIGN_KEY, "is a setting of " + owner, remedy);
  }

  private static void foreign(String key, String provider) {
    BY_KEY.put(key, ofProvider(provider));
  }

  private static void unsupported(String key) {
    removed(key, "belongs to a cloud that has no provider here", "Remove the key.");
  }
}
