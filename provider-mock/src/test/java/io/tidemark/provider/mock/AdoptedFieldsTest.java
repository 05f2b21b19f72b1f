package io.tidemark.provider.mock;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.Cidr;
import io.tidemark.provider.mock.ProviderWorld.MapConfig;
import io.tidemark.resilience.CallContext;
import io.tidemark.resilience.Cancellation;
import io.tidemark.resilience.Priority;
import io.tidemark.resource.EniStatus;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceJson;
import io.tidemark.spi.AllocationImplementation;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.Blocked;
import io.tidemark.spi.BlockedReason;
import io.tidemark.spi.InstanceId;
import io.tidemark.spi.Inventory;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.NodeSettings;
import io.tidemark.testing.Samples;
import io.tidemark.time.VirtualTime;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("What the embedded cloud adopts of a manifest")
class AdoptedFieldsTest {
  private static final String WHOLE =
      """
      {"apiVersion":"cilium.io/v2","kind":"CiliumNode","metadata":{"name":"a"},
       "spec":{"instance-id":"i-a",
         "eni":{"instance-type":"m5.large","node-subnet-id":"subnet-1","vpc-id":"vpc-1",
           "availability-zone":"z1","first-interface-index":0},
         "ipam":{"pool":{"10.10.0.5":{"resource":"eni-1"},"10.10.1.7":{"resource":"eni-2"}}}},
       "status":{
         "eni":{"enis":{
           "eni-1":{"id":"eni-1","ip":"10.10.0.4","mac":"02:00:00:00:00:01",
             "availability-zone":"z1","description":"first",
             "subnet":{"id":"subnet-1","cidr":"10.10.0.0/24"},
             "vpc":{"id":"vpc-1","primary-cidr":"10.10.0.0/16","cidrs":["10.20.0.0/16"]},
             "addresses":["10.10.0.5","10.10.0.6"],"security-groups":["sg-1","sg-2"],
             "tags":{"k":"v"},"public-ip":"192.0.2.7"},
           "eni-2":{"id":"eni-2","ip":"10.10.1.4","mac":"02:00:00:00:00:02",
             "availability-zone":"z1","description":"second","number":1,
             "subnet":{"id":"subnet-2","cidr":"10.10.1.0/24"},
             "vpc":{"id":"vpc-1","primary-cidr":"10.10.0.0/16","cidrs":["10.20.0.0/16"]},
             "addresses":["10.10.1.7","10.10.1.16","10.10.1.17","2001:db8::5"],
             "prefixes":["10.10.1.16/28"],"ipv6-prefixes":["2001:db8:0:1::/80"],
             "security-groups":["sg-1"],"tags":{}}}},
         "ipam":{"used":{"10.10.0.5":{"owner":"default/web"}}}}}
      """;

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

  private NodeOperations upsert(AllocationImplementation at, NodeResource resource) {
    NodeOperations node =
        at.createNode(new NodeSettings(resource.name(), true, true, false), resource);
    read(at, resource);
    return node;
  }

  private void read(AllocationImplementation at, NodeResource resource) {
    at.instanceSync(new InstanceId(resource.instanceId().orElseThrow()), context());
    time.runUntil(time.nanos());
  }

