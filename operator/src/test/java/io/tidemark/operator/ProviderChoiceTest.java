package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.config.ConfigLayer;
import io.tidemark.config.ConfigProblems;
import io.tidemark.config.Setting;
import io.tidemark.error.CoreError;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProviderChoiceTest {
  private final ConfigProblems problems = new ConfigProblems();

  @DisplayName("ipam chooses the provider, unless provider does")
  @ParameterizedTest(name = "provider {0}, ipam {1}: {2}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          -    | eni             | aws   | -
          -    | azure           | azure | -
          mock | eni             | mock  | -
          mock | cluster-pool    | mock  | -
          -    | cluster-pool    | -     | do not get their addresses from a cloud
          -    | kubernetes      | -     | do not get their addresses from a cloud
          -    | multi-pool      | -     | do not get their addresses from a cloud
          -    | crd             | -     | another program writes the resources
          -    | delegated-plugin | -    | another plugin assigns addresses
          -    | alibabacloud    | -     | that cloud has no provider here
          -    | enj             | -     | no such mode is known
          -    | -               | -     | -
          """)
  void choice(String provider, String mode, String chosen, String problem) {
    Map<String, String> map = new LinkedHashMap<>();
    if (mode != null) {
      map.put("ipam", mode);
    }
    if (provider != null) {
      map.put("provider", provider);
    }

    var choice = ProviderChoice.of(List.of(ConfigLayer.own(Setting.all("f:1", map))), problems);

    assertThat(choice.map(ProviderChoice::name)).isEqualTo(Optional.ofNullable(chosen));
    if (problem == null) {
      assertThat(problems.found()).isEmpty();
    } else {
      assertThat(problems.found())
          .singleElement()
          .satisfies(
              each -> {
                assertThat(each.code()).isEqualTo(CoreError.CONFIG_INVALID_VALUE);
                assertThat(each.toString()).contains("f:1: ipam=" + mode, problem);
              });
    }
  }
}
