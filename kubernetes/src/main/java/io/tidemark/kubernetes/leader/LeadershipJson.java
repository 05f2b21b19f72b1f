package io.tidemark.kubernetes.leader;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Optional;

/** What an operator says about its part among several. Stateless. */
final class LeadershipJson {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private LeadershipJson() {}

  /** Leader, standby or alone; empty when the text is no status. */
  static Optional<String> leading(String status) {
    try {
      String leading = MAPPER.readTree(status).at("/summary/leading").asText("");
      return leading.isEmpty() ? Optional.empty() : Optional.of(leading);
    } catch (JsonProcessingException e) {
      return Optional.empty();
    }
  }
}
