package io.tidemark.nodeid.claim;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads {@link NodeIdMirror#PLAN} as a person may have changed it. */
final class SubnetPlanJson {
  private static final JsonFactory FACTORY = new JsonFactory();
  private static final int LENGTH_MAX = 1 << 16;

  private SubnetPlanJson() {}

  static Map<String, String> read(String json) {
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
