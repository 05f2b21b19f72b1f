package io.tidemark.manifests;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code status.addresses} of a Kubernetes Node that is known to be JSON; an entry of another
 * shape is passed over. Stateless.
 */
final class NodeAddressesJson {
  private static final JsonFactory FACTORY = new JsonFactory();

  private NodeAddressesJson() {}

  /** The addresses of type {@code InternalIP}, in their order. */
  static List<String> internalIps(String json) {
    List<String> addresses = new ArrayList<>();
    try (JsonParser parser = FACTORY.createParser(json)) {
      parser.nextToken();
      if (enter(parser, "status", JsonToken.START_OBJECT)
          && enter(parser, "addresses", JsonToken.START_ARRAY)) {
        while (parser.nextToken() != JsonToken.END_ARRAY) {
          if (parser.currentToken() == JsonToken.START_OBJECT) {
            internalIp(parser, addresses);
          } else {
            parser.skipChildren();
          }
        }
      }
      return addresses;
    } catch (IOException e) {
      throw new UncheckedIOException("JSON that was read once is read again", e);
    }
  }

  /** Goes from an object to the value of one of its fields; false when there is no such value. */
  private static boolean enter(JsonParser parser, String field, JsonToken start)
      throws IOException {
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      boolean found = parser.currentName().equals(field);
      JsonToken token = parser.nextToken();
      if (found) {
        return token == start;
      }
      parser.skipChildren();
    }
    return false;
  }

  private static void internalIp(JsonParser parser, List<String> addresses) throws IOException {
    @Nullable String address = null;
    boolean internal = false;
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      parser.nextToken();
      if (name.equals("address") && parser.currentToken() == JsonToken.VALUE_STRING) {
        address = parser.getText();
      } else if (name.equals("type") && parser.currentToken() == JsonToken.VALUE_STRING) {
        internal = parser.getText().equals("InternalIP");
      }
      parser.skipChildren();
    }
    if (internal && address != null) {
      addresses.add(address);
    }
  }
}
