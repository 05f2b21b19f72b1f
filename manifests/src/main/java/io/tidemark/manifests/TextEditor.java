package io.tidemark.manifests;

import io.tidemark.manifests.MarkedNode.Alias;
import io.tidemark.manifests.MarkedNode.Child;
import io.tidemark.manifests.MarkedNode.Compound;
import io.tidemark.manifests.MarkedNode.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds the characters to change so that a value of a document becomes another one. A value of the
 * wanted tree that is the same instance as the one in the document stays as it is, so the wanted
 * tree is built from the document's own values wherever nothing changes.
 */
final class TextEditor {
  /**
   * Where a value stands.
   *
   * @param behind the character after its key's colon or its dash
   * @param flow whether it stands between braces or brackets
   * @param indent of the line it hangs on
   */
  private record Place(int behind, boolean flow, String indent, Style style) {}

  private final TextCursor cursor;
  private final Document document;
  private final ValuePrinter printer;
  private TextEdits edits = new TextEdits();

  TextEditor(TextCursor cursor, Document document) {
    this.cursor = cursor;
    this.document = document;
    this.printer = new ValuePrinter(new Layout(cursor, document.root()));
  }

  /** What turns {@code current}, an object of the document, into {@code wanted}. */
  TextEdits change(Compound current, Compound wanted) throws TextFault {
    edits = new TextEdits();
    String indent = cursor.indent(current.content());
    Place place = new Place(current.start(), current.flow(), indent, Style.PLAIN);
    parts(current, wanted.children(), place, "");
    return edits;
  }

  private void value(MarkedNode current, MarkedNode wanted, Place place, String path)
      throws TextFault {
    if (current == wanted) {
      return;
    }
    if (current instanceof Alias alias) {
      throw new TextFault(
          path,
          "is the alias *" + alias.anchor() + ", so a change here would be a change elsewhere",
          "Write the value out in place of the alias.");
    }
    if (current instanceof Compound had && !had.isEmpty()) {
      if (wanted.isEmpty()) {
        parts(had, List.of(), place, path);
        return;
      }
      if (wanted instanceof Compound next && next.isMapping() == had.isMapping()) {
        parts(had, next.children(), place, path);
        return;
      }
    }
    refuseShared(document.sharesPartOf(current), path);
    replace(current, wanted, place);
  }

  /** A value that an alias elsewhere refers to would change there, too. */
  private static void refuseShared(boolean shared, String path) throws TextFault {
    if (shared) {
      throw new TextFault(
          path,
          "holds an anchor that an alias elsewhere refers to",
          "Write the value out in both places, without anchor and alias.");
    }
  }

  private void replace(MarkedNode current, MarkedNode wanted, Place place) {
    boolean written = current.end() > current.start();
    if (place.flow() || ValuePrinter.isInline(wanted, place.style())) {
      Style style = place.style().stringsOf(current);
      String text =
          place.flow()
              ? printer.braces(wanted, style, place.indent())
              : printer.inline(wanted, style);
      boolean lines = current instanceof Compound compound && !compound.flow();
      if (!written) {
        edits.insert(place.behind(), " " + text);
      } else if (lines) {
        edits.replace(place.behind(), current.end(), " " + text);
      } else {
        edits.replace(current.start(), current.end(), text);
      }
      return;
    }
    if (written) {
      boolean white = cursor.isWhite(place.behind(), current.start());
      edits.delete(white ? place.behind() : current.start(), current.end());
    }
    if (cursor.text().charAt(place.behind() - 1) == '-') {
      String text = printer.compact(wanted, place.indent() + "  ", place.style());
      edits.insert(place.behind(), " " + text);
    } else {
      String text = printer.block(wanted, place.indent(), place.style());
      int end = written ? current.end() : place.behind();
      edits.insert(cursor.lineEnd(end), cursor.lineBreak() + text);
    }
  }

  private void parts(Compound had, List<Child> wanted, Place place, String path) throws TextFault {
    refuseShared(document.shared().contains(had), path);
    ChildMatch match = ChildMatch.of(had, wanted);
    for (int i = 0; i < had.children().size(); i++) {
      MarkedNode value = had.children().get(i).value();
      boolean shared = !(value instanceof Alias) && document.sharesPartOf(value);
      refuseShared(match.next(i).isEmpty() && shared, path(had, i, path));
    }
    if (had.flow()) {
      braces(had, match, place, path);
    } else {
      lines(had, match, place, path);
    }
  }

  private static String path(Compound parent, int index, String path) {
    return parent.isMapping()
        ? ObjectPath.member(path, parent.children().get(index).name())
        : ObjectPath.item(path, index);
  }

  private void part(Compound parent, int index, MarkedNode wanted, Place around, String path)
      throws TextFault {
    Child child = parent.children().get(index);
    if (child.value() == wanted) {
      return;
    }
    String inner = path(parent, index, path);
    if (child.key() != null && child.mark() < 0) {
      throw new TextFault(inner, "has no colon behind its key", "Write it as key: value.");
    }
    int behind = child.mark() < 0 ? child.start() : child.mark() + 1;
    Place place = new Place(behind, around.flow(), around.indent(), around.style());
    value(child.value(), wanted, place, inner);
  }

