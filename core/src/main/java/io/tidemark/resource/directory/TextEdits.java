package io.tidemark.resource.directory;

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
      changed.append(edit.text());
      done = Math.max(done, edit.end());
    }
    return changed.append(text, done, text.length()).toString();
  }
}
