package io.tidemark.provider.azure.ipam;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.resource.NodeResource;
import io.tidemark.resource.NodeResourceJson;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The section spec.azure")
class AzureSpecTest {
  private static NodeResource with(String section) {
    return AzureSpecSampleJson.with(NodeResource.named("node1"), section);
  }

  @Test
  @DisplayName("Z43 is read, and a member that is not known survives a write of the object")
  void read() {
    NodeResource node =
        with("{\"interface-name\":\"eth1\",\"disable-prefix-delegation\":true,\"later\":1.50}");
    assertThat(AzureSpecJson.of(node)).isEqualTo(new AzureSpecJson("eth1", Optional.of(true)));
    assertThat(NodeResourceJson.print(node.withPreAllocate(9)))
        .contains(
            "\"azure\":{\"interface-name\":\"eth1\",\"disable-prefix-delegation\":true,"
                + "\"later\":1.5");
  }

  @Test
  @DisplayName("Z43 says nothing when it is absent or empty")
  void absent() {
    assertThat(AzureSpecJson.of(NodeResource.named("node1"))).isEqualTo(AzureSpecJson.EMPTY);
    assertThat(AzureSpecJson.of(with("{}"))).isEqualTo(AzureSpecJson.EMPTY);
    assertThat(AzureSpecJson.of(with("{\"later\":1}"))).isEqualTo(AzureSpecJson.EMPTY);
  }
}
