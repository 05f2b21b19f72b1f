package io.tidemark.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.config.ConfigSource;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("cluster-uid (provider-aws M6)")
class BackendSettingsTest {
  private static final ConfigSource GIVEN = ConfigSource.of(Map.of("cluster-name", "west"));

  private static Optional<String> notAsked() {
    throw new AssertionError("the backend is asked though cluster-uid is set");
  }

  @Test
  @DisplayName("is what the backend of the nodes knows, where it was not set")
  void known() {
    ConfigSource settings = BackendSettings.of(GIVEN, () -> Optional.of("u-1"));

    assertThat(settings.value("cluster-uid")).contains("u-1");
    assertThat(settings.origin("cluster-uid")).isEqualTo("namespace kube-system");
    assertThat(settings.value("cluster-name")).contains("west");
    assertThat(settings.origin("cluster-name")).isEqualTo("program");
  }

  @Test
  @DisplayName("is as it was set, and nothing where neither is")
  void given() {
    ConfigSource set = ConfigSource.of(Map.of("cluster-uid", "mine"));

    assertThat(BackendSettings.of(set, BackendSettingsTest::notAsked).value("cluster-uid"))
        .contains("mine");
    assertThat(BackendSettings.of(GIVEN, Optional::empty).value("cluster-uid")).isEmpty();
  }
}
