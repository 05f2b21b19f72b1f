package io.tidemark.resource;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/** Reads the API server's record of who wrote which field ({@code metadata.managedFields}). */
final class ManagedFields {
  private ManagedFields() {}

  /** A part of the object that only an operator writes, in one of its two subresources. */
  private enum Part {
    POOL,
    /** A section of the status, one per cloud; the agent writes {@code ipam} alone. */
    SECTION,
    OTHER;

    static Part of(JsonObject entry) {
      JsonObject fields = entry.get("fieldsV1").asObject();
      String subresource = entry.get("subresource").asText();
      if (subresource.isEmpty()) {
        JsonObject ipam = fields.get("f:spec").asObject().get("f:ipam").asObject();
        return ipam.has("f:pool") ? POOL : OTHER;
      }
      JsonObject status = fields.get("f:status").asObject();
      for (int i = 0; subresource.equals("status") && i < status.size(); i++) {
        if (status.key(i).startsWith("f:") && !status.key(i).equals("f:ipam")) {
          return SECTION;
        }
      }
      return OTHER;
    }
  }

  /** The newest entry over one part, without {@code self}'s. Times are whole seconds. */
  private static final class Newest {
    private final Part part;
    private String manager = "";
    private String time = "";
    private String own = "";

    Newest(Part part) {
      this.part = part;
    }

    /** Of entries of the same second the last one counts. */
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

  /** Whether an entry is over {@code spec.ipam.podCIDRs}. */
  private static boolean isPodCidrs(JsonObject entry) {
    JsonObject spec = entry.get("fieldsV1").asObject().get("f:spec").asObject();
    return entry.get("subresource").asText().isEmpty()
        && spec.get("f:ipam").asObject().has("f:podCIDRs");
  }

  /** Who beside {@code self} wrote its parts, when {@code self} did, and who wrote the CIDRs. */
  static LastWriter of(String self, JsonArray entries) {
    Newest pool = new Newest(Part.POOL);
    Newest section = new Newest(Part.SECTION);
    String own = "";
    String podCidrs = "";
    String podCidrsTime = "";
    for (JsonValue each : entries.elements()) {
      JsonObject entry = each.asObject();
      String name = entry.get("manager").asText();
      String time = entry.get("time").asText();
      Part part = Part.of(entry);
      pool.take(part, name.equals(self), name, time);
      section.take(part, name.equals(self), name, time);
      if (isPodCidrs(entry) && time.compareTo(podCidrsTime) >= 0) {
        podCidrs = name.equals(self) ? self : name;
        podCidrsTime = time;
      }
      own = name.equals(self) && time.compareTo(own) > 0 ? time : own;
    }
    return new LastWriter(
        pool.other().or(section::other),
        false,
        podCidrs.isEmpty() ? Optional.empty() : Optional.of(podCidrs.intern()),
        seconds(own));
  }

  private static long seconds(String time) {
    try {
      return time.isEmpty() ? LastWriter.NEVER : Instant.parse(time).getEpochSecond();
    } catch (DateTimeParseException e) {
      return LastWriter.NEVER;
    }
  }
}
