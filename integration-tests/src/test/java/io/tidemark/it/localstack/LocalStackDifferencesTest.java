package io.tidemark.it.localstack;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.ec2.Ec2Emulator;
import io.tidemark.emulator.ec2.model.Ec2ModelOptions;
import io.tidemark.emulator.ec2.types.Ec2InstanceTypes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag(LocalStack.TAG)
@Tag(LocalStack.ANSWERS_TAG)
@DisplayName("The EC2 emulator beside LocalStack")
class LocalStackDifferencesTest {
  private static final Path MADE = Path.of("target/ec2-emulator-differences.md");

  @Test
  @DisplayName("Every difference is listed, and every listed difference is there")
  void listed() throws IOException {
    String made;
    try (Ec2Emulator.Listening emulator =
        Ec2Emulator.listen(0, Ec2ModelOptions.of(1, Ec2InstanceTypes.bundled()))) {
      made =
          Differences.document(
              Differences.answers(emulator.endpoint(), "10000000"),
              Differences.answers(LocalStack.endpoint(), "20000000"));
    }
    Files.createDirectories(MADE.getParent());
    Files.writeString(MADE, made);
    assertThat(Differences.changed(Files.readString(Differences.DOCUMENT), made))
        .as("if these answers are right, copy %s over %s", MADE, Differences.DOCUMENT)
        .isEmpty();
  }
}
