package io.tidemark.manifests;

import java.util.ArrayList;
import java.util.List;

/** Writes new values in the style of what stands around them. Pure. */
record ValuePrinter(Layout layout) {
  /** {@code key: value}, further lines indented; no line break at the end. */
  String blockEntry(MarkedEntry entry, String indent, BlockStyle style) {
    String key = ScalarText.of(entry.name(), style.keys()) + ":";
    MarkedNode value = entry.value().resolved();
    if (isInline(value, style)) {
      return key + " " + inline(value, style);
    }
    return key + layout.lineBreak() + block(value, indent, style.inside());
  }

  /** Lines of a collection that is the value of a key at {@code indent}. */
  String block(MarkedNode value, String indent, BlockStyle style) {
    String inner =
        indent
            + (value instanceof MarkedSequence ? " ".repeat(layout.dashIndent()) : layout.unit());
    return inner + compact(value, inner, style);
  }

  /** Lines of a collection, the first one without its indentation. */
  String compact(MarkedNode value, String indent, BlockStyle style) {
    List<String> lines = new ArrayList<>();
    if (value instanceof MarkedSequence sequence) {
      sequence.items().forEach(each -> lines.add(blockItem(each, indent, style)));
    } else {
      ((MarkedMapping) value).entries().forEach(each -> lines.add(blockEntry(each, indent, style)));
    }
    return String.join(layout.lineBreak() + indent, lines);
  }

  /** {@code - item}, further lines indented; no line break at the end. */
  String blockItem(MarkedNode item, String indent, BlockStyle style) {
    MarkedNode value = item.resolved();
    if (isInline(value, style)) {
      return "- " + inline(value, style);
    }
    return "- " + compact(value, indent + "  ", style);
  }

  /** Whether a value stands on the line of its key. */
  boolean isInline(MarkedNode value, BlockStyle style) {
    return value instanceof MarkedScalar || value.isEmpty() || style.flow().isPresent();
  }

  /** A value on the line of its key. */
  String inline(MarkedNode value, BlockStyle style) {
    if (value instanceof MarkedScalar scalar) {
      return ScalarText.of(scalar, style.strings());
    }
    FlowStyle plain = new FlowStyle(style.inner(), style.strings(), " ", " ", "", false);
    return flow(value, style.flow().orElse(plain), "");
  }

  /** A value with braces; {@code indent} is that of the line it starts on. */
  String flow(MarkedNode node, FlowStyle style, String indent) {
    MarkedNode value = node.resolved();
    if (value instanceof MarkedScalar scalar) {
      return ScalarText.of(scalar, style.strings());
    }
    boolean sequence = value instanceof MarkedSequence;
    List<String> children = new ArrayList<>();
    String inner = indent + layout.unit();
    if (value instanceof MarkedSequence items) {
      items.items().forEach(each -> children.add(flow(each, style, inner)));
    } else {
      ((MarkedMapping) value)
          .entries()
          .forEach(each -> children.add(flowEntry(each, style, style, inner)));
    }
    return braces(children, sequence ? "[]" : "{}", style, indent);
  }

  /** A pair inside braces, its value in the style {@code inside}. */
  String flowEntry(MarkedEntry entry, FlowStyle style, FlowStyle inside, String indent) {
    return ScalarText.of(entry.name(), style.keys())
        + ":"
        + style.afterColon()
        + flow(entry.value(), inside, indent);
  }

  /** Children between {@code pair} of braces. */
  String braces(List<String> children, String pair, FlowStyle style, String indent) {
    if (children.isEmpty()) {
      return pair;
    }
    String inner = layout.lineBreak() + indent + layout.unit();
    String before = style.lines() ? inner : style.padding();
    String between = "," + (style.lines() ? inner : style.afterComma());
    String after = style.lines() ? layout.lineBreak() + indent : style.padding();
    return pair.charAt(0) + before + String.join(between, children) + after + pair.charAt(1);
  }
}
