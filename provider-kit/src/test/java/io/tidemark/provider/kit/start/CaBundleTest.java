package io.tidemark.provider.kit.start;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.tidemark.config.ConfigProblem;
import io.tidemark.config.ConfigProblems;
import io.tidemark.config.ConfigReader;
import io.tidemark.config.ConfigSource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("A file of certificates of authorities")
class CaBundleTest {
  /** An authority that signed itself, of no machine. */
  private static final String CERTIFICATE =
      """
      -----BEGIN CERTIFICATE-----
      MIIBfjCCASWgAwIBAgIUH1MB6xUKFuNeC/aES6/LLATVllIwCgYIKoZIzj0EAwIw
      FDESMBAGA1UEAwwJYXV0aG9yaXR5MCAXDTI2MTEyOTEwNTYxM1oYDzIxMjYxMTA1
      MTA1NjEzWjAUMRIwEAYDVQQDDAlhdXRob3JpdHkwWTATBgcqhkjOPQIBBggqhkjO
      PQMBBwNCAAQyPSJt0ahpST0rhJAu6skacGKJgM/A7+cgFQ6wRXgEHYgbthn+0WCv
      PSFy5TsL+IVdVZ+n1pRDR0BYCdpi/rMeo1MwUTAdBgNVHQ4EFgQU9mCoIn7RkfN+
      tnBxBB9Uib6rSlIwHwYDVR0jBBgwFoAU9mCoIn7RkfN+tnBxBB9Uib6rSlIwDwYD
      VR0TAQH/BAUwAwEB/zAKBggqhkjOPQQDAgNHADBEAiBWZ1Uykqz4dFbDONZ3IFxe
      ATb2oJ34AxDVcwmUOKwquQIgQXmU8qN83zfLHUcP95nV0YWzcrH8dhPtxriIWtjU
      TAo=
      -----END CERTIFICATE-----
      """;

  @TempDir private Path folder;
  private final ConfigProblems problems = new ConfigProblems();

  private ConfigReader reader(String file) {
    return new ConfigReader(ConfigSource.of(Map.of("ca", file)), problems);
  }

  private Path file(String text) throws IOException {
    return Files.writeString(folder.resolve("ca.pem"), text);
  }

  @Test
  @DisplayName("is trusted whole, and nobody beside it")
  void trusted() throws IOException {
    Path file = file(CERTIFICATE);
    assertThat(CaBundle.setting(reader(" " + file + " "), "ca")).contains(file);
    assertThat(problems.found()).isEmpty();
    X509TrustManager trust = (X509TrustManager) CaBundle.read(file)[0];
    assertThat(trust.getAcceptedIssuers())
        .singleElement()
        .satisfies(it -> assertThat(it.getSubjectX500Principal()).hasToString("CN=authority"));
  }

  @Test
  @DisplayName("that nobody has named is none")
  void unset() {
    assertThat(CaBundle.setting(reader(" "), "ca")).isEmpty();
    assertThat(CaBundle.setting(reader("x"), "other")).isEmpty();
    assertThat(problems.found()).isEmpty();
  }

  @Test
  @DisplayName("without a certificate is a problem of its setting, with the reason")
  void unusable() throws IOException {
    Path none = folder.resolve("none.pem");
    CaBundle.setting(reader(none.toString()), "ca");
    Path text = file("nothing");
    CaBundle.setting(reader(text.toString()), "ca");
    Path empty = Files.createFile(folder.resolve("empty.pem"));
    CaBundle.setting(reader(empty.toString()), "ca");
    assertThat(problems.found()).extracting(ConfigProblem::key).containsOnly("ca");
    assertThat(problems.found()).hasSize(3);
    assertThat(problems.found().get(0).toString())
        .contains(none + " cannot be read as certificates: ");
    assertThat(problems.found().get(1).toString())
        .contains(text + " cannot be read as certificates: ");
    assertThat(problems.found().get(2).toString()).contains(empty + " holds no certificate");
    assertThatThrownBy(() -> CaBundle.read(empty)).isInstanceOf(IllegalArgumentException.class);
  }
}
