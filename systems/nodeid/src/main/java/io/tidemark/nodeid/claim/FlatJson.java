package io.tidemark.nodeid.claim;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads texts and numbers of one JSON object that others have written. */
public final class FlatJson {
  private static final JsonFactory FACTORY = new JsonFactory();
  private static final int LENGTH_MAX = 1 << 16;

  private FlatJson() {}

  /**
   * The texts, numbers and flags of an object, as text by their names.
   *
   * @throws IllegalArgumentException when it is no JSON object; the message says why
   */
  public static Map<String, String> read(String json) {
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
      if (parser.nextToken() != null) {
        throw new IllegalArgumentException("there is more text after its end");
      }
      return fields;
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("it is not valid JSON: " + e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw new UncheckedIOException("a text is always read", e);
    }
  }
}
