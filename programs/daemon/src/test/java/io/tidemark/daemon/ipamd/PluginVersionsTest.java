package io.tidemark.daemon.ipamd;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The versions of the plugin")
class PluginVersionsTest {
  @ParameterizedTest(name = "D116 {0} is served: {1}")
  @CsvSource({
    "v1.7.0,           one_address",
    "1.10.4,           one_address",
    "v1.19.6,          one_address",
    "v1.19.6-3-gabcdef, one_address",
    "v1.20.0,          address_list",
    "1.20,             address_list",
    "v1.23.1,          address_list",
    "v2.0.0,           address_list",
    "'',               address_list",
    "(devel),          address_list",
    "1.23x1,           address_list",
    "123456789012.1.1, address_list",
    "v1.6.4,           refused",
    "0.99.0,           refused",
  })
  @DisplayName("D116 Every version from 1.7 is served in its form, others in the newest")
  void all(String client, String expected) {
    assertThat(
            PluginVersions.all()
                .form(client)
                .map(form -> form.name().toLowerCase(Locale.ROOT))
                .orElse("refused"))
        .isEqualTo(expected);
  }

  @Test
  @DisplayName("D116 With plugin-version set only that one is served, the refusal as upstream's")
  void only() {
    PluginVersions versions = PluginVersions.only("v1.19.6");
    assertThat(versions.form("v1.19.6")).contains(WireForm.ONE_ADDRESS);
    assertThat(versions.form("1.19.6")).isEmpty();
    assertThat(versions.form("")).isEmpty();
    assertThat(versions.refusal("v1.22.0"))
        .isEqualTo("wrong client version \"v1.22.0\" (!= \"v1.19.6\")");
    assertThat(PluginVersions.only("(devel)").form("(devel)")).contains(WireForm.ADDRESS_LIST);
    assertThat(PluginVersions.all().refusal("1.6.0"))
        .isEqualTo("wrong client version \"1.6.0\" (!= \"1.7.0 or newer\")");
  }
}
