package io.tidemark.provider.azure.ipam;

import io.tidemark.provider.azure.ipam.AzureSettings.Fence;
import io.tidemark.provider.azure.ipam.AzureSettings.Release;
import java.time.Duration;
import java.util.Optional;

/** The usual settings with one of them changed. */
final class SettingsSample {
  static final AzureSettings USUAL = AzureWorld.SETTINGS;
  static final AzureSettings BLOCKS_ON_SETS =
      of(false, USUAL.release(), true, 0, USUAL.resyncInterval());
  static final AzureSettings PRIMARY_FOR_PODS =
      of(true, USUAL.release(), false, 0, USUAL.resyncInterval());
  static final AzureSettings RELEASING_FOREIGN =
      of(false, new Release(true, USUAL.release().quarantine()), false, 0, USUAL.resyncInterval());
  static final AzureSettings ALWAYS_DUE = of(false, USUAL.release(), false, 0, Duration.ZERO);

  private SettingsSample() {}

  static AzureSettings reserving(int addresses) {
    return of(false, USUAL.release(), false, addresses, USUAL.resyncInterval());
  }

  /** Of this resource group alone. */
  static AzureSettings within(String group) {
    AzureSettings usual = reserving(0);
    return new AzureSettings(
        usual.horizon(),
        usual.overlayExpiry(),
        usual.pollInterval(),
        usual.resyncInterval(),
        usual.namePrefix(),
        usual.usePrimaryAddress(),
        usual.release(),
        usual.blocksOnScaleSets(),
        usual.subnetReserve(),
        new Fence(Optional.empty(), Optional.of(group)));
  }

  private static AzureSettings of(
      boolean primary, Release release, boolean setBlocks, int reserve, Duration resync) {
    return new AzureSettings(
        USUAL.horizon(),
        USUAL.overlayExpiry(),
        USUAL.pollInterval(),
        resync,
        USUAL.namePrefix(),
        primary,
        release,
        setBlocks,
        reserve,
        new Fence(Optional.empty(), Optional.empty()));
  }
}
