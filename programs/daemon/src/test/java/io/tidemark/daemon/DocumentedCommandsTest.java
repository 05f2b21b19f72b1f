package io.tidemark.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.program.console.Console;
import io.tidemark.testing.DocumentCommands;
import io.tidemark.testing.DocumentCommands.Call;
import io.tidemark.time.StopSignal;
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

@DisplayName("A command of the program of a node in a document")
class DocumentedCommandsTest {
  static Stream<Call> calls() {
    List<Call> all =
        DocumentCommands.calls().stream()
            .filter(call -> Set.of("agent", "ipamd", "datastore").contains(call.words().get(0)))
            .toList();
    assertThat(all).hasSizeGreaterThan(4);
    return all.stream();
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("calls")
  @DisplayName("DC-1 exists with all its options; in a sentence arguments may be left out")
  void exists(Call call) {
    PrintStream silence = new PrintStream(OutputStream.nullOutputStream());
    String[] words = call.words().toArray(String[]::new);
    CommandLine line =
        Main.line(new Console(silence, silence, false), new StopSignal(), Map.of(), words);
    try {
      assertThat(line.parseArgs(words).subcommand()).as("its command").isNotNull();
    } catch (MissingParameterException e) {
      assertThat(call.inText()).as(e.getMessage()).isTrue();
    }
  }
}
