package io.tidemark.manifests;

/**
 * How a document is laid out, found from its first nested values.
 *
 * @param lineBreak what ends a line
 * @param unit what a nested line starts with, more than the line around it
 * @param dashIndent spaces from a key to the dashes of its sequence
 */
record Layout(String lineBreak, String unit, int dashIndent) {
  static Layout of(TextCursor cursor, MarkedNode root) {
    Search search = new Search(cursor);
    search.visit(root);
    return new Layout(lineBreak(cursor.text()), search.unit(), Math.max(0, search.dash));
  }

  private static String lineBreak(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (TextCursor.isBreak(text.charAt(i))) {
        return text.startsWith("\r\n", i) ? "\r\n" : text.substring(i, i + 1);
      }
    }
    return "\n";
  }

  private static final class Search {
    private final TextCursor cursor;
    private String blockUnit = "";
    private String flowUnit = "";
    private int dash = MarkedNode.NOWHERE;

    Search(TextCursor cursor) {
      this.cursor = cursor;
    }

    String unit() {
      if (!blockUnit.isEmpty()) {
        return blockUnit;
      }
      return flowUnit.isEmpty() ? "  " : flowUnit;
    }

    void visit(MarkedNode node) {
      if (!blockUnit.isEmpty() && dash != MarkedNode.NOWHERE) {
        return;
      }
      if (node instanceof MarkedMapping mapping) {
        for (MarkedEntry entry : mapping.entries()) {
          inspect(mapping, entry);
          visit(entry.value());
        }
      } else if (node instanceof MarkedSequence sequence) {
        sequence.items().forEach(this::visit);
      }
    }

    private void inspect(MarkedMapping mapping, MarkedEntry entry) {
      if (mapping.flow()) {
        if (flowUnit.isEmpty() && cursor.startsLine(entry.start())) {
          String outer = cursor.indent(mapping.content());
          String inner = cursor.indent(entry.start());
          if (inner.startsWith(outer)) {
            flowUnit = inner.substring(outer.length());
          }
        }
        return;
      }
      if (entry.value() instanceof MarkedMapping nested && !nested.flow() && !nested.isEmpty()) {
        int step = column(nested.content()) - column(entry.start());
        if (blockUnit.isEmpty() && step > 0) {
          blockUnit = " ".repeat(step);
        }
      }
      if (dash == MarkedNode.NOWHERE
          && entry.value() instanceof MarkedSequence sequence
          && !sequence.flow()) {
        dash = Math.max(0, column(sequence.content()) - column(entry.start()));
      }
    }

    private int column(int at) {
      return at - cursor.lineStart(at);
    }
  }
}
