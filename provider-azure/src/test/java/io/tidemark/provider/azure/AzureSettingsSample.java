package io.tidemark.provider.azure;

import io.tidemark.config.ConfigSource;
import io.tidemark.provider.azure.ipam.AzureSettings;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** Settings of the allocation: the defaults, and what a test changes. */
public final class AzureSettingsSample {
  private AzureSettingsSample() {}

  /** With these values of keys, by turns; own writes take precedence for five minutes. */
  public static AzureSettings of(String... pairs) {
    Map<String, String> values = new HashMap<>(Map.of("overlay-expiry", "5m"));
    for (int i = 0; i < pairs.length; i += 2) {
      values.put(pairs[i], pairs[i + 1]);
    }
    return new AzureConfigReader(ConfigSource.of(values), Map.of()).read().ipam();
  }

  /** The same by which every resync reads everything. */
  public static AzureSettings alwaysDue(String... pairs) {
    AzureSettings of = of(pairs);
    return new AzureSettings(
        of.horizon(),
        of.overlayExpiry(),
        of.pollInterval(),
        Duration.ZERO,
        of.namePrefix(),
        of.usePrimaryAddress(),
        of.release(),
        of.blocksOnScaleSets(),
        of.subnetReserve(),
        of.fence());
  }
}
