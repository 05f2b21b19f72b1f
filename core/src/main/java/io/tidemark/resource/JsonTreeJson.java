package io.tidemark.resource;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.PrettyPrinter;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamWriteConstraints;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.core.util.Separators;
import io.tidemark.ip.Ipv4Address;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads and prints document trees as JSON text. */
final class JsonTreeJson {
  /** Deepest nesting of objects and arrays that is read. */
  static final int DEPTH_MAX = 100;

  // Names are mostly addresses, which a table of symbols would only churn through.
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(DEPTH_MAX).build())
          .streamWriteConstraints(
              StreamWriteConstraints.builder().maxNestingDepth(2 * DEPTH_MAX).build())
          .build();

  private JsonTreeJson() {}

  /** The text is no JSON; the message says why, without a position. */
  static final class SyntaxException extends Exception {
    private static final long serialVersionUID = 1L;

    private final int line;

    SyntaxException(String message, int line) {
      super(message);
      this.line = line;
    }

    /** Counted from 1; 0 when not known. */
    int line() {
      return line;
    }
  }

  /** Reads exactly one value. A key named twice is reported; its first value stays. */
  static JsonValue read(String text, Problems problems) throws SyntaxException {
    try (JsonParser parser = FACTORY.createParser(text)) {
      if (parser.nextToken() == null) {
        throw new SyntaxException("the text is empty", 0);
      }
      JsonValue value = new TreeReader(parser, problems).value();
      if (parser.nextToken() != null) {
        throw new SyntaxException(
            "there is more text after the end of the object",
            parser.currentTokenLocation().getLineNr());
      }
      return value;
    } catch (JsonProcessingException e) {
      int line = e.getLocation() == null ? 0 : Math.max(0, e.getLocation().getLineNr());
      throw new SyntaxException(e.getOriginalMessage(), line);
    } catch (IOException e) {
      throw new UncheckedIOException("a string cannot fail to be read", e);
    }
  }

  static String print(JsonValue value, boolean pretty) {
    StringWriter out = new StringWriter();
    try (JsonGenerator generator = FACTORY.createGenerator(out)) {
      if (pretty) {
        generator.setPrettyPrinter(prettyPrinter());
      }
      new TreePrinter(generator).print(value);
    } catch (IOException e) {
      throw new UncheckedIOException("a string cannot fail to be written", e);
    }
    return out.toString();
  }

  /** Two spaces per level, one element per line, {@code {}} and {@code []} closed up. */
  private static PrettyPrinter prettyPrinter() {
    Separators separators =
        Separators.createDefaultInstance()
            .withObjectFieldValueSpacing(Separators.Spacing.AFTER)
            .withObjectEmptySeparator("")
            .withArrayEmptySeparator("");
    DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
    return new DefaultPrettyPrinter(separators)
        .withObjectIndenter(indenter)
        .withArrayIndenter(indenter);
  }

  private static final class TreeReader {
    private static final int SHARED_LENGTH_MAX = 64;
    private static final int SHARED = 256;

    private final JsonParser parser;
    private final Problems problems;

    /** Texts and keys read lately, by hash: interface ids and field names repeat a lot. */
    private final @Nullable JsonText[] texts = new @Nullable JsonText[SHARED];

    private final @Nullable String[] keys = new @Nullable String[SHARED];

    TreeReader(JsonParser parser, Problems problems) {
      this.parser = parser;
      this.problems = problems;
    }

    /** The value that starts at the current token; ends on its last token. */
    JsonValue value() throws IOException {
      return switch (parser.currentToken()) {
        case START_OBJECT -> object();
        case START_ARRAY -> array();
        case VALUE_STRING -> text();
        case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new JsonNumber(parser.getText());
        case VALUE_TRUE -> JsonBoolean.TRUE;
        case VALUE_FALSE -> JsonBoolean.FALSE;
        case VALUE_NULL -> JsonNull.NULL;
        default -> throw new IllegalStateException("no value starts at " + parser.currentToken());
      };
    }

    private JsonObject object() throws IOException {
      JsonObject.Builder object = JsonObject.builder();
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        String key = shared(parser.currentName());
        parser.nextToken();
        if (!object.add(key, value())) {
          problems.add(
              pathOf(key), "the key is there twice in one object", "Leave one of the two.");
        }
      }
      return object.build();
    }

    private JsonArray array() throws IOException {
      List<JsonValue> elements = new ArrayList<>();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        elements.add(value());
      }
      return new JsonArray(elements);
    }

    private JsonText text() throws IOException {
      int length = parser.getTextLength();
      if (length > SHARED_LENGTH_MAX) {
        return new JsonText(parser.getText());
      }
      char[] chars = parser.getTextCharacters();
      int from = parser.getTextOffset();
      int hash = 0;
      for (int i = from; i < from + length; i++) {
        hash = 31 * hash + chars[i];
      }
      int slot = slot(hash);
      JsonText seen = texts[slot];
      if (seen != null && matches(seen.text(), chars, from, length)) {
        return seen;
      }
      JsonText text = new JsonText(new String(chars, from, length));
      texts[slot] = text;
      return text;
    }

    private String shared(String key) {
      int slot = slot(key.hashCode());
      String seen = keys[slot];
      if (key.equals(seen)) {
        return seen;
      }
      keys[slot] = key;
      return key;
    }

    private JsonPath pathOf(String key) {
      JsonPath path = JsonPath.ROOT;
      List<JsonStreamContext> contexts = new ArrayList<>();
      for (var at = parser.getParsingContext().getParent();
          at != null && !at.inRoot();
          at = at.getParent()) {
        contexts.add(0, at);
      }
      for (var at : contexts) {
        path = at.inArray() ? path.element(at.getCurrentIndex()) : path.member(at.getCurrentName());
      }
      return path.member(key);
    }

    private static int slot(int hash) {
      return (hash ^ hash >>> 8 ^ hash >>> 16) & (SHARED - 1);
    }

    private static boolean matches(String text, char[] chars, int from, int length) {
      if (text.length() != length) {
        return false;
      }
      for (int i = 0; i < length; i++) {
        if (text.charAt(i) != chars[from + i]) {
          return false;
        }
      }
      return true;
    }
  }

  private static final class TreePrinter {
    private final JsonGenerator out;
    private final StringBuilder address = new StringBuilder(15);

    TreePrinter(JsonGenerator out) {
      this.out = out;
    }

    void print(JsonValue value) throws IOException {
      if (value instanceof JsonObject object) {
        out.writeStartObject();
        for (int i = 0; i < object.size(); i++) {
          out.writeFieldName(object.key(i));
          print(object.value(i));
        }
        out.writeEndObject();
      } else if (value instanceof JsonText text) {
        out.writeString(text.text());
      } else if (value instanceof AddressTable table) {
        print(table);
      } else if (value instanceof AddressList list) {
        out.writeStartArray();
        for (int i = 0; i < list.size(); i++) {
          out.writeString(address(list.bits(i)));
        }
        out.writeEndArray();
      } else if (value instanceof JsonArray array) {
        out.writeStartArray();
        for (JsonValue element : array.elements()) {
          print(element);
        }
        out.writeEndArray();
      } else if (value instanceof JsonNumber number) {
        out.writeNumber(number.literal());
      } else if (value instanceof JsonBoolean flag) {
        out.writeBoolean(flag == JsonBoolean.TRUE);
      } else {
        out.writeNull();
      }
    }

    private void print(AddressTable table) throws IOException {
      out.writeStartObject();
      for (int i = 0; i < table.size(); i++) {
        out.writeFieldName(address(table.bits(i)));
        out.writeStartObject();
        member(AddressTable.OWNER, table.owner(i));
        member(AddressTable.RESOURCE, table.resource(i));
        out.writeEndObject();
      }
      out.writeEndObject();
    }

    private void member(String key, @Nullable JsonText text) throws IOException {
      if (text != null) {
        out.writeFieldName(key);
        out.writeString(text.text());
      }
    }

    private String address(int bits) {
      address.setLength(0);
      return Ipv4Address.appendTo(bits, address).toString();
    }
  }
}