  private void lines(Compound had, ChildMatch match, Place place, String path) throws TextFault {
    List<Child> children = had.children();
    Child first = children.get(0);
    boolean ownLine = cursor.startsLine(first.start());
    for (int i = ownLine ? 0 : 1; i < children.size(); i++) {
      if (!cursor.startsLine(children.get(i).start())) {
        throw new TextFault(
            path, "is written with ? before its keys", "Write it as lines of key: value.");
      }
    }
    String indent =
        ownLine ? cursor.indent(first.start()) : " ".repeat(cursor.column(first.start()));
    Style style = Style.ofLines(cursor, had);
    List<List<String>> added = new ArrayList<>();
    for (int i = 0; i <= children.size(); i++) {
      List<String> texts =
          match.added(i).stream().map(each -> printer.lines(each, indent, style)).toList();
      added.add(new ArrayList<>(texts));
    }
    int firstKept = match.firstKept();
    boolean none = firstKept == children.size();
    String nothing = had.isMapping() ? "{}" : "[]";
    if (none && !ownLine) {
      List<String> all = added.stream().flatMap(List::stream).toList();
      String text = String.join(cursor.lineBreak() + indent, all);
      edits.replace(had.content(), had.end(), all.isEmpty() ? nothing : text);
      return;
    }
    if (none && added.stream().allMatch(List::isEmpty)) {
      edits.insert(place.behind(), " " + nothing);
    }
    if (ownLine) {
      for (String each : added.get(0)) {
        edits.insert(cursor.lineStart(first.start()), indent + each + cursor.lineBreak());
      }
    } else {
      added.get(firstKept + 1).addAll(0, added.get(0));
      if (firstKept > 0) {
        edits.delete(first.start(), children.get(firstKept).start());
      }
    }
    Place around = new Place(0, false, indent, style.inside());
    for (int i = 0; i < children.size(); i++) {
      Child child = children.get(i);
      Optional<MarkedNode> next = match.next(i);
      if (next.isPresent()) {
        part(had, i, next.get(), around, path);
      } else if (ownLine || i > firstKept) {
        removeLines(child.start(), child.end());
      }
      for (String each : added.get(i + 1)) {
        edits.insert(cursor.lineEnd(child.end()), cursor.lineBreak() + indent + each);
      }
    }
  }

  /** Removes whole lines; at the end of a text without final line break, the break before them. */
  private void removeLines(int start, int end) {
    int from = cursor.lineStart(start);
    int to = cursor.nextLine(end);
    if (cursor.lineEnd(end) == to) {
      do {
        from = cursor.lineEndBefore(from);
      } while (from > 0 && cursor.startsLine(from));
    }
    edits.delete(from, to);
  }

  /** Takes parts out with the commas that belong to them; comments between the parts stay. */
  private void braces(Compound had, ChildMatch match, Place place, String path) throws TextFault {
    List<Child> children = had.children();
    Style style = Style.ofBraces(cursor, had, place.style());
    Style inside =
        had.last().value() instanceof Compound last ? Style.ofBraces(cursor, last, style) : style;
    String indent = cursor.indent(had.content());
    String inner = indent + printer.layout().unit();
    List<List<String>> added = new ArrayList<>();
    for (int i = 0; i <= children.size(); i++) {
      added.add(
          match.added(i).stream().map(each -> printer.part(each, style, inside, inner)).toList());
    }
    Place around = new Place(0, true, inner, style);
    for (int i = 0; i < children.size(); i++) {
      if (match.next(i).isPresent()) {
        part(had, i, match.next(i).get(), around, path);
      }
    }
    int lastKept = match.lastKept();
    if (lastKept < 0) {
      replaceAll(had, added.stream().flatMap(List::stream).toList(), style, indent);
      return;
    }
    Child first = children.get(0);
    String between =
        style.lines()
            ? "," + cursor.lineBreak() + cursor.indent(first.start())
            : "," + style.afterComma();
    for (String each : added.get(0)) {
      edits.insert(first.start(), each + between);
    }
    for (int i = 0; i < children.size(); i++) {
      if (match.next(i).isEmpty()) {
        removePart(children, i, lastKept);
      }
      for (String each : added.get(i + 1)) {
        edits.insert(children.get(i).end(), between + each);
      }
    }
  }

  private void removePart(List<Child> children, int index, int lastKept) {
    Child child = children.get(index);
    boolean last = index > lastKept;
    int comma = cursor.comma(last ? children.get(index - 1).end() : child.end());
    if (last && cursor.isWhite(comma + 1, child.start())) {
      edits.delete(comma, child.end());
    } else if (last) {
      edits.delete(comma, comma + 1);
      edits.delete(child.start(), child.end());
    } else {
      int next = children.get(index + 1).start();
      edits.delete(child.start(), cursor.isWhite(comma + 1, next) ? next : comma + 1);
    }
  }

  /** Puts new parts in the place of all present ones; comments between those stay. */
  private void replaceAll(Compound had, List<String> added, Style style, String indent) {
    int close = had.end() - 1;
    if (!hasComment(had, close)) {
      edits.replace(had.content(), had.end(), printer.pair(added, had.isMapping(), style, indent));
      return;
    }
    for (Child child : had.children()) {
      edits.delete(child.start(), child.end());
      int comma = cursor.comma(child.end());
      if (comma >= 0) {
        edits.delete(comma, comma + 1);
      }
    }
    if (!added.isEmpty()) {
      String inner = indent + printer.layout().unit();
      String between = style.lines() ? cursor.lineBreak() + inner : style.afterComma();
      String joined = String.join("," + between, added);
      int line = cursor.lineStart(close);
      boolean alone = cursor.startsLine(close) && line > had.content();
      edits.insert(alone ? line : close, alone ? inner + joined + cursor.lineBreak() : joined);
    }
  }

  private boolean hasComment(Compound had, int close) {
    int from = had.content() + 1;
    for (Child child : had.children()) {
      if (cursor.text().substring(from, child.start()).contains("#")) {
        return true;
      }
      from = child.end();
    }
    return cursor.text().substring(from, close).contains("#");
  }
}
