package io.tidemark.provider.azure.ipam;

import io.tidemark.ip.AddressSet;
import io.tidemark.provider.kit.Batcher;
import io.tidemark.provider.kit.InterfaceAllocation;
import io.tidemark.resilience.CallContext;
import io.tidemark.resource.AzureStatus;
import io.tidemark.resource.HandshakeState;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.Capability;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.NodeSettings;
import io.tidemark.spi.SyncOutcome;
import java.time.Duration;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The machines of one principal in Azure: the cache, the reads that fill it, and the nodes that use
 * it. Start reading here.
 */
public final class AzureAllocation extends InterfaceAllocation {
  private static final Set<Capability> CAPABILITIES =
      Collections.unmodifiableSet(
          EnumSet.of(
              Capability.RELEASE,
              Capability.CIDR_RELEASE,
              Capability.SINGLE_ADDRESSES,
              Capability.PREFIX_DELEGATION,
              Capability.STATIC_ADDRESS));

  private static final String SCHEME = "azure://";

  /** Reads that may be under way at a time; their buckets pace them. */
  private static final int READS_MAX = 1_000;

  /** From so many waiting instances of a set its list is read (Z9). */
  private static final int LISTED_MIN = 8;

  private final AzureAccount account;
  private final ConcurrentHashMap<InstanceId, AzureNode> nodes = new ConcurrentHashMap<>();
  private final AzureReads reads;
  private final AzureFullSync sync;

  /**
   * A provider that makes no request yet.
   *
   * @param closing what {@link #close} ends too
   */
  public AzureAllocation(AzureAccount account, Runnable closing) {
    super(account.state, account.arm.calls(), batches(account), closing);
    this.account = account;
    this.reads = new AzureReads(account, nodes);
    this.sync = new AzureFullSync(account, reads);
  }

  /** Instances of one set wait for each other only while many of them wait. */
  private static Batcher.Options<InstanceId> batches(AzureAccount account) {
    return new Batcher.Options<>(
        READS_MAX,
        READS_MAX,
        Duration.ofMillis(50),
        id -> Scope.of(id).<Object>map(scope -> scope).orElse(id),
        false,
        id -> Math.max(LISTED_MIN, account.neighbours(id) / 10));
  }

  @Override
  public Set<Capability> capabilities() {
    return CAPABILITIES;
  }

  /** Azure's own controller mixes upper and lower case, and writes a scheme before the id (Z40). */
  @Override
  public Optional<InstanceId> instanceId(NodeResource resource) {
    return resource
        .instanceId()
        .map(text -> text.toLowerCase(Locale.ROOT))
        .map(text -> text.startsWith(SCHEME) ? text.substring(SCHEME.length()) : text)
        .filter(text -> !text.isEmpty())
        .map(InstanceId::new);
  }

  @Override
  public NodeOperations createNode(NodeSettings settings, NodeResource resource) {
    InstanceId id = instance(settings, resource);
    AzureNode node = new AzureNode(account, settings, id);
    nodes.put(id, node);
    account.add(id);
    if (resource.releaseIps().containsValue(HandshakeState.READY_FOR_RELEASE)) {
      account.unsettled.add(id);
    }
    node.updatedNode(resource);
    return node;
  }

  @Override
  protected AzureReads reads() {
    return reads;
  }

  @Override
  protected CompletionStage<SyncOutcome> readAll(CallContext context) {
    return sync.run(context);
  }

  @Override
  public Map<String, AddressSet> describedInterfaces(NodeResource resource) {
    return resource.azureStatus().map(AzureStatus::addressesByInterface).orElse(Map.of());
  }

  @Override
  public void deleteInstance(InstanceId id) {
    nodes.remove(id);
    account.remove(id);
    super.deleteInstance(id);
  }
}
