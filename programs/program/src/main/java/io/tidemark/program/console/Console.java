package io.tidemark.program.console;

import java.io.OutputStreamWriter;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * The two streams of the program. On a terminal the last lines can be a live area that is redrawn
 * in place; all other output goes above it. {@link Secrets} are masked in all output. Thread-safe.
 */
public final class Console {
  private static final String CLEAR_BELOW = "\r\u001b[J";

  private final PrintStream out;
  private final PrintStream err;
  private final boolean terminal;
  private final Secrets secrets = new Secrets();
  private List<String> area = List.of();

  /**
   * A console on two streams.
   *
   * @param terminal a person watches both
   */
  public Console(PrintStream out, PrintStream err, boolean terminal) {
    this.out = out;
    this.err = err;
    this.terminal = terminal;
  }

  /** The streams of the process. */
  public static Console ofProcess() {
    return new Console(
        System.out, System.err, isOnTerminal() && !"dumb".equals(System.getenv("TERM")));
  }

  /** From Java 22 on a console exists without a terminal too; {@code isTerminal} tells. */
  @SuppressWarnings("SystemConsoleNull")
  private static boolean isOnTerminal() {
    java.io.Console console = System.console();
    if (console == null) {
      return false;
    }
    try {
      return (boolean) java.io.Console.class.getMethod("isTerminal").invoke(console);
    } catch (NoSuchMethodException e) {
      return true;
    } catch (ReflectiveOperationException e) {
      return false;
    }
  }

  /** For results of a library, such as help texts. */
  public PrintWriter outWriter() {
    return new PrintWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8), true);
  }

  /** For complaints of a library. */
  public PrintWriter errWriter() {
    return new PrintWriter(new OutputStreamWriter(err, StandardCharsets.UTF_8), true);
  }

  /** For a library that draws by itself. */
  public PrintStream errStream() {
    return err;
  }

  /** The secrets to mask; add secrets here as soon as they are loaded. */
  public Secrets secrets() {
    return secrets;
  }

  /** Whether both streams are a terminal. */
  public boolean isTerminal() {
    return terminal;
  }

  /** Writes the result of a command; {@code text} ends with its own line break. */
  public synchronized void print(String text) {
    erase();
    out.print(secrets.masked(text));
    out.flush();
    draw();
  }

  /** Writes one line that is not the result: a log line, an error, progress. */
  public synchronized void note(String line) {
    erase();
    err.println(secrets.masked(line));
    err.flush();
    draw();
  }

  /** Replaces the live area; does nothing unless a person watches. */
  public synchronized void live(List<String> lines) {
    if (terminal) {
      erase();
      area = lines.stream().map(secrets::masked).toList();
      draw();
    }
  }

  /** Takes the live area away. */
  public void endLive() {
    live(List.of());
  }

  private void erase() {
    if (!area.isEmpty()) {
      out.print("\u001b[" + area.size() + "A" + CLEAR_BELOW);
      out.flush();
    }
  }

  private void draw() {
    if (!area.isEmpty()) {
      out.print(String.join("\n", area) + "\n");
      out.flush();
    }
  }
}
