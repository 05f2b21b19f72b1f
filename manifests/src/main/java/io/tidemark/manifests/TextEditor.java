package io.tidemark.manifests;

import io.tidemark.manifests.FlowEdits.Child;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Finds the characters to change so that a value of a document becomes another one. A value of the
 * wanted tree that is the same instance as the one in the document stays as it is, so the wanted
 * tree is built from the document's own values wherever nothing changes.
 */
final class TextEditor {
  private final TextCursor cursor;
  private final ValuePrinter printer;
  private final TextEdits edits;
  private final LineEdits lines;
  private final FlowEdits flowEdits;
  private final SharedValues shared;
  private final SequenceEditor sequences;

  TextEditor(String text, MarkedDocument document, TextEdits edits) {
    this.cursor = new TextCursor(text);
    this.printer = new ValuePrinter(Layout.of(cursor, document.root()));
    this.edits = edits;
    this.lines = new LineEdits(cursor, printer.layout().lineBreak(), edits);
    this.flowEdits = new FlowEdits(cursor, printer, edits);
    this.shared = new SharedValues(document);
    this.sequences =
        new SequenceEditor(cursor, printer, edits, lines, flowEdits, shared, this::value);
  }

  /** Collects what turns {@code current}, an object of the document, into {@code wanted}. */
  void change(MarkedMapping current, MarkedMapping wanted, String path) throws EditRefused {
    Place top =
        new Place(
            current.start(),
            current.flow(),
            cursor.indent(current.content()),
            BlockStyle.PLAIN,
            FlowStyle.YAML);
    mapping(current, wanted, top, path);
  }

  private void value(MarkedNode current, MarkedNode wanted, Place place, String path)
      throws EditRefused {
    if (current == wanted) {
      return;
    }
    if (current instanceof MarkedAlias alias) {
      throw new EditRefused(
          path,
          "is the alias *" + alias.anchor() + ", so a change here would be a change elsewhere",
          "Write the value out in place of the alias.");
    }
    if (current instanceof MarkedMapping had
        && !had.isEmpty()
        && (wanted instanceof MarkedMapping || wanted.isEmpty())) {
      MarkedMapping next = wanted instanceof MarkedMapping m ? m : MarkedMapping.of(List.of());
      mapping(had, next, place, path);
    } else if (current instanceof MarkedSequence had
        && !had.isEmpty()
        && (wanted instanceof MarkedSequence || wanted.isEmpty())) {
      sequences.change(
          had, wanted instanceof MarkedSequence s ? s.items() : List.of(), place, path);
    } else {
      replace(current, wanted, place, path);
    }
  }

  private void replace(MarkedNode current, MarkedNode wanted, Place place, String path)
      throws EditRefused {
    shared.refuseParts(current, path);
    boolean written = current.end() > current.start();
    if (place.flow() || printer.isInline(wanted, place.block())) {
      String text =
          place.flow()
              ? printer.flow(wanted, place.braces().stringsOf(current), place.indent())
              : printer.inline(wanted, place.block().stringsOf(current));
      if (!written) {
        edits.insert(place.behind(), " " + text);
      } else if (isBlock(current)) {
        edits.replace(place.behind(), current.end(), " " + text);
      } else {
        edits.replace(current.start(), current.end(), text);
      }
      return;
    }
    int end = written ? current.end() : place.behind();
    if (written) {
      boolean white = cursor.isWhite(place.behind(), current.start());
      edits.delete(white ? place.behind() : current.start(), current.end());
    }
    if (cursor.text().charAt(place.behind() - 1) == '-') {
      String text = printer.compact(wanted, place.indent() + "  ", place.block());
      edits.insert(place.behind(), " " + text);
    } else {
      String text = printer.block(wanted, place.indent(), place.block());
      edits.insert(cursor.lineEnd(end), printer.layout().lineBreak() + text);
    }
  }

  private void mapping(MarkedMapping current, MarkedMapping wanted, Place place, String path)
      throws EditRefused {
    shared.refuse(current, path);
    List<MarkedEntry> had = List.copyOf(current.entries());
    List<List<MarkedEntry>> added = new ArrayList<>();
    for (int i = 0; i <= had.size(); i++) {
      added.add(new ArrayList<>());
    }
    placeNew(current, wanted, had, added);
    for (MarkedEntry entry : had) {
      if (wanted.entry(entry.name()).isEmpty()) {
        shared.refuseParts(entry.value(), ObjectPath.member(path, entry.name()));
      }
    }
    if (current.flow()) {
      flowMapping(current, wanted, had, added, place, path);
    } else {
      blockMapping(current, wanted, had, added, place, path);
    }
  }

  /** New entries by the index of the entry they follow, plus one; those that follow none at 0. */
  private static void placeNew(
      MarkedMapping current,
      MarkedMapping wanted,
      List<MarkedEntry> had,
      List<List<MarkedEntry>> added) {
    Map<String, Integer> index = new HashMap<>();
    for (int i = 0; i < had.size(); i++) {
      index.put(had.get(i).name(), i);
    }
    int last = 0;
    for (MarkedEntry entry : wanted.entries()) {
      if (current.entry(entry.name()).isPresent()) {
        last = Math.max(last, index.getOrDefault(entry.name(), 0) + 1);
      } else {
        added.get(last).add(entry);
      }
    }
  }

