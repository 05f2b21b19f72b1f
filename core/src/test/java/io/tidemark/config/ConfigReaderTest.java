package io.tidemark.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ConfigReaderTest {
  private final ConfigProblems problems = new ConfigProblems();

  private ConfigReader of(String key, String value) {
    return new ConfigReader(ConfigSource.of(Map.of(key, value)), problems);
  }

  @Test
  @DisplayName("Lists are items between commas; blank ones do not count")
  void lists() {
    assertThat(of("subnets", "s1, s2,,s3 ,").list("subnets")).containsExactly("s1", "s2", "s3");
    assertThat(of("subnets", "").list("subnets")).isEmpty();
    assertThat(of("subnets", "s1").list("other")).isEmpty();
  }

  @Test
  @DisplayName("Maps are name=value items, in their order; a value may hold an equals sign")
  void maps() {
    assertThat(of("tags", "b=1, a = x=y ,c=").map("tags"))
        .containsExactly(Map.entry("b", "1"), Map.entry("a", "x=y"), Map.entry("c", ""));
    assertThat(of("tags", "").map("tags")).isEmpty();
    assertThat(of("tags", "a=1").map("other")).isEmpty();
    assertThat(problems.found()).isEmpty();
  }

  @Test
  @DisplayName("Items without a name, or with one that stands twice, are refused")
  void wrongMaps() {
    for (String wrong : new String[] {"a", "=1", "a=1,a=2"}) {
      assertThat(of("tags", wrong).map("tags")).isEmpty();
    }
    assertThat(problems.found())
        .hasSize(3)
        .allSatisfy(
            problem ->
                assertThat(problem.toString()).contains("items of the form name=value", "TM-1003"));
  }

  @Test
  @DisplayName("Who reads can tell a given value from a default")
  void given() {
    ConfigReader reader = of("a", "");
    assertThat(reader.isGiven("a")).isTrue();
    assertThat(reader.isGiven("b")).isFalse();
    assertThat(reader.integer("b", 7, 0, 9)).isEqualTo(7);
    assertThat(reader.source().origin("a")).isEqualTo("program");
    assertThat(problems.found()).isEmpty();
  }
}
