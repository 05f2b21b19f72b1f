package io.tidemark.resource;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * One {@code cilium.io/v2 CiliumNode} (node-manager 1.1-1.4). Immutable: each {@code with} method
 * returns a changed copy that shares the unchanged parts. Unknown fields survive at every level, in
 * their order, with their literals (NM-J1, N5).
 *
 * <p>Created by {@link NodeResourceJson} or {@link #named}; its accessors never fail, because an
 * object with invalid values is refused when it is parsed.
 */
public final class NodeResource {
  static final String API_VERSION = "cilium.io/v2";
  static final String KIND = "CiliumNode";

  private static final String METADATA = "metadata";
  private static final String SPEC = "spec";
  private static final String STATUS = "status";
  private static final String MANAGED_FIELDS = "managedFields";
  private static final String RESOURCE_VERSION = "resourceVersion";

  /** Of the instance type, then of the node pools of EKS, Karpenter and AKS. */
  private static final List<String> NODE_GROUP_LABELS =
      List.of(
          "node.kubernetes.io/instance-type",
          "eks.amazonaws.com/nodegroup",
          "karpenter.sh/nodepool",
          "kubernetes.azure.com/agentpool");

  private static final String IGNORE_ANNOTATION = "ipam.cilium.io/ignore";
  private static final String ENI = "eni";
  private static final Set<String> ENI_ALONE = Set.of(ENI);
  private static final String[] OTHER_CLOUDS = {"alibaba-cloud", "azure"};

  /** Clouds that have a section in spec and status. */
  static final String[] CLOUDS = {"eni", "azure", "alibaba-cloud"};

  private final JsonObject json;
  private final String name;
  private final SpecSection spec;
  private final StatusSection status;

  /** A document that {@link NodeResourceReader} has checked. */
  NodeResource(JsonObject json) {
    this(
        json,
        new SpecSection(json.get(SPEC).asObject()),
        new StatusSection(json.get(STATUS).asObject()));
  }

  private NodeResource(JsonObject json, SpecSection spec, StatusSection status) {
    this.json = json;
    this.name = json.get(METADATA).asObject().get("name").asText();
    this.spec = spec;
    this.status = status;
  }

  /** A fresh object that has a name, an empty spec and nothing else. */
  public static NodeResource named(String name) {
    JsonObject.Builder json = JsonObject.builder();
    json.add("apiVersion", new JsonText(API_VERSION));
    json.add("kind", new JsonText(KIND));
    json.add(METADATA, JsonObject.of("name", new JsonText(name)));
    json.add(SPEC, JsonObject.EMPTY);
    return new NodeResource(json.build());
  }

  JsonObject json() {
    return json;
  }

  /** {@code metadata.name}, which is the Kubernetes node's name. */
  public String name() {
    return name;
  }

  /** {@code metadata.uid}; empty if the backend has none. */
  public Optional<String> uid() {
    return Members.text(metadata(), "uid");
  }

  /** {@code metadata.resourceVersion}, opaque; empty text where none is given. */
  public String resourceVersion() {
    return metadata().get(RESOURCE_VERSION).asText();
  }

  /** Whether the annotation {@code ipam.cilium.io/ignore} is true (1.1). */
  public boolean ignored() {
    JsonObject annotations = metadata().get("annotations").asObject();
    return annotations.get(IGNORE_ANNOTATION).asText().equalsIgnoreCase("true");
  }

  /** {@code metadata.creationTimestamp}; empty if the backend has none that can be read. */
  public Optional<Instant> created() {
    try {
      return Members.text(metadata(), "creationTimestamp").map(Instant::parse);
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  /**
   * The instance type and the node pool by the node's labels, which agents copy; nodes of which it
   * is equal get pods of the same kind. Empty where neither is known.
   */
  public String nodeGroup() {
    JsonObject labels = metadata().get("labels").asObject();
    return NODE_GROUP_LABELS.stream()
        .map(each -> labels.get(each).asText())
        .filter(each -> !each.isEmpty())
        .collect(Collectors.joining("/"));
  }

  /** Whether {@code metadata.deletionTimestamp} is set. */
  public boolean beingDeleted() {
    return Members.text(metadata(), "deletionTimestamp").isPresent();
  }

  /** Whether {@code metadata.ownerReferences} names an owner, with which the object goes. */
  public boolean owned() {
    return !metadata().get("ownerReferences").asArray().elements().isEmpty();
  }

  /**
   * The writers of the operator's part by {@code metadata.managedFields}, as seen by the field
   * manager {@code self}; {@link LastWriter#UNKNOWN} if the backend does not record them.
   */
  public LastWriter writesSeenBy(String self) {
    return ManagedFields.of(self, metadata().get(MANAGED_FIELDS).asArray());
  }

  /** {@code spec.instance-id}, else the obsolete {@code spec.eni.instance-id}; never blank. */
  public Optional<String> instanceId() {
    return spec.instanceId();
  }

  /** The fields that steer the operator. */
  public IpamSpec ipam() {
    return spec.ipam();
  }

  /**
   * {@code spec.ipam.podCIDRs}, the blocks that belong to the node, in their order and as written:
   * the caller checks them.
   */
  public List<String> podCidrs() {
    return spec.podCidrs();
  }

  /**
   * The addresses of the node itself, by {@code spec.addresses}, {@code spec.health}, {@code
   * spec.ingress} and the clouds' sections of the status; what is no address is left out.
   */
  public NodeAddresses nodeAddresses() {
    return NodeAddresses.of(spec.addresses(), eniStatus(), azureStatus());
  }

  /** {@code spec.ipam.pools}; {@link PodPools#NONE} when absent. */
  public PodPools pools() {
    return spec.pools();
  }

  /** {@code spec.ipam.pool}. */
  public PodIpPool pool() {
    return spec.pool();
  }

  /** Keys of {@code status.ipam.used}. */
  public AddressSet used() {
    return status.used();
  }

  /** {@code status.ipam.used} with owners, ascending by address. */
  public SortedMap<IpAddress, UsedAddress> usedEntries() {
    return status.usedEntries();
  }

  /** {@code status.ipam.release-ips}, ascending by address. */
  public SortedMap<IpAddress, HandshakeState> releaseIps() {
    return status.releaseIps();
  }

  /** {@code status.ipam.operator-status.error}; empty when absent. */
  public Optional<String> operatorError() {
    return status.operatorError();
  }

  /** {@code status.ipam.assigned-static-ip}; empty when absent. */
  public Optional<String> assignedStaticIp() {
    return status.assignedStaticIp();
  }

  /**
   * Clouds whose section in spec or status has content: {@code eni}, {@code azure}, {@code
   * alibaba-cloud}; {@code {}} counts as absent (N12).
   */
  public Set<String> cloudSections() {
    Set<String> clouds = hasSection(ENI) ? ENI_ALONE : Set.of();
    for (String other : OTHER_CLOUDS) {
      if (hasSection(other)) {
        clouds = new TreeSet<>(clouds);
        clouds.add(other);
      }
    }
    return clouds;
  }

  private boolean hasSection(String cloud) {
    return !Sameness.saysNothing(CiliumNodeShapes.SPEC.member(cloud), spec.json().get(cloud))
        || !Sameness.saysNothing(CiliumNodeShapes.STATUS.member(cloud), status.json().get(cloud));
  }

  /** {@code spec.eni}; empty when absent or {@code {}}. */
  public Optional<EniSpec> eniSpec() {
    EniSpec eni = spec.eni();
    return eni.equals(EniSpec.EMPTY) ? Optional.empty() : Optional.of(eni);
  }

  /** {@code status.eni}; empty when absent, {@code {}} or without interfaces. */
  public Optional<EniStatus> eniStatus() {
    EniStatus eni = status.eni();
    return eni.enis().isEmpty() ? Optional.empty() : Optional.of(eni);
  }

  /** {@code status.azure}; empty when absent, {@code {}} or without interfaces. */
  public Optional<AzureStatus> azureStatus() {
    AzureStatus azure = status.azure();
    return azure.interfaces().isEmpty() ? Optional.empty() : Optional.of(azure);
  }

  /**
   * Replaces {@code spec.ipam.pool}, in address order. An entry that stays keeps its owner and
   * unknown fields; an empty pool is written as {@code {}} (NM-J5).
   */
  public NodeResource withPool(PodIpPool pool) {
    return with(spec.withPool(pool));
  }

  /** Replaces {@code spec.ipam.pre-allocate}. */
  public NodeResource withPreAllocate(int addresses) {
    return with(spec.withPreAllocate(addresses));
  }

  /**
   * Replaces the numbers, tags, demand and allocated CIDRs of {@code spec.ipam}; the pool is not
   * changed. A CIDR that no entry of {@code pools.allocated} holds yet goes to pool {@code
   * default}.
   */
  public NodeResource withIpam(IpamSpec ipam) {
    return with(spec.withIpam(ipam));
  }

  /**
   * Replaces {@code spec.ipam.pools}, as an agent does: entries ascending by pool, blocks in the
   * given order. An entry of a pool that stays keeps its unknown fields.
   */
  public NodeResource withPools(PodPools pools) {
    return with(spec.withPools(pools));
  }

  /**
   * Replaces {@code spec.ipam.podCIDRs}.
   *
   * @param cidrs as they are to be written, in their order
   */
  public NodeResource withPodCidrs(List<String> cidrs) {
    return with(spec.withPodCidrs(cidrs));
  }

  /** Replaces {@code spec.instance-id}. */
  public NodeResource withInstanceId(String instanceId) {
    return with(spec.withInstanceId(instanceId));
  }

  /** Replaces {@code spec.eni}, as an agent does. */
  public NodeResource withEniSpec(EniSpec eni) {
    return with(spec.withEni(eni));
  }

  /** Replaces {@code status.ipam.release-ips}. */
  public NodeResource withReleaseIps(Map<IpAddress, HandshakeState> states) {
    return with(status.withReleaseIps(states));
  }

  /** Replaces {@code status.ipam.used}, as an agent does. */
  public NodeResource withUsed(Map<IpAddress, UsedAddress> used) {
    return with(status.withUsed(used));
  }

  /** Replaces {@code status.ipam.operator-status.error}; empty text removes it. */
  public NodeResource withOperatorError(String error) {
    return with(status.withOperatorError(error));
  }

  /** Replaces {@code status.ipam.assigned-static-ip}. */
  public NodeResource withAssignedStaticIp(IpAddress address) {
    return with(status.withAssignedStaticIp(address));
  }

  /**
   * Replaces {@code status.eni}. An interface that stays keeps its unknown fields; an unordered
   * list is not rewritten if only its order differs.
   */
  public NodeResource withEniStatus(EniStatus eni) {
    return with(status.withEni(eni));
  }

  /** Replaces {@code status.azure}. An interface that stays keeps its unknown fields. */
  public NodeResource withAzureStatus(AzureStatus azure) {
    return with(status.withAzure(azure));
  }

  /** The JSON text of {@code status.<cloud>}, for a cloud without a typed section, if any. */
  public Optional<String> statusSection(String cloud) {
    return section(status.json(), cloud);
  }

  /** The JSON text of {@code spec.<cloud>}; empty when absent. */
  public Optional<String> specSection(String cloud) {
    return section(spec.json(), cloud);
  }

  private static Optional<String> section(JsonObject json, String cloud) {
    return json.has(cloud) ? Optional.of(TreePrinter.compact(json.get(cloud))) : Optional.empty();
  }

  /**
   * Replaces {@code status.<cloud>}.
   *
   * @param text the whole section, one JSON value
   * @throws IllegalArgumentException when {@code text} is not JSON
   */
  public NodeResource withStatusSection(String cloud, String text) {
    try {
      JsonValue section = JsonTreeJson.read(text, new Problems("status." + cloud));
      return with(new StatusSection(status.json().with(cloud, section)));
    } catch (JsonTreeJson.SyntaxException e) {
      throw new IllegalArgumentException("status." + cloud + " is not JSON: " + text, e);
    }
  }

  /**
   * Omits {@code metadata.managedFields}: the API server keeps its own record when a write carries
   * none, and the record of a full pool is larger than the pool.
   */
  public NodeResource withoutManagedFields() {
    JsonObject metadata = metadata();
    return metadata.has(MANAGED_FIELDS)
        ? new NodeResource(json.with(METADATA, metadata.without(MANAGED_FIELDS)), spec, status)
        : this;
  }

  /** Replaces {@code metadata.resourceVersion}. */
  public NodeResource withResourceVersion(String version) {
    if (version.equals(resourceVersion())) {
      return this;
    }
    JsonObject metadata = metadata().with(RESOURCE_VERSION, new JsonText(version));
    return new NodeResource(json.with(METADATA, metadata), spec, status);
  }

  /** The spec of {@code other} on this object's metadata and status: what a spec write means. */
  public NodeResource withSpecOf(NodeResource other) {
    return with(other.spec);
  }

  /** The status of {@code other} on this object's metadata and spec: what a status write means. */
  public NodeResource withStatusOf(NodeResource other) {
    return with(other.status);
  }

  /**
   * A hash of the parts that only an operator writes, except marks of the release handshake: {@code
   * spec.ipam.pool} and the clouds' sections of the status. It depends on the meaning alone, by the
   * rules of {@link #sameSpec} and {@link #sameStatus}: a version that another program wrote again
   * in its own order and spelling has the same hash. If the hashes of two versions differ, an
   * operator wrote the object between them.
   */
  public int operatorHash() {
    return 31 * pool().hashCode() + Long.hashCode(status.cloudsHash());
  }

  /**
   * Whether both specs mean the same: absent equals empty, order of sets does not count (NM-J4,
   * J7), numbers and addresses are compared by value.
   */
  public boolean sameSpec(NodeResource other) {
    return spec.sameAs(other.spec);
  }

  /** Whether both statuses mean the same, by the rules of {@link #sameSpec}. */
  public boolean sameStatus(NodeResource other) {
    return status.sameAs(other.status);
  }

  /** Exact equality of the documents, order of keys and literals included. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof NodeResource that && json.equals(that.json);
  }

  @Override
  public int hashCode() {
    return json.hashCode();
  }

  @Override
  public String toString() {
    return KIND + ' ' + name + '@' + resourceVersion();
  }

  private JsonObject metadata() {
    return json.get(METADATA).asObject();
  }

  private NodeResource with(SpecSection changed) {
    return changed == spec
        ? this
        : new NodeResource(json.with(SPEC, changed.json()), changed, status);
  }

  private NodeResource with(StatusSection changed) {
    return changed == status
        ? this
        : new NodeResource(json.with(STATUS, changed.json()), spec, changed);
  }
}
