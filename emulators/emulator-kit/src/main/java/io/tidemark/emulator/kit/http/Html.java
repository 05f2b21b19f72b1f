package io.tidemark.emulator.kit.http;

import java.util.List;

/** Builds a page of HTML; every text goes through here and is escaped. Used by one thread. */
public final class Html {
  private static final String STYLE =
      ":root{color-scheme:light dark;--line:#d0d4da;--head:#f1f3f6;--soft:#5a6472}"
          + "@media(prefers-color-scheme:dark){:root{--line:#3a414b;--head:#22272e;--soft:#9aa4b2}}"
          + "body{font:15px/1.45 system-ui,sans-serif;margin:2rem auto;max-width:76rem;"
          + "padding:0 1rem}table{border-collapse:collapse;width:100%;margin:1rem 0 2rem}"
          + "caption{text-align:left;font-weight:600;padding:.3rem 0}"
          + "th,td{border:1px solid var(--line);padding:.25rem .5rem;text-align:left;"
          + "vertical-align:top;overflow-wrap:anywhere}th{background:var(--head)}"
          + "p{color:var(--soft)}meter{width:6rem}code{font-size:.95em}";

  private final StringBuilder out = new StringBuilder(1 << 14);

  private Html() {}

  /** The beginning of a page with this title and heading. */
  public static Html page(String title) {
    return new Html()
        .raw("<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\">")
        .raw("<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">")
        .element("title", title)
        .element("style", STYLE)
        .raw("</head><body>")
        .element("h1", title);
  }

  /** The whole page. */
  public String endPage() {
    return raw("</body></html>").toString();
  }

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
