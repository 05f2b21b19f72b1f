package io.tidemark.manifests;

import java.util.Arrays;

/** Finds the punctuation between values, and the edges of lines. All offsets are chars. */
final class TextCursor {
  private final String text;

  /** First chars of the lines. */
  private final int[] lines;

  TextCursor(String text) {
    this.text = text;
    int[] starts = new int[16];
    int count = 1;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\n' || (c == '\r' && !text.startsWith("\n", i + 1))) {
        if (count == starts.length) {
          starts = Arrays.copyOf(starts, 2 * count);
        }
        starts[count++] = i + 1;
      }
    }
    this.lines = Arrays.copyOf(starts, count);
  }

  String text() {
    return text;
  }

  /** Number of the line, counted from 1. */
  int line(int at) {
    int found = Arrays.binarySearch(lines, at);
    return found >= 0 ? found + 1 : -found - 1;
  }

  /** First char of the line. */
  int lineStart(int at) {
    return lines[line(at) - 1];
  }

  /** Behind the last char of the line, before its line break. */
  int lineEnd(int at) {
    int end = nextLine(at);
    while (end > at && isBreak(text.charAt(end - 1))) {
      end--;
    }
    return end;
  }

  /** First char of the next line, or the end of the text. */
  int nextLine(int at) {
    int line = line(at);
    return line < lines.length ? lines[line] : text.length();
  }

  /** End of the line before that of {@code at}; 0 when there is none. */
  int lineEndBefore(int at) {
    int line = line(at);
    return line == 1 ? 0 : lineEnd(lines[line - 2]);
  }

  /** What ends the first line. */
  String lineBreak() {
    if (lines.length == 1) {
      return "\n";
    }
    return text.startsWith("\r\n", lines[1] - 2) ? "\r\n" : text.substring(lines[1] - 1, lines[1]);
  }

  /** White space that the line of {@code at} starts with. */
  String indent(int at) {
    int start = lineStart(at);
    int i = start;
    while (i < at && isBlank(i, i + 1)) {
      i++;
    }
    return text.substring(start, i);
  }

  /** Whether {@code at} is the first char of its line that is not white space. */
  boolean startsLine(int at) {
    return isBlank(lineStart(at), at);
  }

  /** Chars between the start of its line and {@code at}. */
  int column(int at) {
    return at - lineStart(at);
  }

  /** First char at or behind {@code at} that is neither white space nor in a comment. */
  int skipBlank(int at) {
    int i = at;
    while (i < text.length()) {
      char c = text.charAt(i);
      if (c == '#' && (i == 0 || isSpace(text.charAt(i - 1)))) {
        i = lineEnd(i);
      } else if (isSpace(c)) {
        i++;
      } else {
        return i;
      }
    }
    return i;
  }

  /** The colon behind a key; {@link MarkedNode#NOWHERE} when the key stands alone. */
  int colon(int keyEnd, int valueStart) {
    int i = skipBlank(keyEnd);
    return text.startsWith(":", i) && i <= valueStart ? i : MarkedNode.NOWHERE;
  }

  /** The comma between two values, or behind the last one; NOWHERE when there is none. */
  int comma(int valueEnd) {
    int i = skipBlank(valueEnd);
    return text.startsWith(",", i) ? i : MarkedNode.NOWHERE;
  }

  /** Behind {@code &anchor} and {@code !tag}, in any order. */
  int behindProperties(int start) {
    int i = start;
    while (i < text.length() && (text.charAt(i) == '&' || text.charAt(i) == '!')) {
      while (i < text.length() && !isSpace(text.charAt(i)) && ",]}{[".indexOf(text.charAt(i)) < 0) {
        i++;
      }
      i = skipBlank(i);
    }
    return i;
  }

  /**
   * Behind the last char of a block scalar; its final line break is outside, and so are blank lines
   * that are not part of the value.
   */
  int endOfBlockScalar(int start, int markedEnd, String value) {
    boolean keeps = value.isEmpty() || value.endsWith("\n\n") || value.equals("\n");
    int end = withoutLineBreak(Math.min(markedEnd, text.length()), start);
    while (!keeps && lineStart(end) > start && isBlank(lineStart(end), end)) {
      end = withoutLineBreak(lineStart(end), start);
    }
    return end;
  }

  private int withoutLineBreak(int end, int floor) {
    int i = end;
    while (i > floor && isBlank(i - 1, i)) {
      i--;
    }
    if (i <= floor || !isBreak(text.charAt(i - 1))) {
      return end;
    }
    return i - (i - 1 > floor && text.startsWith("\r\n", i - 2) ? 2 : 1);
  }

  /** Whether only spaces and tabs stand between. */
  boolean isBlank(int from, int to) {
    for (int i = from; i < to; i++) {
      if (text.charAt(i) != ' ' && text.charAt(i) != '\t') {
        return false;
      }
    }
    return true;
  }

  /** Whether only white space, line breaks included, stands between. */
  boolean isWhite(int from, int to) {
    for (int i = from; i < to; i++) {
      if (!isSpace(text.charAt(i))) {
        return false;
      }
    }
    return true;
  }

  static boolean isBreak(char c) {
    return c == '\n' || c == '\r';
  }

  private static boolean isSpace(char c) {
    return c == ' ' || c == '\t' || isBreak(c);
  }
}
