package io.tidemark.provider.mock;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.mock.ProviderWorld.MapConfig;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.Priority;
import io.tidemark.resource.EniSpec;
import io.tidemark.resource.EniStatus;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceJson;
import io.tidemark.spi.AllocationAction;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.NodeSettings;
import io.tidemark.testing.NodeSample;
import io.tidemark.testing.Samples;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The embedded cloud")
class ManifestAdoptionTest {
  private final VirtualTime time = new VirtualTime(0);
  private final AllocationImplementation provider = provider(Map.of());

  private AllocationImplementation provider(Map<String, String> config) {
    AllocationImplementation made =
        new MockProviderFactory()
            .create(ProviderWorld.context(time, new MapConfig(config).values()));
    made.resync(context());
    return made;
  }

  private CallContext context() {
    return CallContext.of(
        "",
        Priority.of(Priority.Rank.VERIFY),
        time.nanos() + Duration.ofMinutes(1).toNanos(),
        new Cancellation());
  }

  private NodeOperations upsert(NodeResource resource) {
    return upsert(provider, resource);
  }

  /** As core does: create, then read the instance. */
  private NodeOperations upsert(AllocationImplementation at, NodeResource resource) {
    NodeOperations node =
        at.createNode(new NodeSettings(resource.name(), true, true, false), resource);
    resource.instanceId().ifPresent(id -> at.instanceSync(new InstanceId(id), context()));
    time.runUntil(time.nanos());
    return node;
  }

  private void delete(String instanceId) {
    provider.deleteInstance(new InstanceId(instanceId));
  }

  private AllocationOutcome allocate(NodeOperations node, int wanted) {
    AllocationAction plan = node.prepareIpAllocation();
    AllocationAction action = plan.with(plan.ipv4().wanting(wanted, OptionalInt.empty()), 0);
    var stage =
        action.onInterface().isPresent()
            ? node.allocateIps(action, context())
            : node.createInterface(action, context());
    return Optional.ofNullable(stage.toCompletableFuture().getNow(null)).orElseThrow();
  }

  private static NodeSample sample(String name) {
    return Samples.node(name).instanceId("i-" + name).eniSpec(Samples.eniSpec("m5.large"));
  }

  private static EniStatus status(NodeOperations node, NodeResource resource) {
    return node.withProviderStatus(resource).eniStatus().orElseThrow();
  }

  private static BlockedReason reason(NodeOperations node) {
    return ((Inventory.Untouchable) node.inventory()).reason().reason();
  }

  private static String detail(NodeOperations node) {
    return ((Inventory.Untouchable) node.inventory()).reason().detail();
  }

  @Test
  @DisplayName(
      "makes VPC, subnet and zone of a manifest without status from its ids, always the same")
  void madeNetworks() {
    NodeResource resource = sample("a").build();
    EniStatus first = status(upsert(resource), resource);
    EniStatus again = status(upsert(provider(Map.of()), resource), resource);

    assertThat(first).isEqualTo(again);
    EniStatus.Eni primary = first.enis().values().iterator().next();
    assertThat(primary.number()).isZero();
    assertThat(primary.subnet().id()).isEqualTo("subnet-a");
    assertThat(primary.availabilityZone()).isEqualTo("zone-a");
    assertThat(primary.vpc().id()).isEqualTo("vpc-a");
    assertThat(primary.vpc().primaryCidr().orElseThrow())
        .matches(vpc -> vpc.contains(primary.subnet().cidr().orElseThrow()));
  }

