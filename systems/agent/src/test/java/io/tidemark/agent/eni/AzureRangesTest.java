package io.tidemark.agent.eni;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.agent.InterfaceDetails;
import io.tidemark.agent.PoolName;
import io.tidemark.agent.crd.CrdMode;
import io.tidemark.agent.multipool.OfferedCidrs;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.AzureStatus;
import io.tidemark.resource.NodeResource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What Azure's interfaces offer")
class AzureRangesTest {
  private static final PoolName POOL = new PoolName("default");
  private static final Cidr SUBNET = Cidr.parse("10.1.0.0/16");
  private static final IpAddress GATEWAY = IpAddress.parse("10.1.0.1");

  private final InterfaceRanges ranges =
      new InterfaceRanges(CrdMode.AZURE, POOL, (id, mac) -> !mac.equals("away"), List.of());

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

  private static NodeResource node(AzureStatus.Interface... nics) {
    Map<String, AzureStatus.Interface> all = new TreeMap<>();
    Arrays.stream(nics).forEach(each -> all.put(each.id(), each));
    return NodeResource.named("n").withAzureStatus(new AzureStatus(new TreeMap<>(all)));
  }

  @Test
  @DisplayName("A73 Each usable address is a block, those of delegated blocks too")
  void blocks() {
    OfferedCidrs offer =
        requireNonNull(
            ranges
                .offers(
                    node(
                        nic(
                            "/nic/a",
                            "00:0d",
                            address("10.1.0.5", AzureStatus.SUCCEEDED),
                            address("10.1.0.6", "updating")),
                        nic("/nic/b", "00:0e", address("10.1.0.16", AzureStatus.SUCCEEDED))))
                .get(POOL));
    assertThat(offer.cidrs())
        .containsExactly(Cidr.parse("10.1.0.5/32"), Cidr.parse("10.1.0.16/32"));
    assertThat(ranges.offers(NodeResource.named("n"))).isEmpty();
  }

  @Test
  @DisplayName("A84 The id of an instance is the same in upper case and with a scheme")
  void instance() {
    NodeResource node = NodeResource.named("n").withInstanceId("azure:///Subscriptions/s/vm1");
    assertThat(ranges.isOf(Optional.of("/subscriptions/S/vm1"), node)).isTrue();
    assertThat(ranges.isOf(Optional.of("/subscriptions/s/vm2"), node)).isFalse();
    assertThat(ranges.isOf(Optional.of("/subscriptions/s/vm1"), NodeResource.named("n"))).isFalse();
    assertThat(ranges.isOf(Optional.empty(), node)).isTrue();
  }

  @Test
  @DisplayName("A74 A83 A block has its interface, unless that is not here")
  void interfaces() {
    OfferedCidrs offer =
        requireNonNull(
            ranges
                .offers(
                    node(
                        nic("/nic/a", "00:0d", address("10.1.0.5", AzureStatus.SUCCEEDED)),
                        nic("/nic/b", "away", address("10.1.0.16", AzureStatus.SUCCEEDED))))
                .get(POOL));
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
