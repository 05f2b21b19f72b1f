package io.tidemark.emulator.ec2.protocol;

import java.util.List;

/**
 * Writes results and errors as XML documents of the EC2 query protocol. Pure; usable from any
 * thread.
 */
public final class Xml {
  /** The API version that the emulator speaks; also the last part of the name space. */
  public static final String VERSION = "2016-11-15";

  static final String HEAD = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";

  private Xml() {}

  /** The document {@code <ActionResponse>} with the request id and the members of the result. */
  public static String answer(String action, String requestId, Answer answer) {
    StringBuilder out = new StringBuilder(1024).append(HEAD);
    out.append('<').append(action).append("Response xmlns=\"http://ec2.amazonaws.com/doc/");
    out.append(VERSION).append("/\">");
    element("requestId", requestId, out);
    members(answer, out);
    return out.append("</").append(action).append("Response>").toString();
  }

  /** The document of a refusal. */
  public static String error(String requestId, Ec2Error error) {
    StringBuilder out = new StringBuilder(256).append(HEAD).append("<Response><Errors><Error>");
    element("Code", error.code(), out);
    element("Message", error.message(), out);
    out.append("</Error></Errors>");
    element("RequestID", requestId, out);
    return out.append("</Response>").toString();
  }

  static void members(Answer answer, StringBuilder out) {
    answer.members().forEach((name, value) -> value(name, value, out));
  }

  private static void value(String name, Object value, StringBuilder out) {
    if (value instanceof String text) {
      element(name, text, out);
      return;
    }
    out.append('<').append(name).append('>');
    if (value instanceof Answer nested) {
      members(nested, out);
    } else if (value instanceof List<?> items) {
      items.forEach(item -> value("item", item, out));
    }
    out.append("</").append(name).append('>');
  }

  static void element(String name, String text, StringBuilder out) {
    out.append('<').append(name).append('>');
    escape(text, out);
    out.append("</").append(name).append('>');
  }

  /** Characters that XML 1.0 cannot carry at all become a question mark. */
  private static void escape(String text, StringBuilder out) {
    int plain = 0;
    while (plain < text.length() && isPlain(text.charAt(plain))) {
      plain++;
    }
    out.append(text, 0, plain);
    for (int i = plain; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '&' -> out.append("&amp;");
        case '"' -> out.append("&quot;");
        case '\r' -> out.append("&#13;");
        default -> out.append(isXml(text, i) ? c : '?');
      }
    }
  }

  /** Nearly every character of nearly every text. */
  private static boolean isPlain(char c) {
    return c >= ' ' && c < 0x7f && c != '<' && c != '>' && c != '&' && c != '"';
  }

  private static boolean isXml(String text, int i) {
    char c = text.charAt(i);
    if (Character.isHighSurrogate(c)) {
      return i + 1 < text.length() && Character.isLowSurrogate(text.charAt(i + 1));
    }
    if (Character.isLowSurrogate(c)) {
      return i > 0 && Character.isHighSurrogate(text.charAt(i - 1));
    }
    return c >= ' ' ? c < 0xfffe : c == '\n' || c == '\t';
  }
}
