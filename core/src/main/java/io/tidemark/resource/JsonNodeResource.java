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
import org.jspecify.annotations.Nullable;

/**
 * A node resource as its checked document; {@link SpecSection} and {@link StatusSection} read it.
 */
final class JsonNodeResource implements NodeResource {
  static final String API_VERSION = "cilium.io/v2";
  static final String KIND = "CiliumNode";

  private static final String METADATA = "metadata";
  private static final String SPEC = "spec";
  private static final String STATUS = "status";
  private static final String MANAGED_FIELDS = "managedFields";
  private static final String RESOURCE_VERSION = "resourceVersion";
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
  JsonNodeResource(JsonObject json) {
    this(
        json,
        new SpecSection(json.get(SPEC).asObject()),
        new StatusSection(json.get(STATUS).asObject()));
  }

  private JsonNodeResource(JsonObject json, SpecSection spec, StatusSection status) {
    this.json = json;
    this.name = json.get(METADATA).asObject().get("name").asText();
    this.spec = spec;
    this.status = status;
  }

  static JsonNodeResource named(String name) {
    JsonObject.Builder json = JsonObject.builder();
    json.add("apiVersion", new JsonText(API_VERSION));
    json.add("kind", new JsonText(KIND));
    json.add(METADATA, JsonObject.of("name", new JsonText(name)));
    json.add(SPEC, JsonObject.EMPTY);
    return new JsonNodeResource(json.build());
  }

