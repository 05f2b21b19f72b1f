package io.tidemark.manifests;

import java.util.ArrayList;
import java.util.List;

/**
 * Where one document of a file stands. A line that starts with three dashes begins a document
 * wherever it stands, quoted and block scalars included, so that a broken document ends at the next
 * one.
 */
record DocumentRange(int start, int end) {
  static List<DocumentRange> of(TextCursor cursor) {
    String text = cursor.text();
    List<DocumentRange> ranges = new ArrayList<>();
    int start = 0;
    boolean silent = true;
    for (int line = 0; line < text.length(); line = cursor.nextLine(line)) {
      if (isMarker(text, line)) {
        if (!silent) {
          ranges.add(new DocumentRange(start, line));
          start = line;
        }
        silent = false;
      } else {
        silent &= isSilent(text, line, cursor.lineEnd(line));
      }
    }
    ranges.add(new DocumentRange(start, text.length()));
    return ranges;
  }

  private static boolean isMarker(String text, int line) {
    return text.startsWith("---", line)
        && (line + 3 == text.length() || Character.isWhitespace(text.charAt(line + 3)));
  }

  /** A comment, a directive or nothing: what may stand before a document's marker. */
  private static boolean isSilent(String text, int start, int end) {
    String line = text.substring(start, end).strip();
    return line.isEmpty() || line.startsWith("#") || text.startsWith("%", start);
  }
}
