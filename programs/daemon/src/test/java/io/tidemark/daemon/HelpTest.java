package io.tidemark.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.program.console.Console;
import io.tidemark.time.StopSignal;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

@DisplayName("The help of the program of a node")
class HelpTest {
  @Test
  @DisplayName("has examples that fit their lines, so that no word is broken")
  void examples() {
    PrintStream silence = new PrintStream(OutputStream.nullOutputStream());
    CommandLine line = Main.line(new Console(silence, silence, false), new StopSignal(), Map.of());
    assertThat(footers(line)).hasSizeGreaterThan(5).allMatch(text -> text.length() <= 80);
  }

  private static Stream<String> footers(CommandLine command) {
    return Stream.concat(
        Stream.of(command.getCommandSpec().usageMessage().footer()),
        command.getSubcommands().values().stream().flatMap(HelpTest::footers));
  }
}
