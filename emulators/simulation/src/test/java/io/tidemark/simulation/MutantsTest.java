package io.tidemark.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@DisplayName("Planted bugs")
@Tag("long")
class MutantsTest {
  @Test
  @DisplayName(
      "are all caught by an invariant within 200 seeds, and the code without them is sound there")
  void allCaught() {
    MutantHunt hunt =
        new MutantHunt(
            Objects.requireNonNull(MutantsTest.class.getResourceAsStream("mutants.txt")), "");
    assertThat(hunt.size()).isGreaterThanOrEqualTo(20);
    try {
      hunt.run();
    } finally {
      System.out.print(hunt.table());
    }
  }
}
