package io.tidemark.program.console;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The size of the terminal")
class ScreenSizeTest {
  @Test
  @DisplayName("is what the terminal answers")
  void answer() {
    assertThat(ScreenSize.parse("50 132\n")).isEqualTo(Optional.of(new ScreenSize(50, 132)));
  }

  @ParameterizedTest(name = "\"{0}\"")
  @ValueSource(strings = {"", "0 0", "24", "24 80 1", "x 80", "24 -1", "99999 80"})
  @DisplayName("is unknown for any other answer")
  void noAnswer(String text) {
    assertThat(ScreenSize.parse(text)).isEmpty();
  }
}
