package io.tidemark.manifests;

import io.tidemark.manifests.MarkedNode.Kind;
import io.tidemark.manifests.MarkedNode.Quoting;
import io.tidemark.manifests.MarkedNode.Scalar;
import java.util.regex.Pattern;

/** Writes scalars so that readers of YAML 1.1 and of 1.2 understand the same. */
final class ScalarText {
  private static final Pattern SAFE =
      Pattern.compile(
          "[A-Za-z0-9_./]([A-Za-z0-9_./+@()-]|:(?=[A-Za-z0-9_./:])| (?=[A-Za-z0-9_(]))*");

  /** What some reader takes for a number, a time, a boolean or null. */
  private static final Pattern AMBIGUOUS =
      Pattern.compile(
          "(?i)[-+.]?[0-9][0-9_]*([.][0-9_]*)?(e[-+]?[0-9]*)?|0[xob][0-9a-f_]*|[0-9]+(:[0-9]+)+([.][0-9]*)?"
              + "|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}.*|[.](inf|nan)|y|n|yes|no|on|off|true|false|null|[.]+");

  private ScalarText() {}

  /** {@code scalar} written in {@code quoting}, or in the nearest one that can express it. */
  static String of(Scalar scalar, Quoting quoting) {
    return scalar.kind() == Kind.STRING ? of(scalar.text(), quoting) : scalar.text();
  }

  static String of(String text, Quoting quoting) {
    if (quoting == Quoting.SINGLE && isPrintable(text)) {
      return "'" + text.replace("'", "''") + "'";
    }
    boolean plain = quoting == Quoting.PLAIN || quoting == Quoting.BLOCK;
    return plain && isPlain(text) ? text : MarkedJson.quoted(text);
  }

  /** Whether every reader takes the text for itself when it stands without quotes. */
  static boolean isPlain(String text) {
    return text.length() < 512
        && SAFE.matcher(text).matches()
        && !AMBIGUOUS.matcher(text).matches()
        && !text.equals("---")
        && !text.equals("...");
  }

  private static boolean isPrintable(String text) {
    return text.chars().allMatch(c -> c >= 0x20 && c < 0x7f);
  }
}
