package io.tidemark.resource;

import java.util.Optional;

/** Reads what the API server records of who wrote which field ({@code metadata.managedFields}). */
final class ManagedFields {
  private ManagedFields() {}

  /** Whose entry over {@code spec.ipam.pool} is the newest; of equally old ones the later one. */
  static Optional<String> lastPoolWriter(JsonArray entries) {
    String manager = "";
    String newest = "";
    for (JsonValue each : entries.elements()) {
      JsonObject entry = each.asObject();
      String time = entry.get("time").asText();
      if (writesPool(entry) && time.compareTo(newest) >= 0) {
        newest = time;
        manager = entry.get("manager").asText();
      }
    }
    return manager.isEmpty() ? Optional.empty() : Optional.of(manager);
  }

  private static boolean writesPool(JsonObject entry) {
    JsonObject fields = entry.get("fieldsV1").asObject();
    return entry.get("subresource").asText().isEmpty()
        && fields.get("f:spec").asObject().get("f:ipam").asObject().has("f:pool");
  }
}
