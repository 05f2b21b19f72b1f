package io.tidemark.manifests;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Replacements in one text, collected first and made together, so that offsets stay those of the
 * text that was read. Deletions may overlap; insertions at one place keep the order of their call.
 */
final class TextEdits {
  private record Edit(int start, int end, String text) {}

  private final List<Edit> edits = new ArrayList<>();

  void insert(int at, String text) {
    edits.add(new Edit(at, at, text));
  }

  void delete(int start, int end) {
    edits.add(new Edit(start, end, ""));
  }

  void replace(int start, int end, String text) {
    edits.add(new Edit(start, end, text));
  }

  void addAll(TextEdits other) {
    edits.addAll(other.edits);
  }

  boolean isEmpty() {
    return edits.isEmpty();
  }

  /** The text with every replacement made. */
  String applyTo(String text) {
    List<Edit> ordered = new ArrayList<>(edits);
    ordered.sort(Comparator.comparingInt(Edit::start));
    StringBuilder changed = new StringBuilder(text.length() + 256);
    int done = 0;
    for (Edit edit : ordered) {
      if (edit.start() > done) {
        changed.append(text, done, edit.start());
        done = edit.start();
      }
      boolean inside = edit.start() == edit.end() && edit.start() < done;
      changed.append(inside ? fitted(edit.text(), endsLine(changed)) : edit.text());
      done = Math.max(done, edit.end());
    }
    return changed.append(text, done, text.length()).toString();
  }

  private static boolean endsLine(StringBuilder text) {
    return text.length() == 0 || TextCursor.isBreak(text.charAt(text.length() - 1));
  }

  /**
   * New lines where old ones are taken out: their line break stands behind them when they begin at
   * the start of a line, and in front of them otherwise.
   */
  private static String fitted(String text, boolean atLineStart) {
    String lineBreak = text.contains("\r\n") ? "\r\n" : text.contains("\n") ? "\n" : "\r";
    if (atLineStart && text.startsWith(lineBreak)) {
      return text.substring(lineBreak.length()) + lineBreak;
    }
    if (!atLineStart && text.endsWith(lineBreak)) {
      return lineBreak + text.substring(0, text.length() - lineBreak.length());
    }
    return text;
  }
}
