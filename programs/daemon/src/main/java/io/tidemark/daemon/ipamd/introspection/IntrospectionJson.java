package io.tidemark.daemon.ipamd.introspection;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;

/** Writes a document into a text; the small ones are here. */
final class IntrospectionJson {
  private static final JsonFactory FACTORY = new JsonFactory();

  private IntrospectionJson() {}

  /** The members of an object. */
  interface Members {
    void write(JsonGenerator json) throws IOException;
  }

  /** An object with these members. */
  static String object(Members members) {
    StringWriter out = new StringWriter();
    try (JsonGenerator json = FACTORY.createGenerator(out)) {
      json.writeStartObject();
      members.write(json);
      json.writeEndObject();
    } catch (IOException e) {
      throw new UncheckedIOException("texts and numbers can be written to memory", e);
    }
    return out.toString();
  }

  /** The paths that the AWS VPC CNI lists under this name. */
  static String commands(String... paths) {
    return object(
        json -> {
          json.writeArrayFieldStart("AvailableCommands");
          for (String path : paths) {
            json.writeString(path);
          }
          json.writeEndArray();
        });
  }

  /** Values are flags, numbers, texts and lists of texts. */
  static String settings(Map<String, Object> settings) {
    return object(
        json -> {
          for (Map.Entry<String, Object> each : settings.entrySet()) {
            json.writeFieldName(each.getKey());
            value(json, each.getValue());
          }
        });
  }

  private static void value(JsonGenerator json, Object value) throws IOException {
    if (value instanceof List<?> items) {
      json.writeStartArray();
      for (Object item : items) {
        json.writeString(item.toString());
      }
      json.writeEndArray();
    } else {
      json.writeObject(value);
    }
  }
}
