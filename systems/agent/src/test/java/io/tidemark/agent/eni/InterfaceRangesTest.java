package io.tidemark.agent.eni;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.agent.InterfaceDetails;
import io.tidemark.agent.PoolName;
import io.tidemark.agent.crd.CrdMode;
import io.tidemark.agent.crd.InterfaceConsistency;
import io.tidemark.agent.crd.LocalInterfaces;
import io.tidemark.agent.multipool.OfferedCidrs;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.AzureStatus;
import io.tidemark.resource.EniSpec;
import io.tidemark.resource.EniStatus;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceJson;
import io.tidemark.resource.PodIpPool;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The blocks of interfaces")
class InterfaceRangesTest {
  private static final PoolName POOL = new PoolName("default");
  private static final NodeResource NODE = NodeResource.named("n");
  private static final NodeResource WITH_POOL =
      NODE.withPool(PodIpPool.of(Map.of("eni-1", AddressSet.of(IpAddress.parse("10.0.0.9")))));

  // ---- of EC2

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "10.0.0.1, true",
    "10.0.0.9, true",
    "10.0.0.10, false",
    "10.0.1.16, true",
    "10.0.1.31, true",
    "10.0.1.15, false",
    "10.0.1.32, false",
    "f00d::, true",
    "f00d::ffff, true",
    "f00d::1:0, false",
  })
  @DisplayName("A72 An interface holds its primary address, its others and those of its prefixes")
  void holds(String ip, boolean holds) {
    TestEni eni = TestEni.of("eni-1", "10.0.0.9", "10.0.1.16/28", "f00d::/112");
    assertThat(InterfaceConsistency.holds(eni.eni(), IpAddress.parse(ip))).isEqualTo(holds);
  }

  @Test
  @DisplayName("A72 An interface without addresses holds none")
  void empty() {
    TestEni eni = new TestEni("eni-1", 1, "", List.of(), TestEni.of("x").vpc(), Map.of());
    assertThat(InterfaceConsistency.holds(eni.eni(), IpAddress.parse("10.0.0.1"))).isFalse();
    assertThat(InterfaceRanges.blocks(eni.eni())).isEmpty();
  }

  @Test
  @DisplayName("A73 Each address is a block by itself, unless a prefix has it")
  void blocks() {
    assertThat(blocks("10.0.0.9", "10.0.0.8")).containsExactly("10.0.0.9/32", "10.0.0.8/32");
    String[] flattened =
        Stream.concat(
                Stream.of("10.0.1.16/28", "10.0.0.1"),
                IntStream.range(16, 32).mapToObj(last -> "10.0.1." + last))
            .toArray(String[]::new);
    assertThat(blocks(flattened)).containsExactly("10.0.1.16/28", "10.0.0.1/32");
    assertThat(blocks("f00d::/80", "10.0.0.9")).containsExactly("f00d::/80", "10.0.0.9/32");
  }

  private static List<String> blocks(String... holds) {
    return InterfaceRanges.blocks(TestEni.of("eni-1", holds).eni()).stream()
        .map(Cidr::toString)
        .toList();
  }

  @Test
  @DisplayName("A73 Interfaces below the first index, and those with all the tags, are left out")
  void excluded() {
    EniStatus status =
        TestEni.status(
            TestEni.of("eni-0").number(0),
            TestEni.of("eni-1").tagged("use", "other"),
            TestEni.of("eni-2").tagged("use", "pods"));
    assertThat(forPods(status, 0, Map.of())).containsExactly("eni-0", "eni-1", "eni-2");
    assertThat(forPods(status, 1, Map.of("use", "other"))).containsExactly("eni-2");
    assertThat(forPods(status, 0, Map.of("use", "other", "more", "tags")))
        .containsExactly("eni-0", "eni-1", "eni-2");
  }

  private static List<String> forPods(EniStatus status, int first, Map<String, String> tags) {
    EniSpec empty = EniSpec.EMPTY;
    EniSpec spec =
        new EniSpec(
            "",
            OptionalInt.of(first),
            List.of(),
            Map.of(),
            List.of(),
            Map.of(),
            "",
            "",
            "",
            tags,
            empty.deleteOnTermination(),
            Optional.empty(),
            Optional.empty());
    return InterfaceRanges.forPods(status, spec).map(EniStatus.Eni::id).toList();
  }

  @ParameterizedTest(name = "{0} with {1} in {2}: {3}")
  @CsvSource({
    "eni-1, 10.0.0.9, '', interface eni-1 has no primary CIDR of its VPC",
    "eni-2, 10.0.0.9, 10.0.0.0/16, '10.0.0.9 of the pool is on interface eni-1, which is not in the status'",
    "eni-1, 10.0.0.8, 10.0.0.0/16, '10.0.0.9 of the pool is on interface eni-1, which does not list it'",
    "eni-1, 10.0.0.9, 10.0.0.0/16,",
    "eni-1, 10.0.0.0/28, 10.0.0.0/16,",
  })
  @DisplayName("A71 An interface must name its VPC's block, and have the pool's addresses")
  void contradiction(String id, String holds, String vpc, @Nullable String problem) {
    assertThat(problem(TestEni.node(WITH_POOL, TestEni.of(id, holds).vpc(vpc))))
        .isEqualTo(Optional.ofNullable(problem));
  }

  @Test
  @DisplayName("A71 Without interfaces only an object without a pool is consistent")
  void withoutInterfaces() {
    assertThat(problem(WITH_POOL))
        .contains("10.0.0.9 of the pool is on interface eni-1, which is not in the status");
    assertThat(problem(NODE)).isEmpty();
  }

  private static Optional<String> problem(NodeResource node) {
    return new InterfaceRanges(CrdMode.ENI, POOL, LocalInterfaces.ALL, List.of())
        .contradiction(node);
  }

  @Test
  @DisplayName("A71 An object with an empty block of the VPC cannot be read")
  void emptyBlock() {
    TestEni eni = TestEni.of("eni-1").vpc("10.0.0.0/16", "10.1.0.0/16");
    String text = NodeResourceJson.print(TestEni.node(WITH_POOL, eni)).replace("10.1.0.0/16", "");
    String outcome =
        NodeResourceJson.parse(text, "test")
            .match(resource -> "read", refused -> refused.problems().toString());
    assertThat(outcome).contains("status.eni.enis.eni-1.vpc.cidrs[0]");
  }

  // ---- of Azure

  private static final Cidr SUBNET = Cidr.parse("10.1.0.0/16");
  private static final IpAddress GATEWAY = IpAddress.parse("10.1.0.1");

  private final InterfaceRanges azure =
      new InterfaceRanges(CrdMode.AZURE, POOL, (id, mac) -> !mac.equals("away"), List.of());

  private OfferedCidrs offer(AzureStatus.Interface... nics) {
    Map<String, AzureStatus.Interface> all = new TreeMap<>();
    for (AzureStatus.Interface nic : nics) {
      all.put(nic.id(), nic);
    }
    NodeResource node = NODE.withAzureStatus(new AzureStatus(new TreeMap<>(all)));
    return requireNonNull(azure.offers(node).get(POOL));
  }

  private static AzureStatus.Interface nic(String id, String mac, AzureStatus.Address... holds) {
    return new AzureStatus.Interface(
        id,
        "nic",
        mac,
        AzureStatus.SUCCEEDED,
        Optional.of(IpAddress.parse("10.1.0.4")),
        List.of(holds),
        "",
        Optional.of(GATEWAY),
        Optional.of(SUBNET),
        "/subnet");
  }

  private static AzureStatus.Address address(String ip, String state) {
    return new AzureStatus.Address(IpAddress.parse(ip), "/subnet", state);
  }

  @Test
  @DisplayName("A73 Each usable address is a block, those of delegated blocks too")
  void azureBlocks() {
    OfferedCidrs offer =
        offer(
            nic(
                "/nic/a",
                "00:0d",
                address("10.1.0.5", AzureStatus.SUCCEEDED),
                address("10.1.0.6", "updating")),
            nic("/nic/b", "00:0e", address("10.1.0.16", AzureStatus.SUCCEEDED)));
    assertThat(offer.cidrs())
        .containsExactly(Cidr.parse("10.1.0.5/32"), Cidr.parse("10.1.0.16/32"));
    assertThat(azure.offers(NODE)).isEmpty();
  }

  @Test
  @DisplayName("A84 The id of an instance is the same in upper case and with a scheme")
  void instance() {
    NodeResource node = NODE.withInstanceId("azure:///Subscriptions/s/vm1");
    assertThat(azure.isOf(Optional.of("/subscriptions/S/vm1"), node)).isTrue();
    assertThat(azure.isOf(Optional.of("/subscriptions/s/vm2"), node)).isFalse();
    assertThat(azure.isOf(Optional.of("/subscriptions/s/vm1"), NODE)).isFalse();
    assertThat(azure.isOf(Optional.empty(), node)).isTrue();
  }

  @Test
  @DisplayName("A74 A83 A block has its interface, unless that is not here")
  void interfaces() {
    OfferedCidrs offer =
        offer(
            nic("/nic/a", "00:0d", address("10.1.0.5", AzureStatus.SUCCEEDED)),
            nic("/nic/b", "away", address("10.1.0.16", AzureStatus.SUCCEEDED)));
    assertThat(offer.interfaces().orElseThrow())
        .containsExactly(
            Map.entry(
                Cidr.parse("10.1.0.5/32"),
                new InterfaceDetails(
                    "/nic/a",
                    "00:0d",
                    "0",
                    Optional.of(SUBNET),
                    Optional.of(GATEWAY),
                    List.of(SUBNET))));
  }
}
