package io.tidemark.provider.azure.network;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Reads what interfaces name, and what roles allow. Pure. */
final class LinksJson {
  private LinksJson() {}

  /** The links of an interface; empty when it has no id that could be one. */
  static Optional<InterfaceLinks> links(JsonNode json) {
    return TreeJson.resource(
        json,
        (id, properties) ->
            new InterfaceLinks(
                id, TreeJson.reference(properties, "virtualMachine"), linked(properties)));
  }

  private static Set<ResourceId> linked(JsonNode properties) {
    Set<ResourceId> found = new TreeSet<>();
    for (JsonNode each : properties.findValues("id")) {
      ResourceId.parse(each.asText())
          .filter(id -> LinkedType.of(id).isPresent())
          .ifPresent(found::add);
    }
    return found;
  }

  /** The permissions of one role. */
  static Optional<Grant> grant(JsonNode json) {
    return Optional.of(
        new Grant(TreeJson.texts(json.path("actions")), TreeJson.texts(json.path("notActions"))));
  }
}
