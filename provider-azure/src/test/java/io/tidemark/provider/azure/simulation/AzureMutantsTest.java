package io.tidemark.provider.azure.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.simulation.MutantHunt;
import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("Bugs planted in the Azure provider")
@Tag("long")
class AzureMutantsTest {
  @Test
  @DisplayName(
      "AZ-N46 are all caught by an invariant within 200 seeds, and without them all is sound there")
  void allCaught() {
    MutantHunt hunt =
        new MutantHunt(
            Objects.requireNonNull(AzureMutantsTest.class.getResourceAsStream("mutants.txt")),
            MutantClouds.class.getName());
    assertThat(hunt.size()).isGreaterThanOrEqualTo(20);
    try {
      hunt.run();
    } finally {
      System.out.print("Azure: " + hunt.table());
    }
  }
}
