package io.tidemark.engine;

import io.tidemark.config.Option;
import io.tidemark.config.Options;
import io.tidemark.error.CoreError;
import io.tidemark.error.IpamException;
import io.tidemark.ip.AddressSet;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.Capability;
import io.tidemark.spi.Checkup;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.NodeSettings;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.PoolQuota;
import io.tidemark.spi.ProviderContext;
import io.tidemark.spi.ProviderFactory;
import io.tidemark.spi.SyncOutcome;
import io.tidemark.spi.contract.UnaskedOperations;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A cloud without instances: it can be read and offers nothing. It remembers the settings it was
 * made with and refuses a {@code fake-color} other than blue.
 */
final class FakeProvider implements ProviderFactory {
  private static final Options SETTINGS = new Options();
  private static final String COLOR = SETTINGS.raw("fake-color", "blue").key();
  private static final String UID = SETTINGS.raw("cluster-uid", "identity of the cluster").key();

  final List<Map<String, String>> seen = new CopyOnWriteArrayList<>();
  Optional<Duration> passTimeout = Optional.empty();

  @Override
  public String name() {
    return "fake";
  }

  @Override
  public List<Option<?>> settings() {
    return SETTINGS.all();
  }

  @Override
  public Optional<Duration> passTimeout() {
    return passTimeout;
  }

  @Override
  public AllocationImplementation create(ProviderContext context) {
    check(context);
    return new Cloud(context.calls().create(Requests.POLICY), new TreeMap<>(Map.of("mine", "1")));
  }

  @Override
  public Checkup checkup(ProviderContext context) {
    check(context);
    return Checkup.NOTHING;
  }

  private void check(ProviderContext context) {
    Map<String, String> settings = new TreeMap<>();
    for (String key : List.of("cluster-name", UID)) {
      context.config().value(key).ifPresent(value -> settings.put(key, value));
    }
    seen.add(settings);
    if (!context.config().value(COLOR).orElse("blue").equals("blue")) {
      throw new IpamException(CoreError.CONFIG_REFUSED, COLOR + " is not blue");
    }
  }

  private record Cloud(CloudCalls calls, Map<String, String> notes)
      implements AllocationImplementation {
    @Override
    public void inherit(Map<String, String> inherited) {
      notes.putAll(inherited);
    }

    @Override
    public Set<Capability> capabilities() {
      return Set.of();
    }

    @Override
    public NodeOperations createNode(NodeSettings settings, NodeResource resource) {
      return new Nothing();
    }

    @Override
    public Optional<InstanceId> instanceId(NodeResource resource) {
      return Optional.of(new InstanceId(resource.name()));
    }

    @Override
    public Duration readHorizon() {
      return Duration.ZERO;
    }

    @Override
    public Duration overlayExpiry() {
      return Duration.ofMinutes(2);
    }

    @Override
    public Map<PoolId, PoolQuota> poolQuota() {
      return Map.of(new PoolId("subnet-f"), new PoolQuota("zone-f", 7, 0));
    }

    @Override
    public CompletionStage<SyncOutcome> resync(CallContext context) {
      return CompletableFuture.completedStage(new SyncOutcome.Synced(0));
    }

    @Override
    public CompletionStage<SyncOutcome> instanceSync(InstanceId id, CallContext context) {
      return CompletableFuture.completedStage(new SyncOutcome.InstanceNotFound());
    }

    @Override
    public Map<String, AddressSet> describedInterfaces(NodeResource resource) {
      return Map.of();
    }

    @Override
    public void deleteInstance(InstanceId id) {
      // there is none
    }

    @Override
    public void close() {
      // it holds nothing
    }
  }

  /** A node whose instance is not there: nothing is ever asked of it. */
  private static final class Nothing extends UnaskedOperations {
    @Override
    public Inventory inventory() {
      return new Inventory.InstanceMissing(true);
    }
  }
}
