package io.tidemark.resource;

import java.util.Optional;

/** Reads what the API server records of who wrote which field ({@code metadata.managedFields}). */
final class ManagedFields {
  private ManagedFields() {}

  /**
   * Whose entry over {@code spec.ipam.pool}, {@code self}'s left out, is the newest, of equally old
   * ones the later one; nobody's when {@code self} wrote after it. Times are whole seconds.
   */
  static Optional<String> poolWriterBeside(String self, JsonArray entries) {
    String manager = "";
    String newest = "";
    String own = "";
    for (JsonValue each : entries.elements()) {
      JsonObject entry = each.asObject();
      String name = entry.get("manager").asText();
      String time = entry.get("time").asText();
      if (!writesPool(entry)) {
        continue;
      }
      if (name.equals(self)) {
        own = time.compareTo(own) > 0 ? time : own;
      } else if (time.compareTo(newest) >= 0) {
        newest = time;
        manager = name;
      }
    }
    return manager.isEmpty() || newest.compareTo(own) < 0 ? Optional.empty() : Optional.of(manager);
  }

  private static boolean writesPool(JsonObject entry) {
    JsonObject fields = entry.get("fieldsV1").asObject();
    return entry.get("subresource").asText().isEmpty()
        && fields.get("f:spec").asObject().get("f:ipam").asObject().has("f:pool");
  }
}
