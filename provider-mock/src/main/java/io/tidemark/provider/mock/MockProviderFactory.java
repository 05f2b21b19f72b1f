package io.tidemark.provider.mock;

import io.tidemark.config.Option;
import io.tidemark.metrics.Meters;
import io.tidemark.provider.kit.AccountState;
import io.tidemark.provider.kit.Creations;
import io.tidemark.provider.kit.InstanceInventory;
import io.tidemark.provider.kit.pool.PoolLedger;
import io.tidemark.provider.mock.cloud.CloudSettings;
import io.tidemark.provider.mock.cloud.CloudSetup;
import io.tidemark.provider.mock.cloud.FaultScript;
import io.tidemark.provider.mock.cloud.InstanceTypes;
import io.tidemark.provider.mock.cloud.MockCloud;
import io.tidemark.provider.mock.cloud.Subnet;
import io.tidemark.resilience.Cancellation;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.ProviderContext;
import io.tidemark.spi.ProviderFactory;
import io.tidemark.time.TimeSource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;

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
    return MockKey.all();
  }

  @Override
  public boolean hasAliasRanges() {
    return true;
  }

  @Override
  public AllocationImplementation create(ProviderContext context) {
    MockConfig config = MockConfigReader.read(context.config());
    MockCloud cloud = given.orElseGet(() -> embedded(config, context));
    CloudSettings settings = cloud.settings();
    MockApi api =
        new MockApi(
            cloud,
            context.calls().create(MockCallPolicy.of(settings.bucketScale())),
            context.scheduler(),
            config.latencies());
    TimeSource time = context.scheduler().time();
    AccountState<MockInterface, Subnet> state =
        new AccountState<>(
            new InstanceInventory<MockInterface>(
                time, config.overlayExpiry(), settings.stalenessMax()),
            new PoolLedger<Subnet>(time, Meters.none(), Duration.ZERO),
            new Creations(time, Duration.ZERO),
            MockAccount.FAILURES,
            Meters.none(),
            context.scheduler(),
            settings.stalenessMax(),
            new Cancellation());
    Claims claims =
        given.isPresent() ? Claims.NONE : new ManifestAdoption(cloud, config.aliasRanges());
    return new MockAllocation(
        new MockAccount(api, state, new MockTags(context.cluster()), claims),
        settings.types(),
        claims);
  }

  private static MockCloud embedded(MockConfig config, ProviderContext context) {
    InstanceTypes types = InstanceTypes.standard().with(config.instanceTypes());
    FaultScript faults =
        new FaultScript(
            config.faults(), config.stalenessMax(), new SplittableRandom(config.seed()));
    MockCloud cloud =
        new MockCloud(
            new CloudSettings(
                config.seed(), types, config.bucketScale(), config.stalenessMax(), faults),
            context.scheduler().time());
    CloudSetup setup = cloud.setup();
    MadeNetworks.vpcs(config.subnets()).forEach(setup::vpc);
    config.subnets().forEach(setup::subnet);
    config.securityGroups().forEach(setup::securityGroup);
    config.publicAddresses().forEach(setup::publicAddress);
    return cloud;
  }
}
