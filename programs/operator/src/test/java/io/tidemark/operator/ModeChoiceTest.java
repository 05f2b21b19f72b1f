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

class ModeChoiceTest {
  private final ConfigProblems problems = new ConfigProblems();

  @DisplayName("NC-AM16 in one place ipam says what is run; eni and azure leave the provider")
  @ParameterizedTest(name = "provider {0}, ipam {1}: {2}")
  @CsvSource(
      delimiter = '|',
      nullValues = "-",
      textBlock =
          """
          -    | eni              | provider aws        | -
          -    | azure            | provider azure      | -
          mock | eni              | provider mock       | -
          mock | -                | provider mock       | -
          aws  | kubernetes       | ipam kubernetes     | -
          -    | kubernetes       | ipam kubernetes     | -
          -    | cluster-pool     | ipam cluster-pool   | -
          -    | multi-pool       | -                   | do not get their addresses from a cloud
          mock | multi-pool       | -                   | do not get their addresses from a cloud
          -    | node-id          | ipam node-id        | -
          mock | node-id          | ipam node-id        | -
          -    | crd              | -                   | another program writes the resources
          -    | delegated-plugin | -                   | another plugin assigns addresses
          -    | alibabacloud     | -                   | that cloud has no provider here
          -    | enj              | -                   | no such mode is known
          -    | -                | -                   | -
          """)
  void choice(String provider, String mode, String chosen, String problem) {
    Map<String, String> map = new LinkedHashMap<>();
    if (mode != null) {
      map.put("ipam", mode);
    }
    if (provider != null) {
      map.put("provider", provider);
    }

    var choice = ModeChoice.of(List.of(ConfigLayer.own(Setting.all("f:1", map))), problems);

    assertThat(choice.map(ModeChoiceTest::text)).isEqualTo(Optional.ofNullable(chosen));
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

  @DisplayName("agents of one cloud and the provider of another, in one place, are a contradiction")
  @ParameterizedTest(name = "ipam {0}, provider {1}")
  @CsvSource({"eni, azure, aws", "azure, aws, azure"})
  void contradiction(String mode, String provider, String right) {
    var layer = ConfigLayer.own(Setting.all("f:1", Map.of("ipam", mode, "provider", provider)));

    ModeChoice.of(List.of(layer), problems);

    assertThat(problems.found())
        .singleElement()
        .satisfies(
            each -> {
              assertThat(each.code()).isEqualTo(CoreError.CONFIG_CONTRADICTION);
              assertThat(each.toString())
                  .contains("f:1: ipam=" + mode + " contradicts provider=" + provider, right);
            });
  }

  private static String text(ModeChoice choice) {
    return choice.key() + ' ' + choice.name();
  }

  @DisplayName("NC-AM16 of provider and ipam the one in the stronger place decides")
  @ParameterizedTest(name = "{0} before {1}: {2}")
  @CsvSource({
    "provider=mock, ipam=kubernetes, provider mock",
    "provider=mock, ipam=crd, provider mock",
    "ipam=kubernetes, provider=mock, ipam kubernetes",
    "ipam=azure, provider=aws, provider azure",
    "ipam=cluster-pool, ipam=eni, ipam cluster-pool"
  })
  void places(String stronger, String weaker, String chosen) {
    var choice = ModeChoice.of(List.of(layer(stronger), layer(weaker)), problems);

    assertThat(problems.found()).isEmpty();
    assertThat(choice.map(ModeChoiceTest::text)).contains(chosen);
  }

  private static ConfigLayer layer(String setting) {
    String[] parts = setting.split("=", 2);
    return ConfigLayer.own(Setting.all("place", Map.of(parts[0], parts[1])));
  }
}
