package io.tidemark.resource;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/** Reads what the API server records of who wrote which field ({@code metadata.managedFields}). */
final class ManagedFields {
  private ManagedFields() {}

  /** A part of the object that only an operator writes, in one of its two subresources. */
  private enum Part {
    POOL,
    CLOUDS,
    OTHER;

    static Part of(JsonObject entry) {
      JsonObject fields = entry.get("fieldsV1").asObject();
      String subresource = entry.get("subresource").asText();
      if (subresource.isEmpty()) {
        JsonObject ipam = fields.get("f:spec").asObject().get("f:ipam").asObject();
        return ipam.has("f:pool") ? POOL : OTHER;
      }
      JsonObject status = fields.get("f:status").asObject();
      for (String cloud : JsonNodeResource.CLOUDS) {
        if (subresource.equals("status") && status.has("f:" + cloud)) {
          return CLOUDS;
        }
      }
      return OTHER;
    }
  }

  /** Whose entry over one part, {@code self}'s left out, is the newest. Times are whole seconds. */
  private static final class Newest {
    private final Part part;
    private String manager = "";
    private String time = "";
    private String own = "";

    Newest(Part part) {
      this.part = part;
    }

    /** Of equally old entries the later one counts. */
    void take(Part of, boolean self, String name, String at) {
      if (of != part) {
        return;
      }
      if (self) {
        own = at.compareTo(own) > 0 ? at : own;
      } else if (at.compareTo(time) >= 0) {
        time = at;
        manager = name;
      }
    }

    /** Nobody when we wrote after it. */
    Optional<String> other() {
      return manager.isEmpty() || time.compareTo(own) < 0 ? Optional.empty() : Optional.of(manager);
    }
  }

  /** Who wrote the pool and the clouds' sections beside {@code self}, and when {@code self} did. */
  static OperatorWrites of(String self, JsonArray entries) {
    Newest pool = new Newest(Part.POOL);
    Newest clouds = new Newest(Part.CLOUDS);
    String own = "";
    for (JsonValue each : entries.elements()) {
      JsonObject entry = each.asObject();
      String name = entry.get("manager").asText();
      String time = entry.get("time").asText();
      Part part = Part.of(entry);
      pool.take(part, name.equals(self), name, time);
      clouds.take(part, name.equals(self), name, time);
      own = name.equals(self) && time.compareTo(own) > 0 ? time : own;
    }
    return new OperatorWrites(pool.other().or(clouds::other), seconds(own));
  }

  private static long seconds(String time) {
    try {
      return time.isEmpty() ? OperatorWrites.NEVER : Instant.parse(time).getEpochSecond();
    } catch (DateTimeParseException e) {
      return OperatorWrites.NEVER;
    }
  }
}
