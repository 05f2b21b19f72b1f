package io.tidemark.nodeid.plan;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.nodeid.SubnetPlan;
import io.tidemark.nodeid.claim.NodeIdMirror;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Compares a plan with one that a node holds as JSON. Stateless. */
final class SubnetPlanJson {
  private static final JsonFactory FACTORY = new JsonFactory();
  private static final int LENGTH_MAX = 1 << 16;

  private SubnetPlanJson() {}

  /**
   * How the JSON differs from the plan, a clause for each field; fields that it does not have are
   * not compared.
   *
   * @throws IllegalArgumentException when it is no JSON object; the message says why
   */
  static List<String> differences(String json, SubnetPlan plan) {
    Map<String, String> has = read(json);
    List<String> differences = new ArrayList<>();
    NodeIdMirror.fields(plan)
        .forEach(
            (field, value) -> {
              String text = has.getOrDefault(field, value);
              if (!text.equals(value)) {
                differences.add(
                    field
                        + " is "
                        + text
                        + ", but the settings make "
                        + (value.isEmpty() ? "none" : value));
              }
            });
    return differences;
  }

  /** The fields that are texts or numbers. */
  private static Map<String, String> read(String json) {
    if (json.length() > LENGTH_MAX) {
      throw new IllegalArgumentException("it is longer than 64 KiB");
    }
    try (JsonParser parser = FACTORY.createParser(json)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new IllegalArgumentException("it is not a JSON object");
      }
      Map<String, String> fields = new LinkedHashMap<>();
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        String name = parser.currentName();
        JsonToken token = parser.nextToken();
        if (token.isScalarValue() && token != JsonToken.VALUE_NULL) {
          fields.put(name, parser.getText());
        }
        parser.skipChildren();
      }
      return fields;
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("it is not valid JSON: " + e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw new UncheckedIOException("a text is always read", e);
    }
  }
}