  private void flowMapping(
      MarkedMapping current,
      MarkedMapping wanted,
      List<MarkedEntry> had,
      List<List<MarkedEntry>> added,
      Place place,
      String path)
      throws EditRefused {
    FlowStyle style = FlowStyle.of(cursor, current, place.braces());
    FlowStyle inside = style.inside(cursor, had.get(had.size() - 1).value());
    String indent = cursor.indent(current.content());
    String inner = indent + printer.layout().unit();
    List<Child> children = new ArrayList<>();
    for (int i = 0; i < had.size(); i++) {
      MarkedEntry entry = had.get(i);
      Optional<MarkedEntry> next = wanted.entry(entry.name());
      if (next.isPresent()) {
        entry(entry, next.get(), true, inner, BlockStyle.PLAIN, style, path);
      }
      children.add(
          new Child(
              entry.start(),
              entry.end(),
              next.isPresent(),
              flowTexts(added.get(i + 1), style, inside, inner)));
    }
    flowEdits.change(
        current.content(),
        current.end(),
        children,
        flowTexts(added.get(0), style, inside, inner),
        style,
        indent);
  }

  private List<String> flowTexts(
      List<MarkedEntry> entries, FlowStyle style, FlowStyle inside, String indent) {
    return entries.stream().map(each -> printer.flowEntry(each, style, inside, indent)).toList();
  }

  private void entry(
      MarkedEntry current,
      MarkedEntry wanted,
      boolean flow,
      String indent,
      BlockStyle block,
      FlowStyle braces,
      String path)
      throws EditRefused {
    if (current.value() == wanted.value()) {
      return;
    }
    String inner = ObjectPath.member(path, current.name());
    if (current.colon() < 0) {
      throw new EditRefused(inner, "has no colon behind its key", "Write it as key: value.");
    }
    Place place = new Place(current.colon() + 1, flow, indent, block, braces);
    value(current.value(), wanted.value(), place, inner);
  }

  private void blockMapping(
      MarkedMapping current,
      MarkedMapping wanted,
      List<MarkedEntry> had,
      List<List<MarkedEntry>> added,
      Place place,
      String path)
      throws EditRefused {
    MarkedEntry first = had.get(0);
    boolean ownLine = cursor.startsLine(first.start());
    int column = first.start() - cursor.lineStart(first.start());
    String indent = ownLine ? cursor.indent(first.start()) : " ".repeat(column);
    BlockStyle style = BlockStyle.of(cursor, had);
    for (int i = ownLine ? 0 : 1; i < had.size(); i++) {
      if (!cursor.startsLine(had.get(i).start())) {
        throw new EditRefused(
            path, "is written with ? before its keys", "Write it as lines of key: value.");
      }
    }
    Optional<MarkedEntry> kept =
        had.stream().filter(each -> wanted.entry(each.name()).isPresent()).findFirst();
    if (kept.isEmpty()) {
      blockMappingAnew(current, had, added, place, indent, style, ownLine);
      return;
    }
    int firstKept = had.indexOf(kept.get());
    if (ownLine) {
      lines.before(first.start(), entryTexts(added.get(0), indent, style), indent);
    } else {
      added.get(firstKept + 1).addAll(0, added.get(0));
      if (firstKept > 0) {
        edits.delete(first.start(), kept.get().start());
      }
    }
    for (int i = 0; i < had.size(); i++) {
      MarkedEntry entry = had.get(i);
      Optional<MarkedEntry> next = wanted.entry(entry.name());
      if (next.isPresent()) {
        entry(entry, next.get(), false, indent, style.inside(), style.braces(), path);
      } else if (ownLine || i > firstKept) {
        lines.remove(entry.start(), entry.end());
      }
      lines.behind(entry.end(), entryTexts(added.get(i + 1), indent, style), indent);
    }
  }

  private void blockMappingAnew(
      MarkedMapping current,
      List<MarkedEntry> had,
      List<List<MarkedEntry>> added,
      Place place,
      String indent,
      BlockStyle style,
      boolean ownLine) {
    List<MarkedEntry> all = added.stream().flatMap(List::stream).toList();
    List<String> texts = entryTexts(all, indent, style);
    if (!ownLine) {
      String text = String.join(printer.layout().lineBreak() + indent, texts);
      edits.replace(current.content(), current.end(), texts.isEmpty() ? "{}" : text);
      return;
    }
    if (texts.isEmpty()) {
      edits.insert(place.behind(), " {}");
    }
    lines.before(had.get(0).start(), texts, indent);
    had.forEach(each -> lines.remove(each.start(), each.end()));
  }

  private List<String> entryTexts(List<MarkedEntry> entries, String indent, BlockStyle style) {
    return entries.stream().map(each -> printer.blockEntry(each, indent, style)).toList();
  }

  private static boolean isBlock(MarkedNode node) {
    return (node instanceof MarkedMapping mapping && !mapping.flow())
        || (node instanceof MarkedSequence sequence && !sequence.flow());
  }
}
