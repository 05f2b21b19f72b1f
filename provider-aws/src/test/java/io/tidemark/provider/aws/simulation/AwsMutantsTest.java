package io.tidemark.provider.aws.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.simulation.MutantHunt;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("Bugs planted in the AWS provider")
@Tag("long")
class AwsMutantsTest {
  @Test
  @DisplayName(
      "are all caught by an invariant within 200 seeds, and the code without them is sound there")
  void allCaught() {
    MutantHunt hunt =
        new MutantHunt(
            Objects.requireNonNull(AwsMutantsTest.class.getResourceAsStream("mutants.txt")),
            PlainClouds.class.getName());
    assertThat(hunt.size()).isGreaterThanOrEqualTo(8);
    try {
      hunt.run();
    } finally {
      System.out.print("AWS: " + hunt.table());
    }
  }
}
