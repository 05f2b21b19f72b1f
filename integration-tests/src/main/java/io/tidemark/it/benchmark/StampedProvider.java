package io.tidemark.it.benchmark;

import io.tidemark.ip.AddressSet;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.Capability;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.NodeSettings;
import io.tidemark.spi.PoolId;
import io.tidemark.spi.PoolQuota;
import io.tidemark.spi.SyncOutcome;
import io.tidemark.time.SystemTime;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/** Notes when a full read of the account ended, so that the pass over the nodes is timed alone. */
final class StampedProvider implements AllocationImplementation {
  private final AllocationImplementation provider;
  private volatile long readNanos;

  StampedProvider(AllocationImplementation provider) {
    this.provider = provider;
  }

  long readNanos() {
    return readNanos;
  }

  @Override
  public CompletionStage<SyncOutcome> resync(CallContext context) {
    return provider
        .resync(context)
        .thenApply(
            outcome -> {
              readNanos = SystemTime.instance().nanos();
              return outcome;
            });
  }

  @Override
  public Set<Capability> capabilities() {
    return provider.capabilities();
  }

  @Override
  public CloudCalls calls() {
    return provider.calls();
  }

  @Override
  public Duration readHorizon() {
    return provider.readHorizon();
  }

  @Override
  public Duration overlayExpiry() {
    return provider.overlayExpiry();
  }

  @Override
  public NodeOperations createNode(NodeSettings settings, NodeResource resource) {
    return provider.createNode(settings, resource);
  }

  @Override
  public Optional<InstanceId> instanceId(NodeResource resource) {
    return provider.instanceId(resource);
  }

  @Override
  public Map<PoolId, PoolQuota> poolQuota() {
    return provider.poolQuota();
  }

  @Override
  public CompletionStage<SyncOutcome> instanceSync(InstanceId id, CallContext context) {
    return provider.instanceSync(id, context);
  }

  @Override
  public Map<String, AddressSet> describedInterfaces(NodeResource resource) {
    return provider.describedInterfaces(resource);
  }

  @Override
  public void deleteInstance(InstanceId id) {
    provider.deleteInstance(id);
  }

  @Override
  public void close() {
    provider.close();
  }
}
