package io.tidemark.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A setting is defined once")
class OptionsTest {
  private final Options options = new Options();
  private final ConfigProblems problems = new ConfigProblems();

  private ConfigReader given(String key, String value) {
    return new ConfigReader(ConfigSource.of(Map.of(key, value)), problems);
  }

  private ConfigReader nothing() {
    return new ConfigReader(ConfigSource.of(Map.of()), problems);
  }

  @Test
  @DisplayName("the meaning says the bounds that validation holds, the default is the one read")
  void bounds() {
    Option<Duration> pause = options.duration("pause", "1m30s", "1s", "24h", "a pause, {}");
    assertThat(pause.meaning()).isEqualTo("a pause, 1s to 24h");
    assertThat(pause.defaultText()).contains("1m30s");
    assertThat(pause.read(nothing())).isEqualTo(Duration.ofSeconds(90));
    assertThat(pause.read(given("pause", "25h"))).isEqualTo(Duration.ofSeconds(90));
    assertThat(problems.found()).singleElement().asString().contains("pause", "24h");

    assertThat(options.decimal("share", 1, 0.01, 10, "{}").meaning()).isEqualTo("0.01 to 10");
    assertThat(options.integer("tries", 2, 1, 10, "{}").meaning()).isEqualTo("1 to 10");
  }

  @Test
  @DisplayName("a default outside of the bounds means that unset is none of the values")
  void unset() {
    assertThat(options.integer("burst", 0, 1, 9, "").defaultText()).isEmpty();
    assertThat(options.decimal("qps", 0, 0.1, 9, "").defaultText()).isEmpty();
    assertThat(options.text("zone", "", "[a-z]+", "a word", "").defaultText()).isEmpty();
    assertThat(options.integer("size", 0, 0, 9, "").defaultText()).contains("0");
    assertThat(problems.found()).isEmpty();
  }

  @Test
  @DisplayName("all are listed in their order, with their forms and older names")
  void listed() {
    Option<Boolean> flag = options.flag("on", true, "is on", "enabled");
    Option<String> raw = options.raw("place", "where");
    assertThat(options.all()).isEqualTo(List.of(flag, raw));
    assertThat(flag.aliases()).containsExactly("enabled");
    assertThat(flag.form()).isEqualTo(Option.Form.FLAG);
    assertThat(flag.defaultText()).contains("true");
    assertThat(raw.read(given("place", " here "))).isEqualTo("here");
  }
}
