package io.tidemark.operator.wiring;

import io.tidemark.config.ConfigSource;
import io.tidemark.error.IpamException;
import io.tidemark.metrics.NoMetrics;
import io.tidemark.resilience.StandardCloudCallsFactory;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.OperatorNotices;
import io.tidemark.spi.ProviderContext;
import io.tidemark.spi.ProviderFactory;
import io.tidemark.time.EffectModel;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * Asks a provider what it thinks of its settings, so that its problems are told together with the
 * engine's. Making a provider sends no request.
 */
public final class ProviderSettings {
  private ProviderSettings() {}

  /** Why the provider refuses the settings; empty when it does not. */
  public static Optional<IpamException> refusal(ProviderFactory factory, ConfigSource source) {
    VirtualTime time = new VirtualTime(0);
    SplittableRandom random = new SplittableRandom(0);
    StandardCloudCallsFactory calls =
        StandardCloudCallsFactory.unlimited(
            time,
            time.process("settings").effects(EffectModel.reliable(Duration.ZERO, Duration.ZERO)),
            random);
    ProviderContext context =
        new ProviderContext(
            "default", source, time, random, calls, NoMetrics.INTERFACES, OperatorNotices.NONE);
    try (AllocationImplementation made = factory.create(context)) {
      Objects.requireNonNull(made, "made");
      return Optional.empty();
    } catch (IpamException refused) {
      return Optional.of(refused);
    }
  }
}
