package io.tidemark.manifests;

import java.util.ArrayList;
import java.util.List;

/**
 * Takes children out of a collection with braces and puts new ones in, with the commas that belong
 * to them. Comments between the children stay.
 */
record FlowEdits(TextCursor cursor, ValuePrinter printer, TextEdits edits) {
  /** A child as it stands in the text, and what happens to it. */
  record Child(int start, int end, boolean kept, List<String> newBehind) {}

  /**
   * Makes the changes.
   *
   * @param content the opening brace
   * @param end behind the closing brace
   * @param newFirst new children in front of all others
   */
  void change(
      int content,
      int end,
      List<Child> children,
      List<String> newFirst,
      FlowStyle style,
      String indent) {
    List<String> added = new ArrayList<>(newFirst);
    children.forEach(each -> added.addAll(each.newBehind()));
    if (children.stream().noneMatch(Child::kept)) {
      changeAll(content, end, children, added, style, indent);
      return;
    }
    String between = "," + (style.lines() ? lineOf(children.get(0)) : style.afterComma());
    for (String each : newFirst) {
      edits.insert(children.get(0).start(), each + between);
    }
    int lastKept = lastKept(children);
    for (int i = 0; i < children.size(); i++) {
      Child child = children.get(i);
      if (!child.kept()) {
        remove(children, i, lastKept);
      }
      for (String each : child.newBehind()) {
        edits.insert(child.end(), between + each);
      }
    }
  }

  private void changeAll(
      int content,
      int end,
      List<Child> children,
      List<String> added,
      FlowStyle style,
      String indent) {
    String pair = cursor.text().substring(content, content + 1) + cursor.text().charAt(end - 1);
    if (!hasComment(content + 1, end - 1, children)) {
      edits.replace(content, end, printer.braces(added, pair, style, indent));
      return;
    }
    for (Child child : children) {
      edits.delete(child.start(), child.end());
      int comma = cursor.comma(child.end());
      if (comma >= 0) {
        edits.delete(comma, comma + 1);
      }
    }
    String inner = printer.layout().lineBreak() + indent + printer.layout().unit();
    String joined = String.join(style.lines() ? "," + inner : "," + style.afterComma(), added);
    int close = cursor.lineStart(end - 1);
    boolean alone = cursor.startsLine(end - 1) && close > content;
    if (!joined.isEmpty()) {
      String line = indent + printer.layout().unit() + joined + printer.layout().lineBreak();
      edits.insert(alone ? close : end - 1, alone ? line : joined);
    }
  }

  private void remove(List<Child> children, int index, int lastKept) {
    Child child = children.get(index);
    if (index < lastKept) {
      int comma = cursor.comma(child.end());
      int next = children.get(index + 1).start();
      edits.delete(child.start(), cursor.isWhite(comma + 1, next) ? next : comma + 1);
      return;
    }
    int comma = cursor.comma(children.get(index - 1).end());
    if (cursor.isWhite(comma + 1, child.start())) {
      edits.delete(comma, child.end());
    } else {
      edits.delete(comma, comma + 1);
      edits.delete(child.start(), child.end());
    }
  }

  private boolean hasComment(int from, int to, List<Child> children) {
    int at = from;
    for (Child child : children) {
      if (cursor.hasComment(at, child.start())) {
        return true;
      }
      at = child.end();
    }
    return cursor.hasComment(at, to);
  }

  private String lineOf(Child child) {
    return printer.layout().lineBreak()
        + cursor.text().substring(cursor.lineStart(child.start()), child.start());
  }

  private static int lastKept(List<Child> children) {
    int last = -1;
    for (int i = 0; i < children.size(); i++) {
      if (children.get(i).kept()) {
        last = i;
      }
    }
    return last;
  }
}
