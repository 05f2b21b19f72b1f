package io.tidemark.provider.kit.start;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.config.ConfigProblems;
import io.tidemark.config.ConfigReader;
import io.tidemark.config.ConfigSource;
import java.net.URI;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The address of a service, as settings write it")
class EndpointTextTest {
  @DisplayName("is a URL or a host name; plain http stays on this machine, or asks for metadata")
  @ParameterizedTest(name = "{0}: {1}, of metadata {2}")
  @CsvSource({
    "ec2.eu-central-1.amazonaws.com, https://ec2.eu-central-1.amazonaws.com, yes",
    "ec2.example.org:8443, https://ec2.example.org:8443, yes",
    "' https://ec2.example.org ', https://ec2.example.org, yes",
    "HTTPS://ec2.example.org, HTTPS://ec2.example.org, yes",
    "http://localhost:4566, http://localhost:4566, yes",
    "http://LOCALHOST:4566, http://LOCALHOST:4566, yes",
    "http://127.0.0.1:4566, http://127.0.0.1:4566, yes",
    "http://[::1]:4566, http://[::1]:4566, yes",
    "http://169.254.169.254, refused, http://169.254.169.254",
    "http://[fd00:ec2::254], refused, http://[fd00:ec2::254]",
    "http://169.254.169.253, refused, refused",
    "http://ec2.example.org, refused, refused",
    "http://localhost.example.org, refused, refused",
    "ftp://localhost, refused, refused",
    "https://me@ec2.example.org, refused, refused",
    "https://ec2.example.org?Action=x, refused, refused",
    "https://, refused, refused",
    "https:///path, refused, refused",
    "two words, refused, refused",
    "'', none, none",
    "' ', none, none"
  })
  void addresses(String text, String expected, String ofMetadata) {
    assertThat(read(text, false)).isEqualTo(expected);
    assertThat(read(text, true)).isEqualTo(ofMetadata.equals("yes") ? expected : ofMetadata);
  }

  @DisplayName("that nobody has set is none")
  @ParameterizedTest
  @CsvSource({"true", "false"})
  void unset(boolean metadata) {
    assertThat(read(null, metadata)).isEqualTo("none");
  }

  private static String read(@Nullable String text, boolean metadata) {
    ConfigProblems problems = new ConfigProblems();
    ConfigReader reader =
        new ConfigReader(
            ConfigSource.of(text == null ? Map.of() : Map.of("endpoint", text)), problems);
    Optional<URI> read =
        metadata
            ? EndpointText.readMetadata(reader, "endpoint")
            : EndpointText.read(reader, "endpoint");
    if (problems.found().isEmpty()) {
      return read.map(URI::toString).orElse("none");
    }
    assertThat(problems.found()).hasSize(1);
    assertThat(problems.found().get(0).toString()).contains("endpoint", EndpointText.EXPECTED);
    assertThat(read).isEmpty();
    return "refused";
  }
}
