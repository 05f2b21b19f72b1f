package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.engine.Providers;
import io.tidemark.program.console.Console;
import io.tidemark.testing.DocumentCommands;
import io.tidemark.testing.DocumentCommands.Call;
import io.tidemark.time.StopSignal;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;

@DisplayName("A command of the program in a document")
class DocumentedCommandsTest {
  /** Programs of their own, whose modules check their commands. */
  private static final Set<String> OTHERS =
      Set.of("agent", "ipamd", "datastore", "ec2-emulator", "arm-emulator");

  /** All commands with all their options. */
  static final CommandLine LINE =
      Main.line(
          new Surroundings(
              new Console(silence(), silence(), false),
              InputStream.nullInputStream(),
              new StopSignal(),
              Providers.installed(),
              Map.of()));

  private static PrintStream silence() {
    return new PrintStream(OutputStream.nullOutputStream());
  }

  static Stream<Call> calls() {
    List<Call> all = DocumentCommands.calls();
    assertThat(all).hasSizeGreaterThan(40);
    return all.stream().filter(call -> !OTHERS.contains(call.words().get(0)));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("calls")
  @DisplayName("DC-1 exists with all its options; in a sentence arguments may be left out")
  void exists(Call call) {
    try {
      assertThat(LINE.parseArgs(call.words().toArray(String[]::new)).subcommand())
          .as("its command")
          .isNotNull();
    } catch (MissingParameterException e) {
      assertThat(call.inText()).as(e.getMessage()).isTrue();
    }
  }
}
