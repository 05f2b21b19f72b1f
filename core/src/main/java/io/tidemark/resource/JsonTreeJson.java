package io.tidemark.resource;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonStreamContext;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads document trees from JSON text; {@link TreePrinter} prints them. */
final class JsonTreeJson {
  /** Deepest nesting of objects and arrays that is read. */
  static final int DEPTH_MAX = 100;

  // Names are mostly addresses, which a table of symbols would only churn through.
  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .streamReadConstraints(StreamReadConstraints.builder().maxNestingDepth(DEPTH_MAX).build())
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

  /** A parser of a text, for who reads a value as one of a stream. */
  static JsonParser parser(String text) throws IOException {
    return FACTORY.createParser(text);
  }

  /** Reads exactly one value. A key named twice is reported; its first value stays. */
  static JsonValue read(String text, Problems problems) throws SyntaxException {
    try (JsonParser parser = parser(text)) {
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

  /** Reads the value at the parser's current token, or at its next one; ends on its last token. */
  static JsonValue read(JsonParser parser, Problems problems) throws IOException {
    if (parser.currentToken() == null && parser.nextToken() == null) {
      return JsonNull.NULL;
    }
    return new TreeReader(parser, problems).value();
  }

  private static final class TreeReader {
    private static final int SHARED_LENGTH_MAX = 64;
    private static final int SHARED = 1024;

    /**
     * Texts and keys that were read lately, by hash: names of fields, zones and subnets repeat from
     * object to object, ids of interfaces in one. All threads write them without order, which is
     * right for immutable values: at worst an equal text is kept twice.
     */
    private static final @Nullable JsonText[] TEXTS = new @Nullable JsonText[SHARED];

    private static final @Nullable String[] KEYS = new @Nullable String[SHARED];

    private final JsonParser parser;
    private final Problems problems;
    private final @Nullable JsonStreamContext outside;

    TreeReader(JsonParser parser, Problems problems) {
      this.parser = parser;
      this.problems = problems;
      JsonStreamContext context = parser.getParsingContext();
      this.outside = parser.currentToken().isStructStart() ? context.getParent() : context;
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
      JsonText seen = TEXTS[slot];
      if (seen != null && matches(seen.text(), chars, from, length)) {
        return seen;
      }
      JsonText text = new JsonText(new String(chars, from, length));
      TEXTS[slot] = text;
      return text;
    }

    private static String shared(String key) {
      if (key.length() > SHARED_LENGTH_MAX) {
        return key;
      }
      int slot = slot(key.hashCode());
      String seen = KEYS[slot];
      if (key.equals(seen)) {
        return seen;
      }
      KEYS[slot] = key;
      return key;
    }

    private JsonPath pathOf(String key) {
      JsonPath path = JsonPath.ROOT;
      List<JsonStreamContext> contexts = new ArrayList<>();
      for (var at = parser.getParsingContext().getParent();
          at != null && at != outside;
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
}
