package io.tidemark.provider.mock;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.provider.mock.cloud.CloudSettings;
import io.tidemark.provider.mock.cloud.MockInterface;
import io.tidemark.resource.EniStatus;
import io.tidemark.resource.NodeResource;
import io.tidemark.spi.AllocationOutcome;
import io.tidemark.spi.NodeOperations;
import io.tidemark.testing.Samples;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A node of the mock provider")
class MockNodeTest {
  private final ProviderWorld world = ProviderWorld.calm();

  @Test
  @DisplayName("takes the last free addresses of a subnet although it wants more")
  void lastFreeAddresses() {
    ProviderWorld small = new ProviderWorld(CloudSettings.calm(), Map.of(), "10.0.0.0/28");
    NodeOperations node = small.node("a", "m5.4xlarge");
    int free = small.cloud.state().subnet(ProviderWorld.SUBNET).free();

    assertThat(small.allocate(node, free + 5)).isInstanceOf(AllocationOutcome.Allocated.class);
    assertThat(ProviderWorld.size(node)).isEqualTo(free);
    assertThat(node.prepareIpAllocation().blocked()).isPresent();
  }

  @Test
  @DisplayName("publishes every address it may hand out, with interface, subnet and VPC")
  void publishes() {
    NodeOperations node = world.node("a", "m5.large");
    world.allocate(node, 12);

    NodeResource written =
        node.withProviderStatus(ProviderWorld.resource("a", Samples.eniSpec("m5.large")));

    EniStatus status = written.eniStatus().orElseThrow();
    AddressSet.Builder published = AddressSet.builder();
    status.enis().values().forEach(eni -> eni.addresses().forEach(published::add));
    assertThat(published.build()).isEqualTo(ProviderWorld.addresses(node));
    for (EniStatus.Eni eni : status.enis().values()) {
      assertThat(eni.subnet().cidr().orElseThrow().toString()).isEqualTo("10.0.0.0/20");
      assertThat(eni.vpc().primaryCidr().orElseThrow().toString()).isEqualTo("10.0.0.0/16");
      assertThat(eni.mac()).matches("02(:[0-9a-f]{2}){5}");
      assertThat(eni.ip()).isPresent();
    }
  }

  @Test
  @DisplayName("tags what it creates")
  void tags() {
    NodeOperations node = world.node("a", "m5.large");
    world.allocate(node, 9);
    world.allocate(node, 3);

    MockInterface created = world.cloud.state().attachedTo("i-a").get(1);
    assertThat(created.index()).isEqualTo(1);
    assertThat(created.fixed().tags())
        .containsEntry("tidemark.io/cluster", "test")
        .containsEntry("tidemark.io/instance", "i-a")
        .containsKey("tidemark.io/token");
    assertThat(created.singles().contains(IpAddress.parse("10.0.0.4"))).isFalse();
  }
}