  JsonObject json() {
    return json;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public Optional<String> uid() {
    return Members.text(metadata(), "uid");
  }

  @Override
  public String resourceVersion() {
    return metadata().get(RESOURCE_VERSION).asText();
  }

  @Override
  public boolean ignored() {
    JsonObject annotations = metadata().get("annotations").asObject();
    return annotations.get(IGNORE_ANNOTATION).asText().equalsIgnoreCase("true");
  }

  @Override
  public Optional<Instant> created() {
    try {
      return Members.text(metadata(), "creationTimestamp").map(Instant::parse);
    } catch (DateTimeParseException e) {
      return Optional.empty();
    }
  }

  @Override
  public boolean beingDeleted() {
    return Members.text(metadata(), "deletionTimestamp").isPresent();
  }

  @Override
  public boolean owned() {
    return !metadata().get("ownerReferences").asArray().elements().isEmpty();
  }

  @Override
  public OperatorWrites writesSeenBy(String self) {
    return ManagedFields.of(self, metadata().get(MANAGED_FIELDS).asArray());
  }

  @Override
  public Optional<String> instanceId() {
    return spec.instanceId();
  }

  @Override
  public IpamSpec ipam() {
    return spec.ipam();
  }

  @Override
  public List<String> podCidrs() {
    return spec.podCidrs();
  }

  @Override
  public NodeAddresses nodeAddresses() {
    return NodeAddresses.of(spec.addresses(), eniStatus(), azureStatus());
  }

  @Override
  public PodPools pools() {
    return spec.pools();
  }

  @Override
  public PodIpPool pool() {
    return spec.pool();
  }

  @Override
  public AddressSet used() {
    return status.used();
  }

  @Override
  public SortedMap<IpAddress, UsedAddress> usedEntries() {
    return status.usedEntries();
  }

  @Override
  public SortedMap<IpAddress, HandshakeState> releaseIps() {
    return status.releaseIps();
  }

  @Override
  public Optional<String> operatorError() {
    return status.operatorError();
  }

  @Override
  public Optional<String> assignedStaticIp() {
    return status.assignedStaticIp();
  }

  @Override
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

  @Override
  public Optional<EniSpec> eniSpec() {
    EniSpec eni = spec.eni();
    return eni.equals(EniSpec.EMPTY) ? Optional.empty() : Optional.of(eni);
  }

  @Override
  public Optional<EniStatus> eniStatus() {
    EniStatus eni = status.eni();
    return eni.enis().isEmpty() ? Optional.empty() : Optional.of(eni);
  }

  @Override
  public Optional<AzureStatus> azureStatus() {
    AzureStatus azure = status.azure();
    return azure.interfaces().isEmpty() ? Optional.empty() : Optional.of(azure);
  }

  @Override
  public NodeResource withPool(PodIpPool pool) {
    return with(spec.withPool(pool));
  }

  @Override
  public NodeResource withPreAllocate(int addresses) {
    return with(spec.withPreAllocate(addresses));
  }

  @Override
  public NodeResource withIpam(IpamSpec ipam) {
    return with(spec.withIpam(ipam));
  }

  @Override
  public NodeResource withPools(PodPools pools) {
    return with(spec.withPools(pools));
  }

  @Override
  public NodeResource withPodCidrs(List<String> cidrs) {
    return with(spec.withPodCidrs(cidrs));
  }

  @Override
  public NodeResource withInstanceId(String instanceId) {
    return with(spec.withInstanceId(instanceId));
  }

  @Override
  public NodeResource withEniSpec(EniSpec eni) {
    return with(spec.withEni(eni));
  }

  @Override
  public NodeResource withReleaseIps(Map<IpAddress, HandshakeState> states) {
    return with(status.withReleaseIps(states));
  }

  @Override
  public NodeResource withUsed(Map<IpAddress, UsedAddress> used) {
    return with(status.withUsed(used));
  }

  @Override
  public NodeResource withOperatorError(String error) {
    return with(status.withOperatorError(error));
  }

  @Override
  public NodeResource withAssignedStaticIp(IpAddress address) {
    return with(status.withAssignedStaticIp(address));
  }

  @Override
  public NodeResource withEniStatus(EniStatus eni) {
    return with(status.withEni(eni));
  }

  @Override
  public NodeResource withAzureStatus(AzureStatus azure) {
    return with(status.withAzure(azure));
  }

  @Override
  public Optional<String> statusSection(String cloud) {
    return section(status.json(), cloud);
  }

  @Override
  public Optional<String> specSection(String cloud) {
    return section(spec.json(), cloud);
  }

  private static Optional<String> section(JsonObject json, String cloud) {
    return json.has(cloud) ? Optional.of(TreePrinter.compact(json.get(cloud))) : Optional.empty();
  }

  @Override
  public NodeResource withStatusSection(String cloud, String text) {
    try {
      JsonValue section = JsonTreeJson.read(text, new Problems("status." + cloud));
      return with(new StatusSection(status.json().with(cloud, section)));
    } catch (JsonTreeJson.SyntaxException e) {
      throw new IllegalArgumentException("status." + cloud + " is not JSON: " + text, e);
    }
  }

  @Override
  public NodeResource withoutManagedFields() {
    JsonObject metadata = metadata();
    return metadata.has(MANAGED_FIELDS)
        ? new JsonNodeResource(json.with(METADATA, metadata.without(MANAGED_FIELDS)), spec, status)
        : this;
  }

  @Override
  public NodeResource withResourceVersion(String version) {
    if (version.equals(resourceVersion())) {
      return this;
    }
    JsonObject metadata = metadata().with(RESOURCE_VERSION, new JsonText(version));
    return new JsonNodeResource(json.with(METADATA, metadata), spec, status);
  }

  @Override
  public NodeResource withSpecOf(NodeResource other) {
    return with(((JsonNodeResource) other).spec);
  }

  @Override
  public NodeResource withStatusOf(NodeResource other) {
    return with(((JsonNodeResource) other).status);
  }

  @Override
  public int operatorHash() {
    return 31 * pool().hashCode() + Long.hashCode(status.cloudsHash());
  }

  @Override
  public boolean sameSpec(NodeResource other) {
    return spec.sameAs(((JsonNodeResource) other).spec);
  }

  @Override
  public boolean sameStatus(NodeResource other) {
    return status.sameAs(((JsonNodeResource) other).status);
  }

  /** Exact equality of the documents, order of keys and literals included. */
  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof JsonNodeResource that && json.equals(that.json);
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

  private JsonNodeResource with(SpecSection changed) {
    return changed == spec
        ? this
        : new JsonNodeResource(json.with(SPEC, changed.json()), changed, status);
  }

  private JsonNodeResource with(StatusSection changed) {
    return changed == status
        ? this
        : new JsonNodeResource(json.with(STATUS, changed.json()), spec, changed);
  }
}
