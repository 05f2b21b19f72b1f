package io.tidemark.manifests;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import io.tidemark.manifests.MarkedNode.Child;
import io.tidemark.manifests.MarkedNode.Compound;
import io.tidemark.manifests.MarkedNode.Document;
import io.tidemark.manifests.MarkedNode.Kind;
import io.tidemark.manifests.MarkedNode.Quoting;
import io.tidemark.manifests.MarkedNode.Scalar;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

/** Reads JSON into values that know their place, and writes such values as JSON. */
final class MarkedJson {
  private static final String SYNTAX_REMEDY =
      "Correct the JSON; if another program is still writing the file, it is read again"
          + " automatically.";
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

  private MarkedJson(TextCursor cursor, int from, JsonParser parser) {
    this.cursor = cursor;
    this.from = from;
    this.parser = parser;
  }

  /** One value that is known to be JSON, such as what this program printed. */
  static MarkedNode parse(String json) {
    try {
      return parse(new TextCursor(json), 0, json.length()).get(0).root();
    } catch (TextFault e) {
      throw new IllegalArgumentException("not JSON: " + e.problem(), e);
    }
  }

  /** The values between two offsets of a text, one behind the other. */
  static List<Document> parse(TextCursor cursor, int from, int to) throws TextFault {
    char[] chars = new char[to - from];
    cursor.text().getChars(from, to, chars, 0);
    try (JsonParser parser = FACTORY.createParser(chars)) {
      MarkedJson reader = new MarkedJson(cursor, from, parser);
      List<Document> documents = new ArrayList<>();
      while (parser.nextToken() != null) {
        documents.add(new Document(reader.value(), Set.of()));
      }
      return documents;
    } catch (JsonProcessingException e) {
      int at =
          e.getLocation() == null
              ? from
              : from + (int) Math.max(0, e.getLocation().getCharOffset());
      throw new TextFault(Math.min(at, to), "not JSON: " + e.getOriginalMessage(), SYNTAX_REMEDY);
    } catch (IOException e) {
      throw new TextFault(from, "not JSON: " + e.getMessage(), SYNTAX_REMEDY);
    }
  }

  private MarkedNode value() throws IOException, TextFault {
    int start = tokenStart();
    JsonToken token = parser.currentToken();
    if (token.isStructStart()) {
      return compound(token == JsonToken.START_OBJECT, start);
    }
    String text = parser.getText();
    if (token == JsonToken.VALUE_STRING) {
      int end = from + (int) parser.currentLocation().getCharOffset();
      return new Scalar(start, end, Kind.STRING, Quoting.DOUBLE, text);
    }
    Kind kind = token.isNumeric() ? Kind.NUMBER : token.isBoolean() ? Kind.BOOLEAN : Kind.NULL;
    return new Scalar(start, start + text.length(), kind, Quoting.PLAIN, text);
  }

  private Compound compound(boolean mapping, int start) throws IOException, TextFault {
    List<Child> children = new ArrayList<>();
    Set<String> names = new HashSet<>();
    while (!parser.nextToken().isStructEnd()) {
      if (!mapping) {
        children.add(new Child(null, MarkedNode.NOWHERE, value()));
        continue;
      }
      int keyStart = tokenStart();
      String name = parser.currentName();
      int keyEnd = endOfQuoted(keyStart);
      parser.nextToken();
      MarkedNode value = value();
      if (!names.add(name)) {
        throw new TextFault(keyStart, "key " + name + " stands twice", "Remove one of the two.");
      }
      Scalar key = new Scalar(keyStart, keyEnd, Kind.STRING, Quoting.DOUBLE, name);
      children.add(new Child(key, cursor.colon(keyEnd, value.start()), value));
    }
    return Compound.of(mapping, start, start, tokenStart() + 1, true, children);
  }

  private int tokenStart() {
    return from + (int) parser.currentTokenLocation().getCharOffset();
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
  static String print(MarkedNode node, int lengthMax) throws TextFault {
    StringBuilder json = new StringBuilder();
    print(node, json, lengthMax, 0);
    return json.toString();
  }

  private static void print(MarkedNode node, StringBuilder json, int lengthMax, int depth)
      throws TextFault {
    if (json.length() > lengthMax || depth > DEPTH_MAX) {
      throw new TextFault(
          Math.max(0, node.start()),
          "too large once aliases are written out",
          "Write the object without aliases of aliases.");
    }
    MarkedNode value = node.resolved();
    if (value instanceof Scalar scalar) {
      json.append(scalar.kind() == Kind.STRING ? quoted(scalar.text()) : scalar.text());
      return;
    }
    Compound compound = (Compound) value;
    String separator = "";
    json.append(compound.isMapping() ? '{' : '[');
    for (Child child : compound.children()) {
      json.append(separator);
      if (compound.isMapping()) {
        json.append(quoted(child.name())).append(':');
      }
      print(child.value(), json, lengthMax, depth + 1);
      separator = ",";
    }
    json.append(compound.isMapping() ? '}' : ']');
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
