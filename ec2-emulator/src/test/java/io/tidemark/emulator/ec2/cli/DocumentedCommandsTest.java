package io.tidemark.emulator.ec2.cli;

import static org.assertj.core.api.Assertions.assertThatCode;

import io.tidemark.testing.DocumentCommands;
import io.tidemark.testing.DocumentCommands.Call;
import io.tidemark.time.StopSignal;
import java.io.PrintWriter;
import java.io.Writer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

@DisplayName("A command of this emulator in a document")
class DocumentedCommandsTest {
  static Stream<Call> calls() {
    return DocumentCommands.calls().stream()
        .filter(call -> call.words().get(0).equals("ec2-emulator"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("calls")
  @DisplayName("DC-1 has the options that the document names")
  void exists(Call call) {
    CommandLine line =
        new CommandLine(
            new EmulatorCommand(new PrintWriter(Writer.nullWriter()), new StopSignal()));

    assertThatCode(() -> line.parseArgs(call.words().stream().skip(1).toArray(String[]::new)))
        .doesNotThrowAnyException();
  }
}
