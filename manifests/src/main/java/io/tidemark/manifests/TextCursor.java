package io.tidemark.manifests;

/** Finds the punctuation between values, and the edges of lines. Pure; all offsets are chars. */
record TextCursor(String text) {
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
    boolean found = i < text.length() && text.charAt(i) == ':' && i <= valueStart;
    return found ? i : MarkedNode.NOWHERE;
  }

  /** The comma between two values, or behind the last one; NOWHERE when there is none. */
  int comma(int valueEnd) {
    int i = skipBlank(valueEnd);
    return i < text.length() && text.charAt(i) == ',' ? i : MarkedNode.NOWHERE;
  }

  /** The dash of the item that follows {@code at}. */
  int dash(int at) {
    return skipBlank(at);
  }

  /** Behind {@code &anchor} and {@code !tag}, in any order. */
  int behindProperties(int start) {
    int i = start;
    while (i < text.length() && (text.charAt(i) == '&' || text.charAt(i) == '!')) {
      while (i < text.length() && !isSpace(text.charAt(i)) && !isFlowMark(text.charAt(i))) {
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
    int end = Math.min(markedEnd, text.length());
    boolean keeps = value.isEmpty() || value.endsWith("\n\n") || value.equals("\n");
    end = withoutLineBreak(end, start);
    while (!keeps && lineStart(end) > start && isBlank(lineStart(end), end)) {
      end = withoutLineBreak(lineStart(end), start);
    }
    return end;
  }

  private int withoutLineBreak(int end, int floor) {
    int i = end;
    while (i > floor && (text.charAt(i - 1) == ' ' || text.charAt(i - 1) == '\t')) {
      i--;
    }
    if (i > floor && isBreak(text.charAt(i - 1))) {
      i -= i - 1 > floor && text.charAt(i - 1) == '\n' && text.charAt(i - 2) == '\r' ? 2 : 1;
      return i;
    }
    return end;
  }

  /** First char of the line. */
  int lineStart(int at) {
    int i = at;
    while (i > 0 && !isBreak(text.charAt(i - 1))) {
      i--;
    }
    return i;
  }

  /** Behind the last char of the line, before its line break. */
  int lineEnd(int at) {
    int i = at;
    while (i < text.length() && !isBreak(text.charAt(i))) {
      i++;
    }
    return i;
  }

  /** First char of the next line, or the end of the text. */
  int nextLine(int at) {
    int end = lineEnd(at);
    if (end < text.length() && text.charAt(end) == '\r' && text.startsWith("\r\n", end)) {
      return end + 2;
    }
    return Math.min(end + 1, text.length());
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

  /** Whether a comment stands between two values; no value may stand there. */
  boolean hasComment(int from, int to) {
    return text.substring(from, to).indexOf('#') >= 0;
  }

  /** White space that the line of {@code at} starts with. */
  String indent(int at) {
    int start = lineStart(at);
    int i = start;
    while (i < at && (text.charAt(i) == ' ' || text.charAt(i) == '\t')) {
      i++;
    }
    return text.substring(start, i);
  }

  /** Whether {@code at} is the first char of its line that is not white space. */
  boolean startsLine(int at) {
    return isBlank(lineStart(at), at);
  }

  /** Number of the line, counted from 1. */
  int line(int at) {
    int line = 1;
    for (int i = 0; i < Math.min(at, text.length()); i++) {
      char c = text.charAt(i);
      if (c == '\n' || (c == '\r' && !text.startsWith("\r\n", i))) {
        line++;
      }
    }
    return line;
  }

  static boolean isBreak(char c) {
    return c == '\n' || c == '\r';
  }

  private static boolean isSpace(char c) {
    return c == ' ' || c == '\t' || isBreak(c);
  }

  private static boolean isFlowMark(char c) {
    return c == ',' || c == ']' || c == '}' || c == '{' || c == '[';
  }
}
