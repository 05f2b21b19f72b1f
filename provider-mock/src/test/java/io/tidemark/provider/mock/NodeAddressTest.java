package io.tidemark.provider.mock;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.Cidr;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.EniSpec;
import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceJson;
import io.tidemark.spi.NodeOperations;
import io.tidemark.spi.NodeSettings;
import io.tidemark.testing.EniSpecSample;
import io.tidemark.testing.Samples;
import java.util.Set;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A96 The addresses of the node itself")
class NodeAddressTest {
  private static final EniSpec SPEC = EniSpecSample.of("m5.large").usePrimary(true).build();

  private final ProviderWorld world = ProviderWorld.calm();
  private final NodeOperations node =
      world.node("a", SPEC, new NodeSettings("a", false, true, false));

  private int capacity() {
    return ProviderWorld.known(node).statistics().capacityIpv4();
  }

  @Test
  @DisplayName("are neither in the pool nor in the status nor counted, as primary of device 0")
  void primaryOfTheFirst() {
    world.allocate(node, 9);
    world.allocate(node, 3);
    assertThat(world.cloud.state().attachedTo("i-a")).hasSize(2);
    IpAddress own = world.cloud.state().attachedTo("i-a").get(0).fixed().primary().orElseThrow();
    IpAddress other = world.cloud.state().attachedTo("i-a").get(1).fixed().primary().orElseThrow();
    assertThat(ProviderWorld.addresses(node).contains(own)).isFalse();
    assertThat(ProviderWorld.addresses(node).contains(other)).isTrue();
    NodeResource shown = node.withProviderStatus(NodeResource.named("a"));
    AddressSet listed = AddressSet.of();
    for (AddressSet each : shown.eniStatus().orElseThrow().addressesByInterface().values()) {
      listed = listed.plus(each);
    }
    assertThat(listed).isEqualTo(ProviderWorld.addresses(node));
    assertThat(capacity()).as("three of ten, without the node's").isEqualTo(29);
    assertThat(node.maximumAllocatableIpv4()).hasValue(29);
  }

  @Test
  @DisplayName("stay on their interface, and serve no pod, when spec.addresses names them")
  void named() {
    world.allocate(node, 5);
    IpAddress named = ProviderWorld.addresses(node).first().orElseThrow();
    String text =
        NodeResourceJson.print(Samples.node("a").instanceId("i-a").eniSpec(SPEC).build())
            .replaceFirst(
                "\"spec\": *\\{",
                "\"spec\":{\"addresses\":[{\"type\":\"InternalIP\",\"ip\":\"" + named + "\"}],");
    int before = ProviderWorld.addresses(node).size();
    node.updatedNode(Samples.parsed(text));
    assertThat(ProviderWorld.addresses(node).contains(named)).isFalse();
    assertThat(ProviderWorld.addresses(node).size()).isEqualTo(before - 1);
    assertThat(capacity()).isEqualTo(28);
    assertThat(node.maximumAllocatableIpv4()).hasValue(28);
    assertThat(node.prepareIpRelease(20, AddressSet.of()).allAddresses().contains(named)).isFalse();
    assertThat(node.prepareCidrRelease(Set.of(Cidr.single(named)))).isEmpty();
  }
}
