package io.tidemark.resource;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;

/**
 * One {@code cilium.io/v2 CiliumNode} (node-manager 1.1-1.4). Immutable: each {@code with} method
 * returns a changed copy that shares the unchanged parts. Unknown fields survive at every level, in
 * their order, with their literals (NM-J1, N5).
 *
 * <p>Created by {@link NodeResourceJson} or {@link #named}; its accessors never fail, because an
 * object with invalid values is refused when it is parsed.
 */
public sealed interface NodeResource permits JsonNodeResource {
  /** A fresh object that has a name, an empty spec and nothing else. */
  static NodeResource named(String name) {
    return JsonNodeResource.named(name);
  }

  /** {@code metadata.name}, which is the Kubernetes node's name. */
  String name();

  /** {@code metadata.uid}; empty if the backend has none. */
  Optional<String> uid();

  /** {@code metadata.resourceVersion}, opaque; empty text where none is given. */
  String resourceVersion();

  /** Whether the annotation {@code ipam.cilium.io/ignore} is true (1.1). */
  boolean ignored();

  /** {@code metadata.creationTimestamp}; empty if the backend has none that can be read. */
  Optional<Instant> created();

  /** Whether {@code metadata.deletionTimestamp} is set. */
  boolean beingDeleted();

  /**
   * Whether {@code metadata.ownerReferences} names an owner; the object is deleted with its owner.
   */
  boolean owned();

  /**
   * The writers of the operator's part by {@code metadata.managedFields}, as seen by the field
   * manager {@code self}; {@link OperatorWrites#NONE} if the backend does not record them.
   */
  OperatorWrites writesSeenBy(String self);

  /** {@code spec.instance-id}, else the obsolete {@code spec.eni.instance-id}; never blank. */
  Optional<String> instanceId();

  /** The fields that steer the operator. */
  IpamSpec ipam();

  /**
   * {@code spec.ipam.podCIDRs}, the blocks that belong to the node, in their order and as written:
   * the caller checks them.
   */
  List<String> podCidrs();

  /**
   * The addresses of the node itself, by {@code spec.addresses}, {@code spec.health}, {@code
   * spec.ingress} and the clouds' sections of the status; what is no address is left out.
   */
  NodeAddresses nodeAddresses();

  /** {@code spec.ipam.pools}; {@link PodPools#NONE} when absent. */
  PodPools pools();

  /** {@code spec.ipam.pool}. */
  PodIpPool pool();

  /** Keys of {@code status.ipam.used}. */
  AddressSet used();

  /** {@code status.ipam.used} with owners, ascending by address. */
  SortedMap<IpAddress, UsedAddress> usedEntries();

  /** {@code status.ipam.release-ips}, ascending by address. */
  SortedMap<IpAddress, HandshakeState> releaseIps();

  /** {@code status.ipam.operator-status.error}; empty when absent. */
  Optional<String> operatorError();

  /** {@code status.ipam.assigned-static-ip}; empty when absent. */
  Optional<String> assignedStaticIp();

  /**
   * Clouds whose section in spec or status has content: {@code eni}, {@code azure}, {@code
   * alibaba-cloud}; {@code {}} counts as absent (N12).
   */
  Set<String> cloudSections();

  /** {@code spec.eni}; empty when absent or {@code {}}. */
  Optional<EniSpec> eniSpec();

  /** {@code status.eni}; empty when absent, {@code {}} or without interfaces. */
  Optional<EniStatus> eniStatus();

  /** {@code status.azure}; empty when absent, {@code {}} or without interfaces. */
  Optional<AzureStatus> azureStatus();

  /**
   * Replaces {@code spec.ipam.pool}, in address order. An entry that stays keeps its owner and
   * unknown fields; an empty pool is written as {@code {}} (NM-J5).
   */
  NodeResource withPool(PodIpPool pool);

  /** Replaces {@code spec.ipam.pre-allocate}. */
  NodeResource withPreAllocate(int addresses);

  /**
   * Replaces the numbers, tags, demand and allocated CIDRs of {@code spec.ipam}; the pool is not
   * changed. A CIDR that no entry of {@code pools.allocated} holds yet goes to pool {@code
   * default}.
   */
  NodeResource withIpam(IpamSpec ipam);

  /**
   * Replaces {@code spec.ipam.pools}, as an agent does: entries ascending by pool, blocks in the
   * given order. An entry of a pool that stays keeps its unknown fields.
   */
  NodeResource withPools(PodPools pools);

  /**
   * Replaces {@code spec.ipam.podCIDRs}.
   *
   * @param cidrs as they are to be written, in their order
   */
  NodeResource withPodCidrs(List<String> cidrs);

  /** Replaces {@code status.ipam.release-ips}. */
  NodeResource withReleaseIps(Map<IpAddress, HandshakeState> states);

  /** Replaces {@code status.ipam.used}, as an agent does. */
  NodeResource withUsed(Map<IpAddress, UsedAddress> used);

  /** Replaces {@code status.ipam.assigned-static-ip}. */
  NodeResource withAssignedStaticIp(IpAddress address);

  /** Replaces {@code status.ipam.operator-status.error}; empty text removes it. */
  NodeResource withOperatorError(String error);

  /** Replaces {@code spec.instance-id}. */
  NodeResource withInstanceId(String instanceId);

  /** Replaces {@code spec.eni}, as an agent does. */
  NodeResource withEniSpec(EniSpec eni);

  /**
   * Replaces {@code status.eni}. An interface that stays keeps its unknown fields; an unordered
   * list is not rewritten if only its order differs.
   */
  NodeResource withEniStatus(EniStatus eni);

  /** Replaces {@code status.azure}. An interface that stays keeps its unknown fields. */
  NodeResource withAzureStatus(AzureStatus azure);

  /**
   * The JSON text of {@code status.<cloud>}, for a cloud without a typed section; empty when
   * absent.
   */
  Optional<String> statusSection(String cloud);

  /**
   * Replaces {@code status.<cloud>}.
   *
   * @param json the whole section, one JSON value
   * @throws IllegalArgumentException when {@code json} is not JSON
   */
  NodeResource withStatusSection(String cloud, String json);

  /** The JSON text of {@code spec.<cloud>}; empty when absent. */
  Optional<String> specSection(String cloud);

  /**
   * Omits {@code metadata.managedFields}: the API server keeps its own record when a write carries
   * none, and the record of a full pool is larger than the pool.
   */
  NodeResource withoutManagedFields();

  /** Replaces {@code metadata.resourceVersion}. */
  NodeResource withResourceVersion(String version);

  /** The spec of {@code other} on this object's metadata and status: what a spec write means. */
  NodeResource withSpecOf(NodeResource other);

  /** The status of {@code other} on this object's metadata and spec: what a status write means. */
  NodeResource withStatusOf(NodeResource other);

  /**
   * A hash of the parts that only an operator writes, except marks of the release handshake: {@code
   * spec.ipam.pool} and the clouds' sections of the status. It depends on the meaning alone, by the
   * rules of {@link #sameSpec} and {@link #sameStatus}: a version that another program wrote again
   * in its own order and spelling has the same hash. If the hashes of two versions differ, an
   * operator wrote the object between them.
   */
  int operatorHash();

  /**
   * Whether both specs mean the same: absent equals empty, order of sets does not count (NM-J4,
   * J7), numbers and addresses are compared by value.
   */
  boolean sameSpec(NodeResource other);

  /** Whether both statuses mean the same, by the rules of {@link #sameSpec}. */
  boolean sameStatus(NodeResource other);
}
