package io.tidemark.it.monitoring;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.tidemark.testing.Repository;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** {@code deploy/monitoring/dashboard.json}. */
record Dashboard(JsonNode json) {
  static Dashboard read() {
    try {
      return new Dashboard(
          new ObjectMapper().readTree(Repository.text("deploy/monitoring/dashboard.json")));
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Rows, and the panels of each behind it. */
  List<JsonNode> rowsAndPanels() {
    List<JsonNode> all = new ArrayList<>();
    visit(json, all::add);
    return all;
  }

  List<JsonNode> panels() {
    return rowsAndPanels().stream()
        .filter(each -> !each.path("type").asText().equals("row"))
        .toList();
  }

  private static void visit(JsonNode parent, Consumer<JsonNode> visitor) {
    for (JsonNode each : parent.path("panels")) {
      visitor.accept(each);
      visit(each, visitor);
    }
  }

  /** The queries of all panels. */
  List<Query> queries() {
    List<Query> queries = new ArrayList<>();
    for (JsonNode panel : panels()) {
      for (JsonNode target : panel.path("targets")) {
        String where = panel.path("title").asText() + ' ' + target.path("refId").asText();
        queries.add(new Query(where, target.path("expr").asText()));
      }
    }
    return queries;
  }
}
