package io.tidemark.engine;

import io.tidemark.config.ConfigProblem;
import io.tidemark.config.ConfigProblems;
import io.tidemark.config.ConfigSource;
import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.metrics.Meters;
import io.tidemark.resilience.StandardCloudCallsFactory;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.OperatorNotices;
import io.tidemark.spi.ProviderContext;
import io.tidemark.spi.ProviderFactory;
import io.tidemark.time.EffectModel;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.Objects;
import java.util.SplittableRandom;

/**
 * Asks a provider to check its settings, so that its problems are reported together with the
 * engine's. Stateless.
 */
public final class ProviderSettings {
  private ProviderSettings() {}

  /** Adds what the provider refuses, unless it is known already; sends no request. */
  public static void check(ProviderFactory factory, ConfigSource source, ConfigProblems problems) {
    VirtualTime time = new VirtualTime(0);
    SplittableRandom random = new SplittableRandom(0);
    StandardCloudCallsFactory calls =
        StandardCloudCallsFactory.unlimited(
            time,
            time.process("settings").effects(EffectModel.reliable(Duration.ZERO, Duration.ZERO)),
            random);
    ProviderContext context =
        new ProviderContext(
            "default", source, time, random, calls, Meters.none(), OperatorNotices.NONE);
    try (AllocationImplementation made = factory.create(context)) {
      Objects.requireNonNull(made, "made");
    } catch (IpamException refused) {
      if (!problems.addAll(refused)) {
        problems.add(
            new ConfigProblem(
                CoreError.CONFIG_INVALID_VALUE,
                "",
                "",
                "provider " + factory.name(),
                refused.detail(),
                refused.code().remedy()));
      }
    }
  }
}
