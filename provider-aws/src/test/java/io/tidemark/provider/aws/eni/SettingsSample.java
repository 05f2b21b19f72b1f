package io.tidemark.provider.aws.eni;

import java.time.Duration;
import java.util.Map;
import java.util.Set;

/** The settings of tests, of which they make copies with something else. */
public final class SettingsSample {
  /** How often what was left behind is looked for. */
  public static final Duration COLLECTION_INTERVAL = Duration.ofMinutes(5);

  /** The defaults of the configuration. */
  public static final EniSettings USUAL =
      new EniSettings(
          Map.of(),
          "Tidemark",
          Set.of(),
          Map.of(),
          0,
          5,
          false,
          false,
          false,
          false,
          false,
          Duration.ofSeconds(60),
          Duration.ofMinutes(2),
          COLLECTION_INTERVAL,
          EniSettings.Scope.USUAL,
          EniSettings.Options.NONE);

  private SettingsSample() {}
}
