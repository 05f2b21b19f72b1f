package io.tidemark.provider.azure.ipam;

import io.tidemark.provider.azure.network.ResourceId;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import java.time.Duration;
import java.util.Optional;

/**
 * The settings of this package (provider-azure 13.7).
 *
 * @param horizon how far a read may lag behind
 * @param overlayExpiry how long own writes take precedence over reads that contradict them
 * @param pollInterval between two reads of an operation
 * @param resyncInterval between two full reads of a scale set or resource group
 * @param namePrefix of the configurations that are made
 * @param usePrimaryAddress whether the primary address of an interface serves pods
 * @param blocksOnScaleSets whether instances of Uniform sets are asked for blocks (Z31)
 * @param subnetReserve addresses of each subnet that are left free
 */
public record AzureSettings(
    Duration horizon,
    Duration overlayExpiry,
    Duration pollInterval,
    Duration resyncInterval,
    String namePrefix,
    boolean usePrimaryAddress,
    Release release,
    boolean blocksOnScaleSets,
    int subnetReserve,
    Fence fence) {
  /**
   * The interfaces that may release.
   *
   * @param foreign configurations whose names are not ours, too
   * @param quarantine how long a released address does not count as free (Z29)
   */
  public record Release(boolean foreign, Duration quarantine) {}

  /** The only subscription and resource group whose instances are managed; empty for any (Z45). */
  public record Fence(Optional<String> subscription, Optional<String> resourceGroup) {
    /** Why an instance is not managed. */
    Optional<Blocked> blocked(ResourceId instance) {
      boolean inside =
          subscription.map(instance.subscription()::equalsIgnoreCase).orElse(true)
              && resourceGroup.map(instance.group()::equalsIgnoreCase).orElse(true);
      return inside
          ? Optional.empty()
          : Optional.of(
              new Blocked(
                  BlockedReason.NOT_SELECTED,
                  instance
                      + " is outside of azure-subscription-id "
                      + subscription.orElse("(any)")
                      + " and azure-resource-group "
                      + resourceGroup.orElse("(any)")));
    }
  }
}