  static Stream<Arguments> adopted() {
    return Stream.of(
        Arguments.of("the whole", "", ""),
        Arguments.of("no primary address", "\"ip\":\"10.10.0.4\",", ""),
        Arguments.of("no hardware address", "\"mac\":\"02:00:00:00:00:01\",", ""),
        Arguments.of("no zone", "\"availability-zone\":\"z1\",\"description\":\"first\",", ""),
        Arguments.of("no subnet CIDR", ",\"cidr\":\"10.10.1.0/24\"", ""),
        Arguments.of(
            "no subnet", "\"subnet\":{\"id\":\"subnet-1\",\"cidr\":\"10.10.0.0/24\"},", ""),
        Arguments.of(
            "no VPC",
            "\"vpc\":{\"id\":\"vpc-1\",\"primary-cidr\":\"10.10.0.0/16\",\"cidrs\":[\"10.20.0.0/16\"]},",
            ""),
        Arguments.of("no primary CIDR", "\"primary-cidr\":\"10.10.0.0/16\",", ""),
        Arguments.of(
            "more CIDRs of the VPC", "[\"10.20.0.0/16\"]", "[\"10.20.0.0/16\",\"10.30.0.0/16\"]"),
        Arguments.of("no number", ",\"number\":1", ""),
        Arguments.of("another number", "\"number\":1", "\"number\":3"),
        Arguments.of("no addresses", "\"10.10.0.5\",\"10.10.0.6\"", "\"10.10.0.5\""),
        Arguments.of(
            "IPv6 that a pod uses", "\"used\":{", "\"used\":{\"2001:db8::5\":{\"owner\":\"a/b\"},"),
        Arguments.of(
            "a block that a pod uses",
            "\"used\":{",
            "\"used\":{\"10.10.1.20\":{\"owner\":\"a/b\"},"),
        Arguments.of("another public address", "192.0.2.7", "2001:db8:9::7"),
        Arguments.of(
            "more IPv6 blocks",
            "\"2001:db8:0:1::/80\"",
            "\"2001:db8:0:1::/80\",\"2001:db8:0:2::/80\""),
        Arguments.of("no tags", "\"tags\":{\"k\":\"v\"}", "\"tags\":{}"),
        Arguments.of(
            "a field that is not known",
            "\"mac\":\"02:00:00:00:00:01\",",
            "\"mac\":\"02:00:00:00:00:01\",\"novel\":[1],"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("adopted")
  @DisplayName("survives, field by field")
  void survives(String name, String from, String to) {
    NodeResource resource = changed(from, to);
    NodeOperations node = upsert(provider, resource);

    assertThat(node.inventory()).as(name).isInstanceOf(Inventory.Known.class);
    NodeResource written = node.withProviderStatus(resource);
    survives(resource, written);
    assertThat(NodeResourceJson.print(written).contains("novel")).isEqualTo(to.contains("novel"));
    resource
        .used()
        .forEach(used -> assertThat(ProviderWorld.addresses(node).contains(used)).isTrue());
  }

  private static void survives(NodeResource resource, NodeResource written) {
    EniStatus before = resource.eniStatus().orElseThrow();
    EniStatus after = written.eniStatus().orElseThrow();
    assertThat(after.enis().keySet()).isEqualTo(before.enis().keySet());
    before.enis().forEach((id, eni) -> survives(eni, Objects.requireNonNull(after.enis().get(id))));
  }

  private static void survives(EniStatus.Eni before, EniStatus.Eni after) {
    kept(before.ip(), after.ip());
    kept(before.publicIp(), after.publicIp());
    kept(before.subnet().cidr(), after.subnet().cidr());
    kept(before.vpc().primaryCidr(), after.vpc().primaryCidr());
    assertThat(after.vpc().cidrs()).containsAll(before.vpc().cidrs());
    kept(before.mac(), after.mac());
    kept(before.availabilityZone(), after.availabilityZone());
    kept(before.description(), after.description());
    kept(before.subnet().id(), after.subnet().id());
    kept(before.vpc().id(), after.vpc().id());
    if (before.number() != 0) {
      assertThat(after.number()).isEqualTo(before.number());
    }
    assertThat(after.addresses()).containsAll(before.addresses());
    assertThat(after.prefixes()).isEqualTo(before.prefixes());
    assertThat(after.ipv6Prefixes()).isEqualTo(before.ipv6Prefixes());
    assertThat(after.securityGroups()).isEqualTo(before.securityGroups());
    assertThat(after.tags()).isEqualTo(before.tags());
  }

  private static void kept(Optional<?> before, Optional<?> after) {
    before.ifPresent(value -> assertThat(after.map(Object.class::cast)).contains(value));
  }

  private static void kept(String before, String after) {
    if (!before.isEmpty()) {
      assertThat(after).isEqualTo(before);
    }
  }

  static Stream<Arguments> refused() {
    return Stream.of(
        Arguments.of("\"id\":\"eni-2\"", "\"id\":\"eni-3\"", "status.eni.enis.eni-2.id"),
        Arguments.of("10.10.1.4", "2001:db8::9", "eni-2.ip"),
        Arguments.of("10.10.1.4", "10.10.7.4", "10.10.7.4"),
        Arguments.of("10.10.1.4", "10.10.1.3", "10.10.1.3"),
        Arguments.of("\"10.10.0.6\"", "\"10.99.0.6\"", "10.99.0.6"),
        Arguments.of("\"10.10.0.6\"", "\"10.10.0.255\"", "10.10.0.255"),
        Arguments.of("10.10.1.16/28", "10.10.1.16/29", "eni-2.prefixes"),
        Arguments.of("10.10.1.16/28", "2001:db8::/80", "eni-2.prefixes"),
        Arguments.of("10.10.1.16/28", "10.10.1.0/28", "cannot be given out"),
        Arguments.of("2001:db8:0:1::/80", "10.0.0.0/28", "ipv6-prefixes"),
        Arguments.of("\"number\":1", "\"number\":-1", "eni-2.number"),
        Arguments.of(
            "\"description\":\"first\"", "\"description\":\"first\",\"number\":1", ".number"),
        Arguments.of("10.10.1.0/24", "10.10.0.0/23", "subnet.cidr"),
        Arguments.of("10.10.1.0/24", "2001:db8::/64", "subnet.cidr"),
        Arguments.of("10.10.1.0/24", "10.10.1.0/30", "subnet.cidr"),
        Arguments.of("\"subnet-2\"", "\"subnet-1\"", "eni-2.subnet.cidr"),
        Arguments.of(
            "\"subnet-2\",\"cidr\":\"10.10.1.0/24\"", "\"subnet-1\"", "cannot be given out"),
        Arguments.of("10.10.0.0/16\",\"cidrs\"", "10.0.0.0/8\",\"cidrs\"", "vpc.primary-cidr"),
        Arguments.of("\"used\":{", "\"used\":{\"10.10.0.9\":{\"owner\":\"a/b\"},", "10.10.0.9"),
        Arguments.of("\"used\":{", "\"used\":{\"10.10.0.4\":{\"owner\":\"a/b\"},", "10.10.0.4"),
        Arguments.of(
            "\"used\":{", "\"used\":{\"2001:db8::6\":{\"owner\":\"a/b\"},", "2001:db8::6"));
  }

  @ParameterizedTest(name = "{0} -> {1}")
  @MethodSource("refused")
  @DisplayName("or is left as it stands, and TM-9001 says why; corrected, it is adopted")
  void refuses(String from, String to, String named) {
    NodeResource resource = changed(from, to);
    NodeOperations node = upsert(provider, resource);

    Blocked why = reason(node);
    assertThat(why.reason()).isEqualTo(BlockedReason.INVALID_RESOURCE);
    assertThat(why.detail()).contains("TM-9001").contains(named);
    assertThat(node.withProviderStatus(resource)).isEqualTo(resource);
    assertThat(node.inventory()).isNotInstanceOf(Inventory.Known.class);

    NodeResource corrected = Samples.parsed(WHOLE);
    node.updatedNode(corrected);
    read(provider, corrected);
    assertThat(node.inventory()).isInstanceOf(Inventory.Known.class);
    survives(corrected, node.withProviderStatus(corrected));
  }

  static Stream<Arguments> claimedTwice() {
    return Stream.of(
        Arguments.of("\"10.10.1.7\",\"10.10.1.16\"", "\"10.10.0.5\",\"10.10.1.16\"", "10.10.0.5"),
        Arguments.of("\"10.10.1.4\"", "\"10.10.0.4\"", "10.10.0.4"),
        Arguments.of("\"tags\":{}", "\"tags\":{},\"public-ip\":\"192.0.2.7\"", "192.0.2.7"));
  }

  @ParameterizedTest(name = "{0} -> {1}")
  @MethodSource("claimedTwice")
  @DisplayName("or is claimed by two interfaces of the node, and TM-1209 says what")
  void twoInterfaces(String from, String to, String named) {
    NodeOperations node = upsert(provider, changed(from, to));

    assertThat(reason(node).reason()).isEqualTo(BlockedReason.DUPLICATE_CLAIM);
    assertThat(reason(node).detail()).contains(named).contains("two interfaces of the node");
  }

  @Test
  @DisplayName("TM-1209 on both nodes, when one of them cannot be adopted for another reason")
  void twoNodes() {
    NodeOperations one = upsert(provider, changed("10.10.1.16/28", "10.10.1.16/29"));
    NodeResource other =
        Samples.parsed(
            WHOLE
                .replace("\"name\":\"a\"", "\"name\":\"b\"")
                .replace("i-a", "i-b")
                .replace("eni-", "eni-b")
                .replace("subnet-1", "subnet-9")
                .replace("subnet-2", "subnet-8"));
    NodeOperations two = upsert(provider, other);

    assertThat(reason(one).reason()).isEqualTo(BlockedReason.DUPLICATE_CLAIM);
    assertThat(reason(one).detail()).contains("10.10.").contains("node b");
    assertThat(reason(two).reason()).isEqualTo(BlockedReason.DUPLICATE_CLAIM);
    assertThat(reason(two).detail()).contains("10.10.").contains("node a");
    assertThat(two.inventory()).isNotInstanceOf(Inventory.Known.class);
  }

  @Test
  @DisplayName("a used address missing from the status is told by a restarted operator, too")
  void restart() {
    NodeResource resource = Samples.parsed(WHOLE);
    NodeOperations node = upsert(provider, resource);
    NodeResource written = node.withProviderStatus(resource);

    NodeOperations again = upsert(provider(Map.of()), written);
    assertThat(again.withProviderStatus(written).sameStatus(written)).isTrue();

    NodeResource missing = changed("\"10.10.0.5\",\"10.10.0.6\"", "\"10.10.0.6\"");
    NodeOperations third = upsert(provider(Map.of()), missing);
    assertThat(reason(third).detail()).contains("TM-9001").contains("10.10.0.5");
    assertThat(third.withProviderStatus(missing)).isEqualTo(missing);
  }

  @Test
  @DisplayName("what was made up for a manifest without a status yields to a subnet that is shown")
  void madeSubnetYields() {
    NodeResource bare = bare("0");
    NodeOperations fresh = upsert(provider, bare);
    NodeResource whole = Samples.parsed(WHOLE);
    NodeOperations live = upsert(provider, whole);
    read(provider, bare);

    survives(whole, live.withProviderStatus(whole));
    EniStatus made = fresh.withProviderStatus(bare).eniStatus().orElseThrow();
    assertThat(made.enis().values().iterator().next().subnet().cidr())
        .isEqualTo(Optional.of(Cidr.parse("10.10.0.0/24")));
  }

  @Test
  @DisplayName("a public address that is configured belongs to the interface that shows it")
  void configuredPublicAddress() {
    AllocationImplementation with = provider(Map.of("mock-public-addresses", "192.0.2.7;tag.k=v"));
    NodeOperations node = upsert(with, Samples.parsed(WHOLE));

    NodeOperations other = upsert(with, bare("b"));
    var answer = other.allocateStaticAddress(Map.of("k", "v"), context()).toCompletableFuture();
    time.runUntil(time.nanos());

    assertThat(ProviderWorld.known(node).statistics().staticAddress())
        .hasValueSatisfying(address -> assertThat(address).hasToString("192.0.2.7"));
    assertThat(answer.join()).isNotInstanceOf(AllocationOutcome.Allocated.class);
  }

  /** A manifest that shows no interface, of subnet-1. */
  private static NodeResource bare(String name) {
    return Samples.parsed(
        """
        {"apiVersion":"cilium.io/v2","kind":"CiliumNode","metadata":{"name":"NAME"},
         "spec":{"instance-id":"i-NAME","eni":{"instance-type":"m5.large",
           "node-subnet-id":"subnet-1","vpc-id":"vpc-1","availability-zone":"z1"}}}
        """
            .replace("NAME", name));
  }

  private static Blocked reason(NodeOperations node) {
    assertThat(node.inventory()).isInstanceOf(Inventory.Untouchable.class);
    return ((Inventory.Untouchable) node.inventory()).reason();
  }

  private static NodeResource changed(String from, String to) {
    if (!WHOLE.contains(from)) {
      throw new AssertionError("not in the sample: " + from);
    }
    return Samples.parsed(from.isEmpty() ? WHOLE : replaceFirst(from, to));
  }

  private static String replaceFirst(String from, String to) {
    int at = WHOLE.indexOf(from);
    return WHOLE.substring(0, at) + to + WHOLE.substring(at + from.length());
  }
}
