package io.tidemark.manifests;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a scalar of YAML 1.2 (core schema) means in JSON.
 *
 * @param text the string, or the JSON literal; a literal that JSON shares is kept as written
 * @param problem why it means nothing; empty when it does
 */
record PlainScalar(MarkedScalar.Kind kind, String text, Optional<String> problem) {
  private static final Pattern JSON_NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)?");
  private static final Pattern DECIMAL = Pattern.compile("[-+]?[0-9]+");
  private static final Pattern OCTAL = Pattern.compile("0o[0-7]+");
  private static final Pattern HEX = Pattern.compile("0x[0-9a-fA-F]+");
  private static final Pattern FLOAT =
      Pattern.compile("[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?");
  private static final Pattern NULL = Pattern.compile("~|null|Null|NULL|");
  private static final Pattern BOOLEAN = Pattern.compile("true|True|TRUE|false|False|FALSE");
  private static final int NUMBER_LENGTH_MAX = 400;
  private static final String PREFIX = "tag:yaml.org,2002:";

  static PlainScalar tagged(Optional<String> tag, MarkedScalar.Quoting quoting, String value) {
    String name = tag.filter(t -> t.startsWith(PREFIX)).orElse("");
    if (tag.isEmpty()) {
      return quoting == MarkedScalar.Quoting.PLAIN ? plain(value) : string(value);
    }
    if (tag.get().equals("!") || name.equals(PREFIX + "str")) {
      return string(value);
    }
    PlainScalar plain = plain(value);
    boolean fits =
        switch (name.substring(Math.min(name.length(), PREFIX.length()))) {
          case "int", "float" -> plain.kind == MarkedScalar.Kind.NUMBER;
          case "bool" -> plain.kind == MarkedScalar.Kind.BOOLEAN;
          case "null" -> plain.kind == MarkedScalar.Kind.NULL;
          default -> false;
        };
    String problem = "tag " + tag.get() + " does not fit the value " + value;
    return fits ? plain : new PlainScalar(MarkedScalar.Kind.STRING, value, Optional.of(problem));
  }

  /** What {@code value} means when it is written without quotes. */
  static PlainScalar plain(String value) {
    if (NULL.matcher(value).matches()) {
      return new PlainScalar(MarkedScalar.Kind.NULL, "null", Optional.empty());
    }
    if (BOOLEAN.matcher(value).matches()) {
      boolean truth = value.charAt(0) == 't' || value.charAt(0) == 'T';
      return new PlainScalar(MarkedScalar.Kind.BOOLEAN, Boolean.toString(truth), Optional.empty());
    }
    if (value.length() > NUMBER_LENGTH_MAX) {
      return string(value);
    }
    if (JSON_NUMBER.matcher(value).matches()) {
      return number(value);
    }
    if (DECIMAL.matcher(value).matches()) {
      return number(new BigInteger(value).toString());
    }
    if (OCTAL.matcher(value).matches()) {
      return number(new BigInteger(value.substring(2), 8).toString());
    }
    if (HEX.matcher(value).matches()) {
      return number(new BigInteger(value.substring(2), 16).toString());
    }
    return FLOAT.matcher(value).matches()
        ? number(new BigDecimal(value).toString().replace("E+", "E"))
        : string(value);
  }

  private static PlainScalar number(String literal) {
    return new PlainScalar(MarkedScalar.Kind.NUMBER, literal, Optional.empty());
  }

  private static PlainScalar string(String value) {
    return new PlainScalar(MarkedScalar.Kind.STRING, value, Optional.empty());
  }
}
