package io.tidemark.spi;

import io.tidemark.ip.AddressSet;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.CloudCalls;
import io.tidemark.resource.NodeResource;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;

/**
 * One cloud account as the node manager uses it (node-manager 1.9). Thread-safe.
 *
 * <p>The cache is an immutable snapshot plus own recent writes: a read that began before an own
 * write never replaces it (D-2, D-4), and absence in a filtered list never deletes an instance.
 */
public interface AllocationImplementation extends AutoCloseable {
  /** The provider's capabilities; constant. */
  Set<Capability> capabilities();

  /** The operations of one node and instance; called once, on its lane. Never calls the cloud. */
  NodeOperations createNode(NodeSettings settings, NodeResource resource);

  /** The instance of a resource; empty while its agent has not set it. */
  default Optional<InstanceId> instanceId(NodeResource resource) {
    return resource.instanceId().map(InstanceId::new);
  }

  /**
   * The addresses in this cloud's section of the resource's status, including those of blocks, by
   * interface id; empty if there is no such section. Agents that take whole CIDRs use these
   * addresses.
   */
  Map<String, AddressSet> describedInterfaces(NodeResource resource);

  /** The limits and retries of its requests; core asks it for tokens. Always the same. */
  CloudCalls calls();

  /**
   * How far a read can lag behind the state of the cloud; zero for a cloud with consistent reads.
   * Constant. Core waits this long before it trusts a read about changes of others.
   */
  Duration readHorizon();

  /**
   * How long own writes take precedence over reads that contradict them (node-manager 13 D-4).
   * Constant. Core pauses for at least this long after a write of another operator, so that own
   * earlier writes no longer hide what the other one reverted.
   */
  Duration overlayExpiry();

  /** The free addresses and blocks of each pool, ids ascending; from the cache. */
  Map<PoolId, PoolQuota> poolQuota();

  /** Reads the whole account again; never forgets a live node. */
  CompletionStage<SyncOutcome> resync(CallContext context);

  /** Reads one instance again; one request can serve several reads. */
  CompletionStage<SyncOutcome> instanceSync(InstanceId id, CallContext context);

  /**
   * The ranges that the cloud routes to instances; the same object each time. Empty without {@link
   * Capability#ALIAS_RANGES}.
   */
  default Optional<NodeAliasRanges> aliasRanges() {
    return Optional.empty();
  }

  /**
   * Notes for the next leader's provider, read at its start: a few short texts by name, which are
   * kept in the lease as {@code tidemark.io/NAME}. By default nothing. Never blocks; any thread.
   */
  default Map<String, String> notes() {
    return Map.of();
  }

  /**
   * Takes the notes of all former leaders, before any other call; what cannot be read is passed
   * over. By default nothing is done.
   */
  default void inherit(Map<String, String> notes) {}

  /** Forgets a cached instance, because the node is gone or has another instance. */
  void deleteInstance(InstanceId id);

  /** Stops background work; idempotent. */
  @Override
  void close();
}
