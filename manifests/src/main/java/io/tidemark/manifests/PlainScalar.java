package io.tidemark.manifests;

import io.tidemark.manifests.MarkedNode.Kind;
import io.tidemark.manifests.MarkedNode.Quoting;
import io.tidemark.manifests.MarkedNode.Scalar;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a scalar of YAML 1.2 (core schema) means in JSON; a literal that JSON shares is kept as
 * written.
 */
record PlainScalar(Kind kind, String text) {
  private static final Pattern JSON_NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][-+]?[0-9]+)?");
  private static final Pattern DECIMAL = Pattern.compile("[-+]?[0-9]+");
  private static final Pattern OCTAL = Pattern.compile("0o[0-7]+");
  private static final Pattern HEX = Pattern.compile("0x[0-9a-fA-F]+");
  private static final Pattern FLOAT =
      Pattern.compile("[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?");
  private static final int NUMBER_LENGTH_MAX = 400;
  private static final String PREFIX = "tag:yaml.org,2002:";
  private static final String STRING = PREFIX + "str";

  /** The scalar between two offsets of a text. */
  static Scalar read(int start, int end, Optional<String> tag, Quoting quoting, String value)
      throws TextFault {
    String name = tag.orElse(quoting == Quoting.PLAIN ? "" : "!");
    PlainScalar plain = name.equals("!") || name.equals(STRING) ? string(value) : plain(value);
    boolean fits =
        switch (name) {
          case "", "!", STRING -> true;
          case PREFIX + "int", PREFIX + "float" -> plain.kind == Kind.NUMBER;
          case PREFIX + "bool" -> plain.kind == Kind.BOOLEAN;
          case PREFIX + "null" -> plain.kind == Kind.NULL;
          default -> false;
        };
    if (!fits) {
      String problem = "tag " + name + " does not fit the value " + value;
      throw new TextFault(start, problem, "Write a plain value without a tag.");
    }
    return new Scalar(start, end, plain.kind, quoting, plain.text);
  }

  /** What {@code value} means when it is written without quotes. */
  static PlainScalar plain(String value) {
    return switch (value) {
      case "", "~", "null", "Null", "NULL" -> new PlainScalar(Kind.NULL, "null");
      case "true", "True", "TRUE" -> new PlainScalar(Kind.BOOLEAN, "true");
      case "false", "False", "FALSE" -> new PlainScalar(Kind.BOOLEAN, "false");
      default -> mayBeNumber(value) ? numberOrText(value) : string(value);
    };
  }

  /**
   * Few values of an object are numbers, and a look at the first character costs next to nothing.
   */
  private static boolean mayBeNumber(String value) {
    char first = value.charAt(0);
    return value.length() <= NUMBER_LENGTH_MAX
        && ((first >= '0' && first <= '9') || first == '-' || first == '+' || first == '.');
  }

  private static PlainScalar numberOrText(String value) {
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
    return new PlainScalar(Kind.NUMBER, literal);
  }

  private static PlainScalar string(String value) {
    return new PlainScalar(Kind.STRING, value);
  }
}
