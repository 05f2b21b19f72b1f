package io.tidemark.datastore.checkpoint;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.tidemark.datastore.checkpoint.UnreadableCheckpoint.Kind;
import io.tidemark.ip.IpAddress;
import io.tidemark.ip.IpFamily;
import java.io.IOException;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the values of a document: names of members without regard to case, null as the empty value.
 * At each call the parser stands on the first token of a value, and afterwards on its last one.
 */
final class LenientJson {
  private final JsonParser json;

  interface Member {
    /** Whether the name is known, and then its value was read. */
    boolean read(String lowerCaseName) throws IOException, UnreadableCheckpoint;
  }

  interface Item<T> {
    T read() throws IOException, UnreadableCheckpoint;
  }

  LenientJson(JsonParser json) {
    this.json = json;
  }

  /** Whether there is a value at all; the parser then stands on its first token. */
  boolean start() throws IOException {
    return json.nextToken() != null;
  }

  JsonLocation location() {
    return json.currentTokenLocation();
  }

  /** Hands over each member; returns those that are not known, as text. */
  String members(Member member) throws IOException, UnreadableCheckpoint {
    if (json.currentToken() == JsonToken.VALUE_NULL) {
      return "";
    }
    if (json.currentToken() != JsonToken.START_OBJECT) {
      throw refused("expected an object, found " + found());
    }
    StringWriter unknown = new StringWriter();
    try (JsonGenerator copy = CheckpointJson.FACTORY.createGenerator(unknown)) {
      copy.writeStartObject();
      while (json.nextToken() != JsonToken.END_OBJECT) {
        String name = json.currentName();
        json.nextToken();
        if (!member.read(name.toLowerCase(Locale.ROOT))) {
          copy.writeFieldName(name);
          copy.copyCurrentStructureExact(json);
        }
      }
      copy.writeEndObject();
    }
    return unknown.toString().substring(1, unknown.getBuffer().length() - 1);
  }

  /** Each item of a list; null is the empty one. */
  <T> List<T> list(Item<T> item) throws IOException, UnreadableCheckpoint {
    List<T> all = new ArrayList<>();
    if (json.currentToken() == JsonToken.VALUE_NULL) {
      return all;
    }
    if (json.currentToken() != JsonToken.START_ARRAY) {
      throw refused("expected a list, found " + found());
    }
    while (json.nextToken() != JsonToken.END_ARRAY) {
      all.add(item.read());
    }
    return all;
  }

  String text() throws IOException, UnreadableCheckpoint {
    return switch (json.currentToken()) {
      case VALUE_NULL -> "";
      case VALUE_STRING -> json.getText();
      default -> throw refused("expected a text, found " + found());
    };
  }

  long number() throws IOException, UnreadableCheckpoint {
    return switch (json.currentToken()) {
      case VALUE_NULL -> 0;
      case VALUE_NUMBER_INT -> json.getLongValue();
      default -> throw refused("expected a whole number, found " + found());
    };
  }

  int count() throws IOException, UnreadableCheckpoint {
    long number = number();
    if (number < 0 || number > Integer.MAX_VALUE) {
      throw refused(number + " is not a count");
    }
    return (int) number;
  }

  /**
   * An address; empty for the empty text.
   *
   * @param family null for either one
   */
  Optional<IpAddress> address(@Nullable IpFamily family) throws IOException, UnreadableCheckpoint {
    String text = text();
    if (text.isEmpty()) {
      return Optional.empty();
    }
    Optional<IpAddress> address =
        IpAddress.tryParse(text).filter(each -> family == null || each.family() == family);
    if (address.isEmpty()) {
      throw refused("'" + text + "' is not an " + (family == null ? "" : family + " ") + "address");
    }
    return address;
  }

  /** Where the value at which the parser stands begins, in bytes. */
  int offset() {
    return (int) location().getByteOffset();
  }

  private String found() throws IOException {
    return json.currentToken() == JsonToken.FIELD_NAME ? "a name" : json.getText();
  }

  UnreadableCheckpoint refused(String why) {
    return corrupt(location(), why);
  }

  static UnreadableCheckpoint corrupt(@Nullable JsonLocation at, String why) {
    return at == null
        ? new UnreadableCheckpoint(Kind.CORRUPT, why)
        : new UnreadableCheckpoint(
            Kind.CORRUPT, "line " + at.getLineNr() + ", column " + at.getColumnNr(), why);
  }
}
