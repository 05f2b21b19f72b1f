package io.tidemark.provider.azure.network;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The resources that an interface and its configurations name: the body of a write of it names the
 * same.
 *
 * @param machine that it is attached to
 * @param linked resources of the types of {@link LinkedType}
 */
public record InterfaceLinksJson(
    ResourceId id, Optional<ResourceId> machine, Set<ResourceId> linked) {
  public InterfaceLinksJson {
    linked = Set.copyOf(linked);
  }

  /** The links of an interface; empty when it has no id that could be one. */
  static Optional<InterfaceLinksJson> read(JsonNode json) {
    return TreeJson.resource(
        json,
        (id, properties) ->
            new InterfaceLinksJson(
                id, TreeJson.reference(properties, "virtualMachine"), linked(properties)));
  }

  private static Set<ResourceId> linked(JsonNode properties) {
    return properties.findValues("id").stream()
        .flatMap(each -> ResourceId.parse(each.asText()).stream())
        .filter(id -> LinkedType.of(id).isPresent())
        .collect(Collectors.toSet());
  }
}
