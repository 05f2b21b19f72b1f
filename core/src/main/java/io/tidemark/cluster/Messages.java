package io.tidemark.cluster;

import java.util.Locale;

/** Messages that name values, the same on every machine. */
public final class Messages {
  private Messages() {}

  /** The template with each value in the place of its {@code %s}. */
  public static String of(String template, Object... values) {
    return String.format(Locale.ROOT, template, values);
  }
}
