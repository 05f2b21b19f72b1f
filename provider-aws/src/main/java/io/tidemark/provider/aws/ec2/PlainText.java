package io.tidemark.provider.aws.ec2;

import java.util.regex.Pattern;

/**
 * A foreign text, made fit for a log, a table and an object's status: one line, not long, without
 * what signs requests. Refusals of a signature repeat the request, its session token included.
 * Pure.
 */
final class PlainText {
  private static final int LENGTH_MAX = 400;

  private static final Pattern LINES = Pattern.compile("\\s+");

  /** Header or parameter, then its value. */
  private static final Pattern SECRET =
      Pattern.compile(
          "(?i)(?<![a-z])(security[-_]?token|session[-_]?token|secret[-_]?access[-_]?key"
              + "|signature|credential)(\\s*[:=]\\s*)['\"]?[^\\s,;&'\"]+");

  private PlainText() {}

  static String of(String text) {
    String line = LINES.matcher(text.strip()).replaceAll(" ");
    String shown = SECRET.matcher(line).replaceAll("$1$2***");
    return shown.length() <= LENGTH_MAX ? shown : shown.substring(0, LENGTH_MAX) + "...";
  }
}
