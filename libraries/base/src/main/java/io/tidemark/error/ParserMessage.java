package io.tidemark.error;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Messages of a parser of command lines, without the names of Java's types. Pure. */
public final class ParserMessage {
  private static final Pattern TYPE = Pattern.compile(" is not an? (int|long|double)\\b");

  private ParserMessage() {}

  /** The message in words of the person who typed the command, without a full stop. */
  public static String plain(String message) {
    Matcher type = TYPE.matcher(message);
    String words =
        type.replaceAll(
            found ->
                found.group(1).equals("double") ? " is not a number" : " is not a whole number");
    return words.endsWith(".") ? words.substring(0, words.length() - 1) : words;
  }
}
