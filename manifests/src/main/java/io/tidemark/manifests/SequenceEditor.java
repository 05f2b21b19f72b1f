package io.tidemark.manifests;

import io.tidemark.manifests.FlowEdits.Child;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * Finds the characters to change so that a list of a document becomes another one, item by item.
 */
final class SequenceEditor {
  private final TextCursor cursor;
  private final ValuePrinter printer;
  private final TextEdits edits;
  private final LineEdits lines;
  private final FlowEdits flowEdits;
  private final SharedValues shared;
  private final Values values;

  /** What changes a value within. */
  @FunctionalInterface
  interface Values {
    void change(MarkedNode current, MarkedNode wanted, Place place, String path) throws EditRefused;
  }

  SequenceEditor(
      TextCursor cursor,
      ValuePrinter printer,
      TextEdits edits,
      LineEdits lines,
      FlowEdits flowEdits,
      SharedValues shared,
      Values values) {
    this.cursor = cursor;
    this.printer = printer;
    this.edits = edits;
    this.lines = lines;
    this.flowEdits = flowEdits;
    this.shared = shared;
    this.values = values;
  }

  /** Collects what turns {@code current}, which has items, into a list of {@code wanted}. */
  void change(MarkedSequence current, List<MarkedNode> wanted, Place place, String path)
      throws EditRefused {
    shared.refuse(current, path);
    SequenceMatch match = SequenceMatch.of(current.items(), wanted);
    for (int i = 0; i < current.items().size(); i++) {
      if (match.removed(i)) {
        shared.refuseParts(current.items().get(i), ObjectPath.item(path, i));
      }
    }
    if (current.flow()) {
      flowSequence(current, match, place, path);
    } else {
      blockSequence(current, match, wanted, place, path);
    }
  }

  private void flowSequence(MarkedSequence current, SequenceMatch match, Place place, String path)
      throws EditRefused {
    FlowStyle style = FlowStyle.of(cursor, current, place.braces());
    MarkedNode last = current.items().get(current.items().size() - 1);
    FlowStyle inside = style.inside(cursor, last);
    String indent = cursor.indent(current.content());
    String inner = indent + printer.layout().unit();
    List<Child> children = new ArrayList<>();
    for (int i = 0; i < current.items().size(); i++) {
      MarkedNode item = current.items().get(i);
      Optional<MarkedNode> next = match.changed(i);
      if (next.isPresent()) {
        Place around = new Place(item.start(), true, inner, BlockStyle.PLAIN, style);
        values.change(item, next.get(), around, ObjectPath.item(path, i));
      }
      children.add(
          new Child(
              item.start(),
              item.end(),
              !match.removed(i),
              itemTexts(match.added(i + 1), inside, inner)));
    }
    flowEdits.change(
        current.content(),
        current.end(),
        children,
        itemTexts(match.added(0), inside, inner),
        style,
        indent);
  }

  private List<String> itemTexts(List<MarkedNode> items, FlowStyle style, String indent) {
    return items.stream().map(each -> printer.flow(each, style, indent)).toList();
  }

  private void blockSequence(
      MarkedSequence current,
      SequenceMatch match,
      List<MarkedNode> wanted,
      Place place,
      String path)
      throws EditRefused {
    int size = current.items().size();
    int[] dashes = new int[size];
    int[] ends = new int[size];
    int at = current.content();
    for (int i = 0; i < size; i++) {
      dashes[i] = cursor.dash(at);
      ends[i] = Math.max(dashes[i] + 1, current.items().get(i).end());
      at = ends[i];
    }
    BlockStyle style = BlockStyle.of(cursor, current);
    if (Arrays.stream(dashes).anyMatch(dash -> !cursor.startsLine(dash))) {
      MarkedSequence all = new MarkedSequence(-1, -1, -1, true, wanted);
      edits.replace(current.content(), current.end(), printer.flow(all, FlowStyle.YAML, ""));
      return;
    }
    String indent = cursor.indent(dashes[0]);
    if (wanted.isEmpty()) {
      edits.insert(place.behind(), " []");
    }
    lines.before(dashes[0], itemLines(match.added(0), indent, style), indent);
    for (int i = 0; i < size; i++) {
      Optional<MarkedNode> next = match.changed(i);
      if (next.isPresent()) {
        Place inside = new Place(dashes[i] + 1, false, indent, style, style.braces());
        values.change(current.items().get(i), next.get(), inside, ObjectPath.item(path, i));
      } else if (match.removed(i)) {
        lines.remove(dashes[i], ends[i]);
      }
      lines.behind(ends[i], itemLines(match.added(i + 1), indent, style), indent);
    }
  }

  private List<String> itemLines(List<MarkedNode> items, String indent, BlockStyle style) {
    return items.stream().map(each -> printer.blockItem(each, indent, style)).toList();
  }
}
