package io.tidemark.manifests;

import io.tidemark.manifests.MarkedNode.Child;
import io.tidemark.manifests.MarkedNode.Compound;
import io.tidemark.manifests.MarkedNode.Kind;
import io.tidemark.manifests.MarkedNode.Quoting;
import io.tidemark.manifests.MarkedNode.Scalar;
import java.util.Optional;

/**
 * How new parts of a value are written: as its present parts are.
 *
 * @param keys quoting of the new keys
 * @param inner quoting of keys inside their values
 * @param strings quoting of strings
 * @param inline whether values among lines are written with braces
 * @param afterColon white space between a colon and its value
 * @param afterComma white space between a comma and what follows on the same line
 * @param padding white space inside the braces of one line
 * @param lines whether every part between braces has its own line
 */
record Style(
    Quoting keys,
    Quoting inner,
    Quoting strings,
    boolean inline,
    String afterColon,
    String afterComma,
    String padding,
    boolean lines) {
  /** Lines without quotes, and {@code {a: b, c: d}} between braces. */
  static final Style PLAIN =
      new Style(Quoting.PLAIN, Quoting.PLAIN, Quoting.PLAIN, false, " ", " ", "", false);

  /** The style of a value in lines, which has parts: that of the last one. */
  static Style ofLines(TextCursor cursor, Compound value) {
    MarkedNode sample = value.last().value();
    MarkedNode keyed =
        sample instanceof Compound list && !list.isMapping() && !list.isEmpty()
            ? list.last().value()
            : sample;
    Style inside = PLAIN;
    if (keyed instanceof Compound mapping && mapping.isMapping() && !mapping.isEmpty()) {
      Quoting keys = mapping.children().get(0).quoting();
      Style braces = ofBraces(cursor, mapping, PLAIN);
      inside =
          mapping.flow() && !braces.lines()
              ? braces
              : new Style(keys, keys, Quoting.PLAIN, false, " ", " ", "", false);
    }
    Quoting keys = value.isMapping() ? value.last().quoting() : inside.keys();
    return inside.with(keys, firstString(sample).orElse(inside.strings()));
  }

  /** The style of a value with braces; what it does not show is that of {@code around}. */
  static Style ofBraces(TextCursor cursor, Compound value, Style around) {
    if (!value.flow() || value.isEmpty()) {
      return around;
    }
    Child first = value.children().get(0);
    boolean mapping = value.isMapping();
    boolean lines = cursor.startsLine(first.start());
    Quoting keys = mapping ? first.quoting() : around.keys();
    String afterColon =
        mapping && first.mark() >= 0
            ? blank(cursor, first.mark() + 1, first.value().start()).orElse(around.afterColon())
            : around.afterColon();
    boolean one = mapping && !lines && value.children().size() == 1;
    return new Style(
        keys,
        keys,
        firstString(value).orElse(mapping ? keys : around.strings()),
        true,
        afterColon,
        one ? afterColon : afterComma(cursor, first.end()).orElse(around.afterComma()),
        lines ? around.padding() : blank(cursor, value.content() + 1, first.start()).orElse(""),
        lines);
  }

  private static Optional<String> afterComma(TextCursor cursor, int childEnd) {
    int comma = cursor.comma(childEnd);
    return comma < 0 ? Optional.empty() : blank(cursor, comma + 1, cursor.skipBlank(comma + 1));
  }

  private static Optional<String> blank(TextCursor cursor, int from, int to) {
    return cursor.isBlank(from, to)
        ? Optional.of(cursor.text().substring(from, Math.max(from, to)))
        : Optional.empty();
  }

  /** How the first string inside is quoted that need not be. */
  private static Optional<Quoting> firstString(MarkedNode node) {
    if (node instanceof Scalar scalar) {
      boolean free = scalar.kind() == Kind.STRING && ScalarText.isPlain(scalar.text());
      return free ? Optional.of(scalar.quoting()) : Optional.empty();
    }
    return node instanceof Compound compound
        ? compound.children().stream()
            .flatMap(each -> firstString(each.value()).stream())
            .findFirst()
        : Optional.empty();
  }

  /** The style of what stands inside the new values. */
  Style inside() {
    return with(inner, strings);
  }

  /** A string that replaces a string keeps its quotes. */
  Style stringsOf(MarkedNode current) {
    return with(keys, firstString(current).orElse(strings));
  }

  private Style with(Quoting nextKeys, Quoting nextStrings) {
    return new Style(nextKeys, inner, nextStrings, inline, afterColon, afterComma, padding, lines);
  }
}
