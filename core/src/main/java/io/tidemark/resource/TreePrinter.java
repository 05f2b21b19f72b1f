package io.tidemark.resource;

import io.tidemark.ip.Ipv4Address;

/**
 * Prints document trees as JSON. Written by hand because an address map of thousands of entries is
 * printed straight from its bits, in half the time that a general generator needs.
 */
final class TreePrinter {
  private static final int ENTRY_LENGTH = 72;

  private final StringBuilder out;
  private final boolean pretty;
  private int level;

  private TreePrinter(StringBuilder out, boolean pretty) {
    this.out = out;
    this.pretty = pretty;
  }

  /** The value on one line. */
  static String compact(JsonValue value) {
    StringBuilder out = new StringBuilder(1024);
    new TreePrinter(out, false).print(value);
    return out.toString();
  }

  /** The value with one member or element per line, two spaces per level. */
  static String pretty(JsonValue value) {
    StringBuilder out = new StringBuilder(1024);
    new TreePrinter(out, true).print(value);
    return out.toString();
  }

  private void print(JsonValue value) {
    if (value instanceof JsonObject object) {
      print(object);
    } else if (value instanceof JsonText text) {
      print(text.text());
    } else if (value instanceof AddressTable table) {
      print(table);
    } else if (value instanceof AddressList list) {
      print(list);
    } else if (value instanceof AddressRecords records) {
      print(records);
    } else if (value instanceof JsonArray array) {
      print(array);
    } else if (value instanceof JsonNumber number) {
      out.append(number.literal());
    } else if (value instanceof JsonBoolean flag) {
      out.append(flag == JsonBoolean.TRUE);
    } else {
      out.append("null");
    }
  }

  private void print(JsonObject object) {
    open('{');
    for (int i = 0; i < object.size(); i++) {
      next(i);
      print(object.key(i));
      colon();
      print(object.value(i));
    }
    close('}', object.isEmpty());
  }

  private void print(JsonArray array) {
    open('[');
    for (int i = 0; i < array.elements().size(); i++) {
      next(i);
      print(array.elements().get(i));
    }
    close(']', array.elements().isEmpty());
  }

  private void print(AddressTable table) {
    out.ensureCapacity(out.length() + table.size() * ENTRY_LENGTH);
    open('{');
    for (int i = 0; i < table.size(); i++) {
      next(i);
      address(table.bits(i));
      colon();
      JsonText owner = table.owner(i);
      JsonText resource = table.resource(i);
      open('{');
      if (owner != null) {
        member(0, "\"owner\"", owner);
      }
      if (resource != null) {
        member(owner == null ? 0 : 1, "\"resource\"", resource);
      }
      close('}', owner == null && resource == null);
    }
    close('}', false);
  }

  private void print(AddressList list) {
    open('[');
    for (int i = 0; i < list.size(); i++) {
      next(i);
      address(list.bits(i));
    }
    close(']', false);
  }

  private void print(AddressRecords records) {
    open('[');
    for (int i = 0; i < records.size(); i++) {
      next(i);
      open('{');
      JsonObject object = records.first();
      for (int j = 0; j < object.size(); j++) {
        next(j);
        print(object.key(j));
        colon();
        if (records.isAddress(j)) {
          address(records.bits(i));
        } else {
          print(object.value(j));
        }
      }
      close('}', false);
    }
    close(']', false);
  }

  private void member(int index, String quotedKey, JsonText text) {
    next(index);
    out.append(quotedKey);
    colon();
    print(text.text());
  }

  private void address(int bits) {
    Ipv4Address.appendTo(bits, out.append('"')).append('"');
  }

  private void open(char bracket) {
    out.append(bracket);
    level++;
  }

  private void next(int index) {
    if (index > 0) {
      out.append(',');
    }
    if (pretty) {
      newLine();
    }
  }

  private void colon() {
    out.append(pretty ? ": " : ":");
  }

  private void close(char bracket, boolean empty) {
    level--;
    if (pretty && !empty) {
      newLine();
    }
    out.append(bracket);
  }

  private void newLine() {
    out.append('\n');
    for (int i = 0; i < level; i++) {
      out.append("  ");
    }
  }

  private void print(String text) {
    out.append('"');
    int plain = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c == '"' || c == '\\') {
        out.append(text, plain, i);
        escape(c);
        plain = i + 1;
      }
    }
    if (plain == 0) {
      out.append(text);
    } else {
      out.append(text, plain, text.length());
    }
    out.append('"');
  }

  private void escape(char c) {
    switch (c) {
      case '"' -> out.append("\\\"");
      case '\\' -> out.append("\\\\");
      case '\n' -> out.append("\\n");
      case '\r' -> out.append("\\r");
      case '\t' -> out.append("\\t");
      default ->
          out.append("\\u00")
              .append(Character.forDigit(c >> 4, 16))
              .append(Character.forDigit(c & 0xf, 16));
    }
  }
}
