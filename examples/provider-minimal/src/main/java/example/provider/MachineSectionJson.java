package example.provider;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.ip.AddressSet;
import io.tidemark.ip.IpAddress;
import io.tidemark.resource.NodeResource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The provider's section of the node's status: {@code status.machine}. */
final class MachineSectionJson {
  static final String SECTION = "machine";

  private static final ObjectMapper JSON = new ObjectMapper();

  private MachineSectionJson() {}

  /** The section with this interface; members that this provider does not know stay. */
  static NodeResource write(NodeResource resource, FixedInterface held) {
    ObjectNode section = read(resource);
    ObjectNode shown =
        section.get("interface") instanceof ObjectNode it ? it : section.putObject("interface");
    shown.put("id", held.id().text()).put("network", held.pool().text());
    ArrayNode addresses = shown.putArray("addresses");
    held.singles().forEach(address -> addresses.add(address.toString()));
    return resource.withStatusSection(SECTION, section.toString());
  }

  /** The addresses that the section shows, by interface id. */
  static Map<String, AddressSet> addresses(NodeResource resource) {
    JsonNode shown = read(resource).path("interface");
    List<IpAddress> addresses = new ArrayList<>();
    shown
        .path("addresses")
        .forEach(each -> IpAddress.tryParse(each.asText()).ifPresent(addresses::add));
    return shown.hasNonNull("id")
        ? Map.of(shown.get("id").asText(), AddressSet.copyOf(addresses))
        : Map.of();
  }

  private static ObjectNode read(NodeResource resource) {
    try {
      JsonNode section = JSON.readTree(resource.statusSection(SECTION).orElse("{}"));
      return section instanceof ObjectNode object ? object : JSON.createObjectNode();
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("a node resource holds JSON", e);
    }
  }
}
