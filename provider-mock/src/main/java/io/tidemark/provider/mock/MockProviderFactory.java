package io.tidemark.provider.mock;

import io.tidemark.config.Option;
import io.tidemark.metrics.Meters;
import io.tidemark.provider.kit.AccountState;
import io.tidemark.provider.mock.cloud.CloudSettings;
import io.tidemark.provider.mock.cloud.FaultScript;
import io.tidemark.provider.mock.cloud.MockCloud;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.ProviderContext;
import io.tidemark.spi.ProviderFactory;
import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The provider {@code mock}. By default each provider has a cloud of its own, made from the
 * manifests: what they show exists. With a cloud given, that one is used as it is.
 */
public final class MockProviderFactory implements ProviderFactory {
  private final Optional<MockCloud> given;

  /** A provider with an embedded cloud; for {@link java.util.ServiceLoader}. */
  public MockProviderFactory() {
    this.given = Optional.empty();
  }

  /** A provider for a cloud that exists; manifests change nothing in it. */
  public MockProviderFactory(MockCloud cloud) {
    this.given = Optional.of(cloud);
  }

  @Override
  public String name() {
    return "mock";
  }

  @Override
  public List<Option<?>> settings() {
    return MockConfig.KEYS.all();
  }

  @Override
  public boolean hasAliasRanges() {
    return true;
  }

  @Override
  public AllocationImplementation create(ProviderContext context) {
    MockConfig config = MockConfig.read(context.config());
    MockCloud cloud = given.orElseGet(() -> embedded(config, context.scheduler().time()));
    return new MockAllocation(
        cloud,
        context.calls().create(MockAllocation.policy(cloud.settings().bucketScale())),
        AccountState.unread(
            context.scheduler(),
            Meters.none(),
            config.overlayExpiry(),
            cloud.settings().stalenessMax(),
            MockAllocation.FAILURES),
        context.cluster(),
        new ManifestAdoption(cloud.state(), given.isEmpty(), config.aliasRanges()),
        config.latency());
  }

  private static MockCloud embedded(MockConfig config, TimeSource time) {
    FaultScript faults = new FaultScript(config.faults());
    double scale = config.bucketScale();
    MockCloud cloud =
        new MockCloud(new CloudSettings(1, Map.of(), scale, Duration.ZERO, faults), time);
    config.subnets().forEach(cloud.state()::subnet);
    return cloud;
  }
}
