package io.tidemark.manifests;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.tidemark.manifests.MarkedScalar.Kind;
import io.tidemark.manifests.MarkedScalar.Quoting;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads JSON into values that know their place, and writes such values as JSON. */
final class MarkedJson {
  private static final String SYNTAX_REMEDY =
      "Correct the JSON; if another program is still writing the file, it is read again by itself.";
  private static final int DEPTH_MAX = 100;
  private static final JsonFactory FACTORY =
      new JsonFactoryBuilder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(DEPTH_MAX)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .build())
          .build();

  private final TextCursor cursor;
  private final int from;
  private final JsonParser parser;

  private MarkedJson(String text, int from, JsonParser parser) {
    this.cursor = new TextCursor(text);
    this.from = from;
    this.parser = parser;
  }

  /** One value that is known to be JSON, such as what this program printed. */
  static MarkedNode parse(String json) {
    try {
      return parse(json, 0, json.length()).get(0).root();
    } catch (MalformedText e) {
      throw new IllegalArgumentException("not JSON: " + e.problem(), e);
    }
  }

  /** The values between two offsets of {@code text}, one behind the other. */
  static List<MarkedDocument> parse(String text, int from, int to) throws MalformedText {
    char[] chars = new char[to - from];
    text.getChars(from, to, chars, 0);
    try (JsonParser parser = FACTORY.createParser(chars)) {
      MarkedJson reader = new MarkedJson(text, from, parser);
      List<MarkedDocument> documents = new ArrayList<>();
      while (parser.nextToken() != null) {
        documents.add(new MarkedDocument(reader.value(), Set.of()));
      }
      return documents;
    } catch (JsonProcessingException e) {
      int at =
          e.getLocation() == null
              ? from
              : from + (int) Math.max(0, e.getLocation().getCharOffset());
      throw new MalformedText(
          Math.min(at, to), "not JSON: " + e.getOriginalMessage(), SYNTAX_REMEDY);
    } catch (IOException e) {
      throw new MalformedText(from, "not JSON: " + e.getMessage(), SYNTAX_REMEDY);
    }
  }

  private MarkedNode value() throws IOException, MalformedText {
    int start = tokenStart();
    JsonToken token = parser.currentToken();
    if (token == JsonToken.START_OBJECT) {
      return mapping(start);
    }
    if (token == JsonToken.START_ARRAY) {
      List<MarkedNode> items = new ArrayList<>();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        items.add(value());
      }
      return new MarkedSequence(start, start, tokenStart() + 1, true, items);
    }
    String text = parser.getText();
    if (token == JsonToken.VALUE_STRING) {
      return new MarkedScalar(start, start, behindToken(), Kind.STRING, Quoting.DOUBLE, text);
    }
    Kind kind = token.isNumeric() ? Kind.NUMBER : token.isBoolean() ? Kind.BOOLEAN : Kind.NULL;
    return new MarkedScalar(start, start, start + text.length(), kind, Quoting.PLAIN, text);
  }

  private MarkedMapping mapping(int start) throws IOException, MalformedText {
    Map<String, MarkedEntry> entries = new LinkedHashMap<>();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      int keyStart = tokenStart();
      String name = parser.currentName();
      int keyEnd = endOfQuoted(keyStart);
      MarkedScalar key =
          new MarkedScalar(keyStart, keyStart, keyEnd, Kind.STRING, Quoting.DOUBLE, name);
      parser.nextToken();
      MarkedNode value = value();
      MarkedEntry entry = new MarkedEntry(key, cursor.colon(keyEnd, value.start()), value);
      if (entries.put(name, entry) != null) {
        throw new MalformedText(
            keyStart, "key " + name + " stands twice", "Remove one of the two.");
      }
    }
    return new MarkedMapping(start, start, tokenStart() + 1, true, entries);
  }

  private int tokenStart() {
    return from + (int) parser.currentTokenLocation().getCharOffset();
  }

  private int behindToken() {
    return from + (int) parser.currentLocation().getCharOffset();
  }

  private int endOfQuoted(int start) {
    String text = cursor.text();
    int i = start + 1;
    while (text.charAt(i) != '"') {
      i += text.charAt(i) == '\\' ? 2 : 1;
    }
    return i + 1;
  }

  /**
   * The value as JSON on one line, aliases written out.
   *
   * @param lengthMax bound in chars; aliases of aliases can name more than memory holds
   */
  static String print(MarkedNode node, int lengthMax) throws MalformedText {
    StringBuilder json = new StringBuilder();
    print(node, json, lengthMax, 0);
    return json.toString();
  }

  private static void print(MarkedNode node, StringBuilder json, int lengthMax, int depth)
      throws MalformedText {
    if (json.length() > lengthMax || depth > DEPTH_MAX) {
      throw new MalformedText(
          Math.max(0, node.start()),
          "too large once aliases are written out",
          "Write the object without aliases of aliases.");
    }
    MarkedNode value = node.resolved();
    if (value instanceof MarkedScalar scalar) {
      json.append(scalar.kind() == Kind.STRING ? quoted(scalar.text()) : scalar.text());
    } else if (value instanceof MarkedSequence sequence) {
      String separator = "";
      json.append('[');
      for (MarkedNode item : sequence.items()) {
        json.append(separator);
        print(item, json, lengthMax, depth + 1);
        separator = ",";
      }
      json.append(']');
    } else {
      String separator = "";
      json.append('{');
      for (MarkedEntry entry : ((MarkedMapping) value).entries()) {
        json.append(separator).append(quoted(entry.name())).append(':');
        print(entry.value(), json, lengthMax, depth + 1);
        separator = ",";
      }
      json.append('}');
    }
  }

  /** A JSON string, which is a double-quoted scalar of YAML too. */
  static String quoted(String text) {
    StringBuilder quoted = new StringBuilder(text.length() + 2).append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> quoted.append("\\\"");
        case '\\' -> quoted.append("\\\\");
        case '\n' -> quoted.append("\\n");
        case '\r' -> quoted.append("\\r");
        case '\t' -> quoted.append("\\t");
        default -> {
          if (c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029 || c == 0xfeff) {
            quoted.append("\\u").append(HexFormat.of().toHexDigits(c));
          } else {
            quoted.append(c);
          }
        }
      }
    }
    return quoted.append('"').toString();
  }
}
