package io.tidemark.it.localstack;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.ec2.Ec2Emulator;
import io.tidemark.emulator.ec2.model.Ec2ModelOptions;
import io.tidemark.emulator.ec2.types.Ec2InstanceTypes;
import java.io.IOException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The EC2 emulator and the document of its differences")
class EmulatorDifferencesTest {
  @Test
  @DisplayName("The emulator answers every question as the document says")
  void asDocumented() throws IOException {
    try (Ec2Emulator.Listening emulator =
        Ec2Emulator.listen(0, Ec2ModelOptions.of(1, Ec2InstanceTypes.bundled()))) {
      assertThat(Differences.answers(emulator.endpoint(), "10000000"))
          .containsExactlyInAnyOrderEntriesOf(Differences.documented());
    }
  }
}
