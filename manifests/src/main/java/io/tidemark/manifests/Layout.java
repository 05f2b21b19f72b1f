package io.tidemark.manifests;

import io.tidemark.manifests.MarkedNode.Child;
import io.tidemark.manifests.MarkedNode.Compound;

/** How a document is laid out, found from its first nested values. */
final class Layout {
  private final TextCursor cursor;
  private String blockUnit = "";
  private String flowUnit = "";
  private int dash = MarkedNode.NOWHERE;

  Layout(TextCursor cursor, MarkedNode root) {
    this.cursor = cursor;
    visit(root);
  }

  /** What ends a line. */
  String lineBreak() {
    return cursor.lineBreak();
  }

  /** What a nested line starts with, more than the line around it. */
  String unit() {
    String unit = blockUnit.isEmpty() ? flowUnit : blockUnit;
    return unit.isEmpty() ? "  " : unit;
  }

  /** What a line with a dash starts with, more than the line of its sequence's key. */
  String dashUnit() {
    return " ".repeat(Math.max(0, dash));
  }

  private void visit(MarkedNode node) {
    if (node instanceof Compound parent && (blockUnit.isEmpty() || dash == MarkedNode.NOWHERE)) {
      for (Child child : parent.children()) {
        if (parent.flow()) {
          inspectBraces(parent, child);
        } else if (parent.isMapping()
            && child.value() instanceof Compound value
            && !value.flow()
            && !value.isEmpty()) {
          inspectLines(cursor.column(value.content()) - cursor.column(child.start()), value);
        }
        visit(child.value());
      }
    }
  }

  private void inspectLines(int step, Compound value) {
    if (value.isMapping() && blockUnit.isEmpty() && step > 0) {
      blockUnit = " ".repeat(step);
    } else if (!value.isMapping() && dash == MarkedNode.NOWHERE) {
      dash = Math.max(0, step);
    }
  }

  private void inspectBraces(Compound parent, Child child) {
    if (flowUnit.isEmpty() && parent.isMapping() && cursor.startsLine(child.start())) {
      String outer = cursor.indent(parent.content());
      String inner = cursor.indent(child.start());
      flowUnit = inner.startsWith(outer) ? inner.substring(outer.length()) : "";
    }
  }
}
