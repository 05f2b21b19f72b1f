package io.tidemark.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.engine.Providers;
import io.tidemark.error.IpamException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("Providers")
class ProvidersTest {
  @Test
  @DisplayName("are found on the class path")
  void installed() {
    assertThat(Providers.installed().names()).containsExactly("aws", "azure", "mock");
  }

  @Test
  @DisplayName("are chosen by name")
  void named() {
    assertThat(Providers.installed().named("mock", "command line").name()).isEqualTo("mock");
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({"mock, mock", "aws, ec2", "azure, azure"})
  @DisplayName("give metrics of requests the word that the reference gives them")
  void metrics(String name, String word) {
    assertThat(Providers.installed().named(name, "command line").metricsName()).isEqualTo(word);
  }

  @Test
  @DisplayName("that are unknown are refused with the known ones")
  void unknown() {
    assertThatThrownBy(() -> Providers.installed().named("gcp", "command line"))
        .isInstanceOf(IpamException.class)
        .hasMessage(
            "TM-1021 PROVIDER_UNKNOWN: command line: there is no provider 'gcp'; known: aws, azure,"
                + " mock. Choose one of the providers listed with --provider.");
  }
}
