package io.tidemark.kubernetes.leader;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * An operator's statement about its part among several. Immutable.
 *
 * @param leading leader, standby or alone; empty text when the answer is no status
 * @param lease name of the lease of its mode; empty text when it does not say, as earlier versions
 */
record LeadershipJson(String leading, String lease) {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  static LeadershipJson read(String status) {
    try {
      JsonNode summary = MAPPER.readTree(status).path("summary");
      return new LeadershipJson(
          summary.path("leading").asText(""), summary.path("lease").asText(""));
    } catch (JsonProcessingException e) {
      return new LeadershipJson("", "");
    }
  }
}
