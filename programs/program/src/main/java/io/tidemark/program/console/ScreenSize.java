package io.tidemark.program.console;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Lines and columns of the terminal.
 *
 * @param lines 1 or more
 * @param columns 1 or more
 */
public record ScreenSize(int lines, int columns) {
  /** The size of a terminal that does not say. */
  public static final ScreenSize USUAL = new ScreenSize(24, 80);

  private static final Duration PATIENCE = Duration.ofSeconds(1);

  /** Reads the size from the terminal; {@link #USUAL} without a response. */
  public static ScreenSize ofTerminal() {
    try {
      Process stty =
          new ProcessBuilder("stty", "size").redirectInput(ProcessBuilder.Redirect.INHERIT).start();
      try (InputStream answer = stty.getInputStream()) {
        String text = new String(answer.readAllBytes(), StandardCharsets.US_ASCII);
        boolean ended = stty.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        return ended ? parse(text).orElse(USUAL) : USUAL;
      }
    } catch (IOException e) {
      return USUAL;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return USUAL;
    }
  }

  /** Reads {@code "24 80"}; empty for anything else and for zeroes. */
  static Optional<ScreenSize> parse(String text) {
    String[] parts = text.strip().split(" ", -1);
    if (parts.length != 2 || !parts[0].matches("[1-9][0-9]{0,3}")) {
      return Optional.empty();
    }
    return parts[1].matches("[1-9][0-9]{0,3}")
        ? Optional.of(new ScreenSize(Integer.parseInt(parts[0]), Integer.parseInt(parts[1])))
        : Optional.empty();
  }
}
