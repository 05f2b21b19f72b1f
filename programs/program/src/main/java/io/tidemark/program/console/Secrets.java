package io.tidemark.program.console;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Masks credentials in text that leaves the program: values that the program loaded, and whatever
 * is written as credentials are. Thread-safe. Nothing here prints or keeps the text that it masks.
 */
public final class Secrets {
  /** Shorter values are words and numbers of ordinary text; only their names give them away. */
  private static final int SHORTEST = 8;

  /** Values that rotate take the place of the oldest ones. */
  private static final int KNOWN_MAX = 256;

  private final Set<String> learned = new LinkedHashSet<>();
  private volatile List<String> known = List.of();

  /**
   * Masks this value from now on, as it is and as a form, JSON or a header encodes it; of a text of
   * several lines, each line. Values shorter than eight characters are ignored.
   */
  public void learn(String value) {
    List<String> forms =
        value
            .lines()
            .map(String::strip)
            .filter(line -> line.length() >= SHORTEST && !line.startsWith("-----"))
            .flatMap(Secrets::forms)
            .toList();
    synchronized (learned) {
      if (learned.containsAll(forms)) {
        return;
      }
      learned.addAll(forms);
      while (learned.size() > KNOWN_MAX) {
        learned.remove(learned.iterator().next());
      }
      List<String> longestFirst = new ArrayList<>(learned);
      longestFirst.sort((one, other) -> other.length() - one.length());
      known = List.copyOf(longestFirst);
    }
  }

  private static Stream<String> forms(String line) {
    return Stream.of(
            line,
            URLEncoder.encode(line, StandardCharsets.UTF_8),
            line.replace("\\", "\\\\").replace("\"", "\\\""))
        .distinct();
  }

  /** The text without credentials; the same object where there is none. */
  public String masked(String text) {
    String masked = text;
    for (String value : known) {
      if (masked.contains(value)) {
        masked = masked.replace(value, SecretPatterns.MASK);
      }
    }
    return SecretPatterns.masked(masked);
  }
}
