package io.tidemark.provider.aws.eni;

import java.time.Duration;
import java.util.Map;
import java.util.Set;

/** Settings for tests: the usual ones, or those but for what is said. */
public record SettingsSample(
    int reserved,
    boolean fastest,
    boolean ipv6,
    boolean subnetFallback,
    EniSettings.Parity parity,
    Duration horizon,
    EniSettings.Scope scope) {
  /** How long a write of ours wins over reads. */
  public static final Duration OVERLAY_EXPIRY = Duration.ofMinutes(2);

  /** How often what was left behind is looked for. */
  public static final Duration COLLECTION_INTERVAL = Duration.ofMinutes(5);

  /** The defaults of the configuration. */
  public static final SettingsSample USUAL =
      new SettingsSample(
          0,
          false,
          false,
          false,
          new EniSettings.Parity(false, false),
          Duration.ofSeconds(60),
          EniSettings.Scope.USUAL);

  public SettingsSample withReserved(int interfaces) {
    return new SettingsSample(interfaces, fastest, ipv6, subnetFallback, parity, horizon, scope);
  }

  public SettingsSample withFastest(boolean on) {
    return new SettingsSample(reserved, on, ipv6, subnetFallback, parity, horizon, scope);
  }

  public SettingsSample withIpv6(boolean on) {
    return new SettingsSample(reserved, fastest, on, subnetFallback, parity, horizon, scope);
  }

  public SettingsSample withSubnetFallback() {
    return new SettingsSample(reserved, fastest, ipv6, true, parity, horizon, scope);
  }

  /** With all of the reference's formulas. */
  public SettingsSample withParity() {
    EniSettings.Parity all = new EniSettings.Parity(true, true);
    return new SettingsSample(reserved, fastest, ipv6, subnetFallback, all, horizon, scope);
  }

  public SettingsSample withHorizon(Duration behind) {
    return new SettingsSample(reserved, fastest, ipv6, subnetFallback, parity, behind, scope);
  }

  public SettingsSample in(EniSettings.Scope other) {
    return new SettingsSample(reserved, fastest, ipv6, subnetFallback, parity, horizon, other);
  }

  public EniSettings build() {
    return build("Tidemark", COLLECTION_INTERVAL, EniOptions.NONE);
  }

  EniSettings build(String description, Duration collectionInterval, EniOptions options) {
    return new EniSettings(
        Map.of(),
        description,
        Set.of(),
        Map.of(),
        reserved,
        5,
        fastest,
        ipv6,
        subnetFallback,
        parity,
        horizon,
        OVERLAY_EXPIRY,
        collectionInterval,
        scope,
        options);
  }
}