  @Test
  @DisplayName("makes a network even of a manifest that names none")
  void namelessNetworks() {
    EniSpec typeOnly =
        new EniSpec(
            "m5.large",
            OptionalInt.empty(),
            List.of(),
            Map.of(),
            List.of(),
            Map.of(),
            "",
            "",
            "",
            Map.of(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());
    NodeResource resource = Samples.node("a").instanceId("i-a").eniSpec(typeOnly).build();
    NodeOperations node = upsert(resource);

    assertThat(allocate(node, 8)).isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(ProviderWorld.size(node)).isEqualTo(16);
    assertThat(allocate(node, 500)).isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(allocate(node, 500)).isInstanceOf(AllocationOutcome.Allocated.class);
  }

  @Test
  @DisplayName("uses configured subnets instead")
  void configuredSubnets() {
    AllocationImplementation configured =
        provider(Map.of("mock-subnets", "subnet-a=192.168.4.0/24;zone=zone-a;vpc=vpc-a"));
    NodeResource resource = sample("a").build();

    EniStatus status = status(upsert(configured, resource), resource);

    EniStatus.Eni primary = status.enis().values().iterator().next();
    assertThat(primary.subnet().cidr()).contains(Cidr.parse("192.168.4.0/24"));
    assertThat(primary.vpc().primaryCidr()).contains(Cidr.parse("192.168.0.0/16"));
  }

  @Test
  @DisplayName(
      "goes on where a live node's status stood; addresses only in the pool are not attached")
  void adoptsStatus() {
    NodeResource resource =
        sample("a")
            .eni(Samples.eni("eni-1", 0, "10.0.1.1", "10.0.1.2"))
            .eni(Samples.eni("eni-2", 1, "10.0.2.1"))
            .pool("eni-1", "10.0.1.1", "10.0.1.2", "10.0.1.3")
            .build();
    NodeOperations node = upsert(resource);

    assertThat(ProviderWorld.addresses(node))
        .isEqualTo(
            AddressSet.of(
                IpAddress.parse("10.0.1.1"),
                IpAddress.parse("10.0.1.2"),
                IpAddress.parse("10.0.2.1")));
    EniStatus shown = resource.eniStatus().orElseThrow();
    assertThat(status(node, resource)).isEqualTo(shown);
    allocate(node, 100);
    allocate(node, 100);
    assertThat(ProviderWorld.addresses(node).size()).isGreaterThan(100);
  }

  @Test
  @DisplayName("adopts blocks as blocks")
  void adoptsBlocks() {
    EniStatus.Eni plain = Samples.eni("eni-1", 0, addressesOf("10.0.1.16/28"));
    EniStatus.Eni withBlock =
        new EniStatus.Eni(
            plain.id(),
            plain.ip(),
            plain.mac(),
            plain.availabilityZone(),
            plain.description(),
            0,
            plain.subnet(),
            plain.vpc(),
            plain.addresses(),
            List.of(Cidr.parse("10.0.1.16/28")),
            List.of(),
            Optional.empty(),
            plain.securityGroups(),
            plain.tags());
    NodeResource resource = sample("a").eni(withBlock).build();
    NodeOperations node = upsert(resource);

    assertThat(ProviderWorld.known(node).interfaces().get(0).blocks())
        .containsExactly(Cidr.parse("10.0.1.16/28"));
    assertThat(ProviderWorld.known(node).interfaces().get(0).singles().isEmpty()).isTrue();
    assertThat(status(node, resource)).isEqualTo(resource.eniStatus().orElseThrow());
  }

  private static String[] addressesOf(String block) {
    return AddressSet.ofRange(Cidr.parse(block)).toList().stream()
        .map(IpAddress::toString)
        .toArray(String[]::new);
  }

  @Test
  @DisplayName("gives an adopted address to nobody else")
  void adoptedAddressesAreTaken() {
    NodeOperations first =
        upsert(sample("a").eni(Samples.eni("eni-1", 0, "10.0.0.4", "10.0.0.5")).build());
    NodeOperations second = upsert(sample("b").build());
    allocate(second, 8);

    assertThat(ProviderWorld.addresses(first).intersects(ProviderWorld.addresses(second)))
        .isFalse();
  }

  @Test
  @DisplayName("a deleted manifest is a terminated instance whose addresses are free again")
  void deletion() {
    NodeResource resource = sample("a").eni(Samples.eni("eni-1", 0, "10.0.1.1")).build();
    upsert(resource);
    delete("i-a");
    NodeOperations other = upsert(sample("b").eni(Samples.eni("eni-9", 0, "10.0.1.1")).build());

    assertThat(ProviderWorld.addresses(other))
        .isEqualTo(AddressSet.of(IpAddress.parse("10.0.1.1")));
    delete("i-b");
    NodeOperations back = upsert(resource);
    assertThat(status(back, resource)).isEqualTo(resource.eniStatus().orElseThrow());
  }

  @Test
  @DisplayName(
      "F-12 a node that became another instance does not keep its predecessor's interfaces")
  void anotherInstance() {
    NodeSample shown = sample("a").eni(Samples.eni("eni-1", 0, "10.0.1.1", "10.0.1.2"));
    upsert(shown.build());
    delete("i-a");

    NodeOperations node = upsert(shown.instanceId("i-new").build());

    assertThat(ProviderWorld.known(node).statistics().interfaces()).isEqualTo(1);
    assertThat(ProviderWorld.addresses(node).isEmpty()).isTrue();
  }

  @Test
  @DisplayName("two manifests that claim one address both wait, and say for whom")
  void sameAddress() {
    NodeOperations one = upsert(sample("a").eni(Samples.eni("eni-1", 0, "10.0.1.1")).build());
    assertThat(one.inventory()).isInstanceOf(Inventory.Known.class);
    NodeOperations two = upsert(sample("b").eni(eniWithPrimary("10.0.1.1")).build());

    assertThat(reason(one)).isEqualTo(BlockedReason.DUPLICATE_CLAIM);
    assertThat(detail(one)).contains("10.0.1.1").contains("node b");
    assertThat(reason(two)).isEqualTo(BlockedReason.DUPLICATE_CLAIM);
    assertThat(detail(two)).contains("10.0.1.1").contains("node a");
    assertThat(one.prepareIpAllocation().blocked()).isPresent();

    delete("i-b");
    assertThat(one.inventory()).isInstanceOf(Inventory.Known.class);
    assertThat(ProviderWorld.size(one)).isEqualTo(1);
  }

  @Test
  @DisplayName("what was made for a manifest that shows nothing yields to one that shows it")
  void madeYields() {
    AllocationImplementation wide =
        provider(Map.of("mock-subnets", "subnet-a=10.0.0.0/16;zone=zone-a;vpc=vpc-a"));
    NodeResource bare = sample("a").build();
    NodeOperations fresh = upsert(wide, bare);
    String made = primaryOf(fresh, bare);

    NodeOperations live = upsert(wide, sample("b").eni(Samples.eni("eni-1", 0, made)).build());

    assertThat(ProviderWorld.addresses(live)).isEqualTo(AddressSet.of(IpAddress.parse(made)));
    wide.instanceSync(new InstanceId("i-a"), context());
    time.runUntil(time.nanos());
    assertThat(fresh.inventory()).isInstanceOf(Inventory.Known.class);
    assertThat(primaryOf(fresh, bare)).isNotEqualTo(made);
  }

  @Test
  @DisplayName("what was made and has been filled since does not yield: both manifests wait")
  void filledDoesNotYield() {
    NodeResource bare = sample("a").build();
    NodeOperations fresh = upsert(bare);
    String made = primaryOf(fresh, bare);
    allocate(fresh, 4);

    NodeOperations live = upsert(sample("b").eni(Samples.eni("eni-1", 0, made)).build());

    assertThat(reason(fresh)).isEqualTo(BlockedReason.DUPLICATE_CLAIM);
    assertThat(reason(live)).isEqualTo(BlockedReason.DUPLICATE_CLAIM);
  }

  private static String primaryOf(NodeOperations node, NodeResource resource) {
    return status(node, resource).enis().values().iterator().next().ip().orElseThrow().toString();
  }

  private static EniStatus.Eni eniWithPrimary(String address) {
    EniStatus.Eni other = Samples.eni("eni-2", 1, address);
    return new EniStatus.Eni(
        other.id(),
        other.ip(),
        other.mac(),
        other.availabilityZone(),
        other.description(),
        0,
        other.subnet(),
        other.vpc(),
        other.addresses(),
        List.of(),
        List.of(),
        Optional.empty(),
        List.of(),
        Map.of());
  }

  @Test
  @DisplayName("the one that waited is taken over when the other is deleted")
  void survivorTakesOver() {
    upsert(sample("a").eni(Samples.eni("eni-1", 0, "10.0.1.1")).build());
    NodeOperations two = upsert(sample("b").eni(Samples.eni("eni-1", 0, "10.0.1.7")).build());
    assertThat(detail(two)).contains("interface eni-1").contains("node a");

    delete("i-a");
    provider.instanceSync(new InstanceId("i-b"), context());
    time.runUntil(time.nanos());

    assertThat(two.inventory()).isInstanceOf(Inventory.Known.class);
    assertThat(ProviderWorld.addresses(two)).isEqualTo(AddressSet.of(IpAddress.parse("10.0.1.7")));
  }

  @Test
  @DisplayName("two manifests of one instance both wait; when one goes, the other has it")
  void sameInstance() {
    NodeOperations one = upsert(sample("a").build());
    NodeOperations two = upsert(sample("b").instanceId("i-a").build());
    assertThat(detail(one)).contains("instance i-a").contains("node b");
    assertThat(detail(two)).contains("instance i-a").contains("node a");

    delete("i-a");
    assertThat(two.inventory()).isEqualTo(new Inventory.InstanceMissing(false));
    provider.instanceSync(new InstanceId("i-a"), context());
    time.runUntil(time.nanos());
    assertThat(two.inventory()).isInstanceOf(Inventory.Known.class);
  }

  @Test
  @DisplayName("nonsense in a section is left as it stands, and never an error")
  void nonsense() {
    TreeMap<String, EniStatus.Eni> enis = new TreeMap<>();
    enis.put("eni-1", odd("eni-1", "10.0.0.0/16", "10.0.1.1", "10.99.1.1", "2001:db8::1"));
    enis.put("eni-2", odd("eni-2", "2001:db8::/64", "10.0.1.1"));
    enis.put("eni-3", odd("", "10.0.0.0/16"));
    enis.put("eni-4", odd("eni-4", "10.0.0.0/30", "10.0.3.1"));
    NodeResource resource = sample("a").build().withEniStatus(new EniStatus(enis));

    NodeOperations node = upsert(resource);

    assertThat(reason(node)).isEqualTo(BlockedReason.DUPLICATE_CLAIM);
    assertThat(node.withProviderStatus(resource)).isEqualTo(resource);
    assertThat(node.inventory()).isNotInstanceOf(Inventory.Known.class);
  }

  private static EniStatus.Eni odd(String id, String cidr, String... addresses) {
    return new EniStatus.Eni(
        id,
        Optional.empty(),
        "",
        "",
        "",
        -7,
        new EniStatus.SubnetRef("subnet-a", Optional.of(Cidr.parse(cidr))),
        new EniStatus.VpcRef("", Optional.empty(), List.of()),
        java.util.Arrays.stream(addresses).map(IpAddress::parse).toList(),
        List.of(Cidr.parse("10.0.9.0/24"), Cidr.parse("2001:db8::/80")),
        List.of(),
        Optional.empty(),
        List.of(),
        Map.of());
  }

  @Test
  @DisplayName("a node of another cloud is adopted only when that section is gone")
  void otherCloudFirst() {
    String text =
        """
        {"apiVersion":"cilium.io/v2","kind":"CiliumNode","metadata":{"name":"a"},
         "spec":{"instance-id":"i-a","azure":{"interface-name":"eth0"}}}
        """;
    NodeResource azure =
        NodeResourceJson.parse(text, "test")
            .match(
                valid -> valid,
                invalid -> {
                  throw new AssertionError(invalid);
                });
    NodeOperations node = upsert(azure);
    assertThat(reason(node)).isEqualTo(BlockedReason.OTHER_CLOUD);
    assertThat(node.inventory()).isNotInstanceOf(Inventory.Known.class);

    node.updatedNode(sample("a").build());
    provider.instanceSync(new InstanceId("i-a"), context());
    time.runUntil(time.nanos());
    assertThat(node.inventory()).isInstanceOf(Inventory.Known.class);
  }
}
