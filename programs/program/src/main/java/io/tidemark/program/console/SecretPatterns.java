package io.tidemark.program.console;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds credentials by the way they are written: headers, members of JSON, YAML and XML, form
 * fields, URLs with user information, private keys and signed web tokens. Stateless.
 */
final class SecretPatterns {
  static final String MASK = "***";

  /** Names whose values are secret; {@code .} stands for any or no separator. */
  private static final String NAMES =
      "(?:proxy-)?authorization"
          + "|x-amz-(?:security-token|signature|credential)"
          + "|x-aws-ec2-metadata-token(?!-)"
          + "|(?:aws.?)?(?:secret.?access.?key|secret.?key|session.?token|security.?token)"
          + "|(?:access|refresh|id|bearer|auth|web.?identity)?.?token"
          + "|token.?data|client.?key.?data|client.?secret|external.?id"
          + "|pass(?:word|wd|phrase)|signature|api.?key|private.?key";

  /** A name, an assignment, and what may stand before the value; digits and letters end a name. */
  private static final Pattern NAMED =
      Pattern.compile(
          "(?<![a-z0-9])(?:"
              + NAMES.replace(".?", "[-_]?")
              + ")\\\\?[\"']?[ \\t]{0,4}[:=>][ \\t]{0,4}\\[?",
          Pattern.CASE_INSENSITIVE);

  /** One of these is in every name; looked for first, as most lines have none. */
  private static final String[] STEMS = {
    "token", "authoriz", "secret", "passw", "passphr", "key", "signature", "credential", "external"
  };

  private static final Pattern HEADER = Pattern.compile("(?i)authorization");
  private static final Pattern URL_USER = Pattern.compile("(?<=://)[^/\\s\"'@<>\\\\]+(?=@)");
  private static final Pattern BEARER = Pattern.compile("(?i)\\bbearer +([\\w.~+/=-]{16,})");
  private static final Pattern WEB_TOKEN = Pattern.compile("\\beyJ[\\w-]{8,}\\.[\\w-]{8,}[\\w.-]*");
  private static final Pattern PRIVATE_KEY =
      Pattern.compile("(?s)(-----BEGIN [A-Z ]*PRIVATE KEY-----).*?(-----END|\\z)");

  private SecretPatterns() {}

  /** The text with each credential replaced; the same object where there is none. */
  static String masked(String text) {
    String masked = named(text);
    if (masked.contains("://") && masked.indexOf('@') >= 0) {
      masked = URL_USER.matcher(masked).replaceAll(MASK);
    }
    if (masked.contains("PRIVATE KEY-----")) {
      masked = PRIVATE_KEY.matcher(masked).replaceAll("$1" + MASK + "$2");
    }
    if (masked.contains("eyJ")) {
      masked = WEB_TOKEN.matcher(masked).replaceAll(MASK);
    }
    return masked.contains("earer ") || masked.contains("EARER ")
        ? BEARER.matcher(masked).replaceAll("Bearer " + MASK)
        : masked;
  }

  private static boolean hasStem(String text) {
    for (int at = 0; at < text.length(); at++) {
      char lower = (char) (text.charAt(at) | ' ');
      for (String stem : STEMS) {
        if (lower == stem.charAt(0) && text.regionMatches(true, at, stem, 0, stem.length())) {
          return true;
        }
      }
    }
    return false;
  }

  private static String named(String text) {
    if (!hasStem(text)) {
      return text;
    }
    Matcher name = NAMED.matcher(text);
    int from = 0;
    if (!name.find(from)) {
      return text;
    }
    StringBuilder masked = new StringBuilder(text.length());
    do {
      int start = opened(text, name.end());
      int end = end(text, name.end(), start, inside(text, name));
      masked.append(text, from, start);
      if (end > start) {
        masked.append(MASK);
      }
      from = end;
    } while (from <= text.length() && name.find(from));
    return masked.append(text, from, text.length()).toString();
  }

  /**
   * Delimiters that belong to the value: a header may hold spaces and commas, a line of YAML
   * spaces, what follows an equals sign neither.
   */
  private static String inside(String text, Matcher name) {
    String written = text.substring(name.start(), name.end());
    if (HEADER.matcher(written).find()) {
      return " ,;";
    }
    return written.indexOf(':') >= 0 ? " " : "";
  }

  /** Behind the quote, escaped or not, that opens the value. */
  private static int opened(String text, int at) {
    if (at < text.length() && isQuote(text.charAt(at))) {
      return at + 1;
    }
    boolean escaped =
        at + 1 < text.length() && text.charAt(at) == '\\' && isQuote(text.charAt(at + 1));
    return escaped ? at + 2 : at;
  }

  private static int end(String text, int before, int start, String inside) {
    boolean quoted = start == before + 1;
    char quote = quoted ? text.charAt(before) : 0;
    int at = start;
    while (at < text.length()) {
      char next = text.charAt(at);
      if (next == '\n' || next == '\r') {
        return at;
      }
      if (quoted) {
        if (next == quote) {
          return at;
        }
        at += next == '\\' && at + 1 < text.length() ? 2 : 1;
        continue;
      }
      if (isDelimiter(next) && inside.indexOf(next) < 0) {
        return at;
      }
      at++;
    }
    return at;
  }

  private static boolean isDelimiter(char next) {
    return Character.isWhitespace(next) || "\"'\\,;&<>(){}[]".indexOf(next) >= 0;
  }

  private static boolean isQuote(char next) {
    return next == '"' || next == '\'';
  }
}
