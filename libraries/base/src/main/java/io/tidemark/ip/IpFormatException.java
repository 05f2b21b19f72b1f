package io.tidemark.ip;

/**
 * Text that is no address or no CIDR block. The message quotes the text (cut to {@value
 * #TEXT_LENGTH_MAX} characters, control characters replaced) and says what is wrong with it.
 * Callers that read foreign documents use the {@code tryParse} methods, or catch this and report
 * {@link #text()} and {@link #reason()} together with the place in the document.
 */
public final class IpFormatException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;
  private static final int TEXT_LENGTH_MAX = 64;

  private final String text;
  private final String reason;

  IpFormatException(String text, String noun, String reason) {
    super('"' + printable(text, TEXT_LENGTH_MAX) + "\" is not " + noun + ": " + reason);
    this.text = printable(text, TEXT_LENGTH_MAX);
    this.reason = reason;
  }

  /** The offending text, cut and made printable. */
  public String text() {
    return text;
  }

  /** The problem with the text, without the text. */
  public String reason() {
    return reason;
  }

  /** The text with control and non-ASCII characters replaced, cut to a length. */
  public static String printable(String text, int lengthMax) {
    int length = Math.min(text.length(), lengthMax);
    StringBuilder out = new StringBuilder(length + 3);
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      out.append(c < ' ' || c > '~' ? '?' : c);
    }
    return text.length() > length ? out.append("...").toString() : out.toString();
  }
}
