package io.tidemark.resource;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import java.io.IOException;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A node resource as JSON")
class NodeResourceJsonTest {
  private static final String FOREIGN = TestResources.text("/resource/foreign-fields.json");

  private final NodeResource node = TestResources.parse(FOREIGN);

  @Test
  @DisplayName("N5 read and printed again it has the same keys, order, literals and strings")
  void roundTrip() {
    String compact = FOREIGN.replaceAll("\\n *", "").replace("\\u00e9", "\u00e9");
    assertThat(NodeResourceJson.print(node)).isEqualTo(compact);
  }

  @Test
  @DisplayName("a pretty print says the same as a compact one")
  void pretty() {
    String pretty = NodeResourceJson.printPretty(node);
    assertThat(pretty.lines().count()).isGreaterThan(50);
    assertThat(TestResources.parse(pretty)).isEqualTo(node);
  }

  @Test
  @DisplayName("NM-J1 every field that is not known survives writes to all parts")
  void unknownFieldsSurvive() throws IOException {
    NodeResource written =
        node.withPool(PodIpPool.of(Map.of("eni-a", set("10.0.0.5", "10.0.0.7"))))
            .withPreAllocate(12)
            .withReleaseIps(Map.of(IpAddress.parse("10.0.0.7"), HandshakeState.MARKED_FOR_RELEASE))
            .withAssignedStaticIp(IpAddress.parse("203.0.113.9"))
            .withResourceVersion("42");
    JsonNode json = new ObjectMapper().readTree(NodeResourceJson.print(written));
    assertThat(json.at("/future/list/4/deep/1").asBoolean()).isTrue();
    assertThat(json.at("/spec/ipam/pool/10.0.0.5/hint/0").asInt()).isEqualTo(1);
    assertThat(json.at("/spec/ipam/pool/10.0.0.7/resource").asText()).isEqualTo("eni-a");
    assertThat(json.at("/spec/ipam/pool").size()).isEqualTo(2);
    assertThat(json.at("/spec/nodeidentity").asText()).isEqualTo("12345678901234567890");
    assertThat(json.at("/status/eni/enis/eni-a/trunk/on").asBoolean()).isTrue();
  }

  private static AddressSet set(String... addresses) {
    AddressSet.Builder builder = AddressSet.builder();
    for (String each : addresses) {
      builder.add(IpAddress.parse(each));
    }
    return builder.build();
  }
}
