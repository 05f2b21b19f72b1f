package io.tidemark.manifests;

import java.util.List;

/** Puts whole lines into a block and takes them out. */
record LineEdits(TextCursor cursor, String lineBreak, TextEdits edits) {
  /** New lines in front of the line of {@code at}. */
  void before(int at, List<String> lines, String indent) {
    for (String line : lines) {
      edits.insert(cursor.lineStart(at), indent + line + lineBreak);
    }
  }

  /** New lines behind the line of {@code at}. */
  void behind(int at, List<String> lines, String indent) {
    for (String line : lines) {
      edits.insert(cursor.lineEnd(at), lineBreak + indent + line);
    }
  }

  /** Removes whole lines; at the end of a text without final line break, the break before them. */
  void remove(int start, int end) {
    int from = cursor.lineStart(start);
    if (cursor.lineEnd(end) < cursor.text().length()) {
      edits.delete(from, cursor.nextLine(end));
      return;
    }
    int previous = from;
    while (previous > 0 && TextCursor.isBreak(cursor.text().charAt(previous - 1))) {
      boolean pair = cursor.text().startsWith("\r\n", Math.max(0, previous - 2));
      previous -= pair ? 2 : 1;
      if (!cursor.isBlank(cursor.lineStart(previous), previous)) {
        break;
      }
    }
    edits.delete(previous, cursor.lineEnd(end));
  }
}
