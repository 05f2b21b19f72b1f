package io.tidemark.manifests;

import io.tidemark.manifests.MarkedScalar.Kind;
import io.tidemark.manifests.MarkedScalar.Quoting;
import java.util.Optional;

/**
 * How values between braces are written.
 *
 * @param afterColon white space between a colon and its value
 * @param afterComma white space between a comma and what follows on the same line
 * @param padding white space inside the braces of one line
 * @param lines whether every child has its own line
 */
record FlowStyle(
    Quoting keys,
    Quoting strings,
    String afterColon,
    String afterComma,
    String padding,
    boolean lines) {
  /** {@code {a: b, c: d}}. */
  static final FlowStyle YAML = new FlowStyle(Quoting.PLAIN, Quoting.PLAIN, " ", " ", "", false);

  /** The style of {@code mapping}; what it does not show is that of {@code around}. */
  static FlowStyle of(TextCursor cursor, MarkedMapping mapping, FlowStyle around) {
    if (!mapping.flow() || mapping.isEmpty()) {
      return around;
    }
    MarkedEntry first = mapping.entries().iterator().next();
    String afterColon = around.afterColon();
    if (first.colon() >= 0 && cursor.isBlank(first.colon() + 1, first.value().start())) {
      afterColon = cursor.text().substring(first.colon() + 1, first.value().start());
    }
    boolean lines = cursor.startsLine(first.start());
    boolean one = mapping.entries().size() == 1;
    return new FlowStyle(
        first.key().quoting(),
        firstString(mapping).orElse(first.key().quoting()),
        afterColon,
        one && !lines ? afterColon : afterComma(cursor, first.end(), around),
        lines ? around.padding() : padding(cursor, mapping.content(), first.start()),
        lines);
  }

  /** The style of {@code sequence}; what it does not show is that of {@code around}. */
  static FlowStyle of(TextCursor cursor, MarkedSequence sequence, FlowStyle around) {
    if (!sequence.flow() || sequence.isEmpty()) {
      return around;
    }
    MarkedNode first = sequence.items().get(0);
    boolean lines = cursor.startsLine(first.start());
    return new FlowStyle(
        around.keys(),
        firstString(sequence).orElse(around.strings()),
        around.afterColon(),
        afterComma(cursor, first.end(), around),
        lines ? around.padding() : padding(cursor, sequence.content(), first.start()),
        lines);
  }

  /** How the first string inside is quoted that need not be. */
  static Optional<Quoting> firstString(MarkedNode node) {
    if (node instanceof MarkedScalar scalar) {
      boolean free = scalar.kind() == Kind.STRING && ScalarText.isPlain(scalar.text());
      return free ? Optional.of(scalar.quoting()) : Optional.empty();
    }
    if (node instanceof MarkedMapping mapping) {
      return mapping.entries().stream()
          .flatMap(each -> firstString(each.value()).stream())
          .findFirst();
    }
    return node instanceof MarkedSequence sequence
        ? sequence.items().stream().flatMap(each -> firstString(each).stream()).findFirst()
        : Optional.empty();
  }

  /** The style of new values inside: that of the last value there, else this one. */
  FlowStyle inside(TextCursor cursor, MarkedNode last) {
    if (last instanceof MarkedMapping mapping) {
      return of(cursor, mapping, this);
    }
    return last instanceof MarkedSequence sequence ? of(cursor, sequence, this) : this;
  }

  /** A string that replaces a string keeps its quotes. */
  FlowStyle stringsOf(MarkedNode current) {
    Quoting quoting = firstString(current).orElse(strings);
    return new FlowStyle(keys, quoting, afterColon, afterComma, padding, lines);
  }

  private static String afterComma(TextCursor cursor, int childEnd, FlowStyle around) {
    int comma = cursor.comma(childEnd);
    if (comma < 0) {
      return around.afterComma();
    }
    int next = cursor.skipBlank(comma + 1);
    return cursor.isBlank(comma + 1, next)
        ? cursor.text().substring(comma + 1, next)
        : around.afterComma();
  }

  private static String padding(TextCursor cursor, int brace, int firstChild) {
    return cursor.isBlank(brace + 1, firstChild)
        ? cursor.text().substring(brace + 1, firstChild)
        : "";
  }
}
