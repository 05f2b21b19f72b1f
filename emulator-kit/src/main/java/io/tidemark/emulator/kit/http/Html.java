package io.tidemark.emulator.kit.http;

import java.util.List;

/** Builds a page of HTML; every text goes through here and is escaped. Used by one thread. */
public final class Html {
  private final StringBuilder out = new StringBuilder(1 << 14);

  /** A text that is HTML already and is written as it is; never made from what a client sent. */
  public Html raw(String html) {
    out.append(html);
    return this;
  }

  public Html text(String text) {
    escape(text);
    return this;
  }

  public Html element(String name, String text) {
    return raw("<" + name + ">").text(text).raw("</" + name + ">");
  }

  /** A table's beginning with its heads. */
  public Html table(String caption, List<String> heads) {
    raw("<table>").element("caption", caption).raw("<thead><tr>");
    heads.forEach(head -> element("th", head));
    return raw("</tr></thead><tbody>");
  }

  public Html row(List<String> cells) {
    raw("<tr>");
    cells.forEach(cell -> element("td", cell));
    return raw("</tr>");
  }

  public Html endTable() {
    return raw("</tbody></table>");
  }

  @Override
  public String toString() {
    return out.toString();
  }

  private void escape(String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '<' -> out.append("&lt;");
        case '>' -> out.append("&gt;");
        case '&' -> out.append("&amp;");
        case '"' -> out.append("&quot;");
        case '\'' -> out.append("&#39;");
        default -> out.append(c);
      }
    }
  }
}
