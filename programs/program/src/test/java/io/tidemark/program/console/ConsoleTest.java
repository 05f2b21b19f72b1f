package io.tidemark.program.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The console")
class ConsoleTest {
  private final ByteArrayOutputStream screen = new ByteArrayOutputStream();
  private final PrintStream stream = new PrintStream(screen, true, StandardCharsets.UTF_8);

  private String written() {
    return screen.toString(StandardCharsets.UTF_8);
  }

  @Test
  @DisplayName("redraws a live area in place")
  void liveArea() {
    Console console = new Console(stream, stream, true);
    console.live(List.of("one", "two"));
    console.live(List.of("three"));

    assertThat(written()).isEqualTo("one\ntwo\n\u001b[2A\r\u001b[Jthree\n");
  }

  @Test
  @DisplayName("writes other lines above the live area")
  void linesAboveLiveArea() {
    Console console = new Console(stream, stream, true);
    console.live(List.of("table"));
    console.note("a log line");
    console.endLive();

    assertThat(written())
        .isEqualTo(
            "table\n\u001b[1A\r\u001b[Ja log line"
                + System.lineSeparator()
                + "table\n\u001b[1A\r\u001b[J");
  }

  @Test
  @DisplayName("draws nothing live and uses no control characters when nobody watches")
  void noTerminal() {
    Console console = new Console(stream, stream, false);
    console.live(List.of("table"));
    console.print("result\n");
    console.endLive();

    assertThat(written()).isEqualTo("result\n");
  }

  @Test
  @DisplayName("keeps results and remarks on two streams")
  void twoStreams() {
    ByteArrayOutputStream remarks = new ByteArrayOutputStream();
    Console console =
        new Console(stream, new PrintStream(remarks, true, StandardCharsets.UTF_8), false);
    console.print("{}\n");
    console.note("careful");

    assertThat(written()).isEqualTo("{}\n");
    assertThat(remarks.toString(StandardCharsets.UTF_8)).isEqualToIgnoringNewLines("careful");
  }
}
