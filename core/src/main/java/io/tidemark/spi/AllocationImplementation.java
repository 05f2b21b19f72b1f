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
 * One cloud account, seen by the node manager (node-manager 1.9). Thread-safe.
 *
 * <p>The cache is an immutable snapshot plus own recent writes: a read that began before an own
 * write never replaces it (D-2, D-4), and absence in a filtered list never deletes an instance.
 */
public interface AllocationImplementation extends AutoCloseable {
  /** What it can do; constant. */
  Set<Capability> capabilities();

  /**
   * The operations of one node; called once per node and instance id, on the node's lane. Never
   * calls the cloud.
   */
  NodeOperations createNode(NodeSettings settings, NodeResource resource);

  /** The instance a resource belongs to; empty while its agent has not said it. */
  Optional<InstanceId> instanceId(NodeResource resource);

  /**
   * The addresses that this cloud's section of the resource's status shows, those of blocks
   * included, by the id of the interface; empty where the section is absent. Agents that take whole
   * CIDRs use what is shown there.
   */
  Map<String, AddressSet> describedInterfaces(NodeResource resource);

  /** The door its mutating requests pass; core asks it for tokens before it plans. Constant. */
  CloudCalls calls();

  /**
   * How far a read of this cloud may lie behind what it holds; zero for a cloud whose reads are
   * never old. Constant. Core waits as long before it believes a read about what others did.
   */
  Duration readHorizon();

  /**
   * How long our own writes win over reads that contradict them (node-manager 13 D-4). Constant.
   * Core keeps still as long after another operator's write, so that what we wrote before no longer
   * hides what the other has undone.
   */
  Duration overlayExpiry();

  /** What pools still have, ids ascending; from the cache. */
  Map<PoolId, PoolQuota> poolQuota();

  /** Reads everything again; never forgets a live node. */
  CompletionStage<SyncOutcome> resync(CallContext context);

  /** Reads one instance again; one request may answer several reads. */
  CompletionStage<SyncOutcome> instanceSync(InstanceId id, CallContext context);

  /** Forgets a cached instance; the node is gone or has become another instance. */
  void deleteInstance(InstanceId id);

  /** Stops background work; idempotent. */
  @Override
  void close();
}
