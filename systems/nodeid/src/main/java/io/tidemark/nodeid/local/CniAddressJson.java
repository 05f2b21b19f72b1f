package io.tidemark.nodeid.local;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.ip.InterfaceAddress;
import io.tidemark.ip.IpAddress;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the address of an IP configuration of CNI, such as {@code
 * {"version":"4","address":"10.1.5.7/24"}}. Stateless.
 */
final class CniAddressJson {
  private static final int LENGTH_MAX = 1 << 16;
  private static final JsonFactory FACTORY = new JsonFactory();

  private CniAddressJson() {}

  /**
   * The address.
   *
   * @throws IllegalArgumentException when there is none; the message says why
   */
  static IpAddress read(String data) {
    if (data.length() > LENGTH_MAX) {
      throw new IllegalArgumentException("it is longer than 64 KiB");
    }
    @Nullable String text = field(data);
    if (text == null || text.isEmpty()) {
      throw new IllegalArgumentException("it has no address");
    }
    return InterfaceAddress.parse(text).address().unmapped();
  }

  private static @Nullable String field(String data) {
    try (JsonParser parser = FACTORY.createParser(data)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        throw new IllegalArgumentException("it is not a JSON object");
      }
      @Nullable String address = null;
      while (parser.nextToken() == JsonToken.FIELD_NAME) {
        boolean isAddress = parser.currentName().equals("address");
        if (isAddress && parser.nextToken() != JsonToken.VALUE_STRING) {
          throw new IllegalArgumentException("its address is not a string");
        }
        if (isAddress) {
          address = parser.getText();
        } else {
          parser.nextToken();
          parser.skipChildren();
        }
      }
      if (parser.nextToken() != null) {
        throw new IllegalArgumentException("there is more text after its end");
      }
      return address;
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("it is not valid JSON: " + e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw new UncheckedIOException("a text is always read", e);
    }
  }
}
