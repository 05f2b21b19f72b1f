package io.tidemark.manifests;

import io.tidemark.manifests.MarkedNode.Child;
import io.tidemark.manifests.MarkedNode.Compound;
import io.tidemark.manifests.MarkedNode.Scalar;
import java.util.List;

/** Writes new values in the style of what stands around them. Pure. */
record ValuePrinter(Layout layout) {
  /** {@code key: value} or {@code - item}, further lines indented; no line break at the end. */
  String lines(Child child, String indent, Style style) {
    String head = child.key() == null ? "-" : ScalarText.of(child.name(), style.keys()) + ":";
    MarkedNode value = child.value().resolved();
    if (isInline(value, style)) {
      return head + " " + inline(value, style);
    }
    return child.key() == null
        ? head + " " + compact(value, indent + "  ", style.inside())
        : head + layout.lineBreak() + block(value, indent, style.inside());
  }

  /** Lines of a compound value whose key stands at {@code indent}. */
  String block(MarkedNode value, String indent, Style style) {
    boolean mapping = ((Compound) value).isMapping();
    String inner = indent + (mapping ? layout.unit() : layout.dashUnit());
    return inner + compact(value, inner, style);
  }

  /** Lines of a compound value, the first one without its indentation. */
  String compact(MarkedNode value, String indent, Style style) {
    List<String> lines =
        ((Compound) value).children().stream().map(each -> lines(each, indent, style)).toList();
    return String.join(layout.lineBreak() + indent, lines);
  }

  /** Whether a value stands on the line of its key. */
  static boolean isInline(MarkedNode value, Style style) {
    return value instanceof Scalar || value.isEmpty() || style.inline();
  }

  /** A value on the line of its key. */
  String inline(MarkedNode value, Style style) {
    return braces(value, style.inside(), "");
  }

  /** A value with braces; {@code indent} is that of the line it starts on. */
  String braces(MarkedNode node, Style style, String indent) {
    MarkedNode value = node.resolved();
    if (value instanceof Scalar scalar) {
      return ScalarText.of(scalar, style.strings());
    }
    Compound compound = (Compound) value;
    String inner = indent + layout.unit();
    return pair(
        compound.children().stream().map(each -> part(each, style, style, inner)).toList(),
        compound.isMapping(),
        style,
        indent);
  }

  /** A part between braces, its value in the style {@code inside}. */
  String part(Child child, Style style, Style inside, String indent) {
    String value = braces(child.value(), inside, indent);
    return child.key() == null
        ? value
        : ScalarText.of(child.name(), style.keys()) + ":" + style.afterColon() + value;
  }

  /** Parts between braces or brackets. */
  String pair(List<String> parts, boolean mapping, Style style, String indent) {
    String open = mapping ? "{" : "[";
    String close = mapping ? "}" : "]";
    if (parts.isEmpty()) {
      return open + close;
    }
    String inner = layout.lineBreak() + indent + layout.unit();
    String before = style.lines() ? inner : style.padding();
    String between = "," + (style.lines() ? inner : style.afterComma());
    String after = style.lines() ? layout.lineBreak() + indent : style.padding();
    return open + before + String.join(between, parts) + after + close;
  }
}
