package io.tidemark.kubernetes.migration;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.tidemark.kubernetes.ClusterConnection.Page;
import java.util.List;
import java.util.Map;

/** Counts a list of CiliumNodes as the server sends it. Stateless. */
final class PoolCensusJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private PoolCensusJson() {}

  /**
   * Reads a page.
   *
   * @throws KubernetesClientException when it is no JSON
   */
  static Page<PoolCensus> read(String answer) {
    try {
      JsonNode page = MAPPER.readTree(answer);
      PoolCensus census = PoolCensus.EMPTY;
      for (JsonNode node : page.path("items")) {
        census = census.plus(count(node));
      }
      return new Page<>(census, page.at("/metadata/continue").asText());
    } catch (JsonProcessingException e) {
      throw new KubernetesClientException("the list of CiliumNodes is not valid JSON", e);
    }
  }

  private static PoolCensus count(JsonNode node) {
    JsonNode ipam = node.at("/spec/ipam");
    JsonNode pool = ipam.path("pool");
    JsonNode used = node.at("/status/ipam/used");
    boolean isStray = !pool.isEmpty() && hasOther(used, pool);
    return new PoolCensus(
        1,
        pool.isEmpty() && ipam.path("podCIDRs").isEmpty() ? 0 : 1,
        used.size(),
        node.at("/status/ipam/release-ips").size(),
        isStray ? List.of(node.at("/metadata/name").asText()) : List.of(),
        isStray ? 1 : 0);
  }

  private static boolean hasOther(JsonNode used, JsonNode pool) {
    for (Map.Entry<String, JsonNode> each : used.properties()) {
      if (!pool.has(each.getKey())) {
        return true;
      }
    }
    return false;
  }
}
