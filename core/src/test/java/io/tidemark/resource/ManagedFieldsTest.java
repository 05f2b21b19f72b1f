package io.tidemark.resource;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The API server's record of writers")
class ManagedFieldsTest {
  /** Entries such as {@code other pool 3}: manager, part and second; in the server's order. */
  private static LastWriter writes(String entries) {
    List<JsonValue> read = new ArrayList<>();
    for (String entry : entries.split(",", -1)) {
      String[] words = entry.trim().split(" ", -1);
      JsonObject json = JsonObject.of("manager", new JsonText(words[0]));
      json = json.with("fieldsV1", fields(words[1]));
      if (!words[1].startsWith("spec.") && !words[1].equals("nothing")) {
        String subresource = words[1].equals("scale.eni") ? "scale" : "status";
        json = json.with("subresource", new JsonText(subresource));
      }
      String time = words[2].length() > 1 ? words[2] : "2026-01-01T00:00:0" + words[2] + "Z";
      read.add(words[2].equals("-") ? json : json.with("time", new JsonText(time)));
    }
    return ManagedFields.of("self", new JsonArray(read));
  }

  private static JsonObject fields(String part) {
    return switch (part) {
      case "spec.pool" -> nested("f:spec", "f:ipam", "f:pool");
      case "spec.podCIDRs", "status.podCIDRs" -> nested("f:spec", "f:ipam", "f:podCIDRs");
      case "spec.other" -> nested("f:spec", "f:ipam", "f:pre-allocate");
      case "spec.eni" -> nested("f:status", "f:eni");
      case "scale.eni", "eni" -> nested("f:status", "f:eni");
      case "azure" -> nested("f:status", "f:azure");
      case "alibaba" -> nested("f:status", "f:alibaba-cloud");
      case "machine" -> nested("f:status", "f:machine");
      case "map" -> nested("f:status", ".");
      case "used" -> nested("f:status", "f:ipam", "f:used");
      case "status.pool" -> nested("f:spec", "f:ipam", "f:pool");
      case "nothing" -> JsonObject.EMPTY;
      default -> throw new AssertionError(part);
    };
  }

  private static JsonObject nested(String... keys) {
    JsonObject inner = JsonObject.EMPTY;
    for (int i = keys.length - 1; i >= 0; i--) {
      inner = JsonObject.of(keys[i], inner);
    }
    return inner;
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "a spec.pool 1                                | a",
        "a eni 1                                      | a",
        "a azure 1                                    | a",
        "a alibaba 1                                  | a",
        "a machine 1                                  | a",
        "a map 1                                      |",
        "a spec.other 1                               |",
        "a used 1                                     |",
        "a nothing 1                                  |",
        "a spec.eni 1                                 |",
        "a scale.eni 1                                |",
        "a status.pool 1                              |",
        "a spec.pool -                                | a",
        "a spec.pool 1, b spec.pool 2                 | b",
        "b spec.pool 2, a spec.pool 1                 | b",
        "a spec.pool 1, b spec.pool 1                 | b",
        "a eni 2, b spec.pool 1                       | b",
        "a eni 2, b eni 1, b spec.other 3             | a",
        "self spec.pool 1                             |",
        "a spec.pool 1, self spec.pool 2              |",
        "self spec.pool 2, a spec.pool 1              |",
        "self spec.pool 1, a spec.pool 2              | a",
        "a spec.pool 1, self spec.pool 1              | a",
        "a spec.pool 1, self eni 2                    | a",
        "a eni 1, self spec.pool 2                    | a",
        "a spec.pool 1, self spec.pool 2, b eni 1     | b",
        "self spec.pool 3, self spec.pool 1, a spec.pool 2 |",
      })
  @DisplayName("names the newest other writer of the pool, else of a cloud's section")
  void other(String entries, String manager) {
    assertThat(writes(entries).other()).isEqualTo(Optional.ofNullable(manager));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "self spec.pool 1                                  | 1",
        "self spec.pool 1, self used 3, self spec.other 2  | 3",
        "self eni 2, a eni 4                               | 2",
        "a spec.pool 1                                     |",
        "self spec.pool -                                  |",
        "self spec.pool yesterday                          |",
      })
  @DisplayName("says when the program itself last wrote anything")
  void own(String entries, Integer second) {
    long start = Instant.parse("2026-01-01T00:00:00Z").getEpochSecond();
    assertThat(writes(entries).ownSeconds())
        .isEqualTo(second == null ? LastWriter.NEVER : start + second);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "a spec.podCIDRs 1                                  | a",
        "a spec.podCIDRs 1, self spec.podCIDRs 2            | self",
        "self spec.podCIDRs 2, a spec.podCIDRs 1            | self",
        "a spec.podCIDRs 1, b spec.podCIDRs 1               | b",
        "a spec.podCIDRs -                                  | a",
        "a spec.podCIDRs 1, b spec.other 2                  | a",
        "a spec.podCIDRs 1, b spec.pool 2                   | a",
        "a status.podCIDRs 1                                |",
        "a nothing 1                                        |",
      })
  @DisplayName("NC-B23 names who wrote the CIDRs last, ourselves as well")
  void podCidrs(String entries, String expected) {
    assertThat(writes(entries).podCidrs()).isEqualTo(Optional.ofNullable(expected));
  }
}
