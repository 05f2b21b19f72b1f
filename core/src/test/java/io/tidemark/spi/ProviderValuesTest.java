package io.tidemark.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Values that providers work with (node-manager 1.6, 10.4)")
class ProviderValuesTest {

  @ParameterizedTest(name = "required {0}={1} -> {2}")
  @CsvSource({"1, 1, true", "2, 2, true", "3, 3, false", "1, 2, false"})
  @DisplayName("C-37 tags match what they hold with the same value")
  void tags(String key, String value, boolean matches) {
    assertEquals(matches, new Tags(Map.of("1", "1", "2", "2")).matches(Map.of(key, value)));
  }

  @Test
  @DisplayName("C-37 every required pair counts, and no requirement matches everything")
  void allTags() {
    Tags tags = new Tags(Map.of("1", "1", "2", "2"));
    assertThat(tags).matches(it -> it.matches(Map.of("1", "1", "2", "2")), "has both");
    assertThat(tags).matches(it -> it.matches(Map.of("2", "2")), "has the second");
    assertThat(tags).matches(it -> !it.matches(Map.of("1", "1", "3", "3")), "has no third");
    assertThat(tags).matches(it -> !it.matches(Map.of("1", "2")), "has another first");
    assertThat(tags).matches(it -> it.matches(Map.of()), "has what nobody asks for");
    assertThat(new Tags(Map.of())).matches(it -> it.matches(Map.of()), "needs none");
  }
}
