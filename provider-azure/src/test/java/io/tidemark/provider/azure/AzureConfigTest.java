package io.tidemark.provider.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.tidemark.config.ConfigSource;
import io.tidemark.error.IpamException;
import io.tidemark.provider.azure.identity.AzureCloud;
import io.tidemark.provider.azure.identity.CredentialChoice;
import io.tidemark.provider.azure.ipam.AzureSettings;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("The settings of the provider azure (Z45, Z46)")
class AzureConfigTest {
  private static final String MANAGER = "azure-resource-manager-endpoint";
  private static final String AUTHORITY = "azure-authority-host";

  private static Map<String, String> values(String... pairs) {
    Map<String, String> values = new HashMap<>();
    for (int i = 0; i < pairs.length; i += 2) {
      values.put(pairs[i], pairs[i + 1]);
    }
    return values;
  }

  private static AzureConfig read(String... pairs) {
    return new AzureConfigReader(ConfigSource.of(values(pairs)), Map.of()).read();
  }

  private static String refusal(Map<String, String> environment, String... pairs) {
    IpamException refused =
        catchThrowableOfType(
            IpamException.class,
            () -> new AzureConfigReader(ConfigSource.of(values(pairs)), environment).read());
    return String.valueOf(refused.getMessage());
  }

  @Test
  @DisplayName("have a default each")
  void defaults() {
    AzureConfig config = read();
    assertThat(config.cloud()).isEmpty();
    assertThat(config.authority()).isEmpty();
    assertThat(config.metadata()).hasToString("http://169.254.169.254");
    assertThat(config.caBundle()).isEmpty();
    assertThat(config.credential()).isEqualTo(CredentialChoice.machine(""));
    assertThat(config.apiShare()).isEqualTo(1);
    assertThat(config.ipam())
        .isEqualTo(
            new AzureSettings(
                Duration.ofSeconds(60),
                Duration.ofMinutes(2),
                Duration.ofSeconds(5),
                Duration.ofMinutes(5),
                "Tidemark-",
                false,
                new AzureSettings.Release(false, Duration.ofMinutes(10)),
                false,
                0,
                new AzureSettings.Fence(Optional.empty(), Optional.empty())));
  }

  @Test
  @DisplayName("are all read")
  void all() {
    AzureConfig config =
        read(
            "azure-cloud", "azurechinacloud",
            "azure-metadata-endpoint", "http://127.0.0.1:4577",
            "azure-subscription-id", "00000000-0000-0000-0000-000000000001",
            "azure-resource-group", "MC_a(b).c",
            "azure-user-assigned-identity-id", "11111111-0000-0000-0000-000000000001",
            "azure-use-primary-address", "true",
            "azure-api-share", "0.5",
            "azure-resync-interval", "1m",
            "azure-poll-interval", "2s",
            "azure-ipconfig-prefix", "Cilium-",
            "azure-release-foreign", "true",
            "azure-release-quarantine", "0",
            "azure-blocks-on-scale-sets", "true",
            "azure-subnet-reserve", "16",
            "consistency-horizon", "30s",
            "overlay-expiry", "1m");
    assertThat(config.cloud()).isEqualTo(AzureCloud.ofName("AzureChinaCloud"));
    assertThat(config.metadata()).hasToString("http://127.0.0.1:4577");
    assertThat(config.credential())
        .isEqualTo(CredentialChoice.machine("11111111-0000-0000-0000-000000000001"));
    assertThat(config.apiShare()).isEqualTo(0.5);
    assertThat(config.ipam())
        .isEqualTo(
            new AzureSettings(
                Duration.ofSeconds(30),
                Duration.ofMinutes(1),
                Duration.ofSeconds(2),
                Duration.ofMinutes(1),
                "Cilium-",
                true,
                new AzureSettings.Release(true, Duration.ZERO),
                true,
                16,
                new AzureSettings.Fence(
                    Optional.of("00000000-0000-0000-0000-000000000001"),
                    Optional.of("MC_a(b).c"))));
  }

  @Test
  @DisplayName("give a custom cloud endpoints of its own")
  void custom() {
    AzureConfig config =
        read(
            "azure-cloud",
            "custom",
            MANAGER,
            "arm.example",
            AUTHORITY,
            "https://login.example/adfs");
    assertThat(config.cloud())
        .contains(
            new AzureCloud(
                "custom",
                URI.create("https://arm.example"),
                URI.create("https://login.example/adfs")));
  }

  @Test
  @DisplayName("take the authority of AZURE_AUTHORITY_HOST before that of the cloud")
  void authority() {
    Map<String, String> environment = Map.of("AZURE_AUTHORITY_HOST", "https://login.example/");
    AzureConfig config = new AzureConfigReader(ConfigSource.of(values()), environment).read();
    assertThat(config.authority()).contains(URI.create("https://login.example/"));
    AzureConfig custom =
        new AzureConfigReader(
                ConfigSource.of(values("azure-cloud", "custom", MANAGER, "arm.example")),
                environment)
            .read();
    assertThat(custom.cloud().orElseThrow().authority()).hasToString("https://login.example/");
  }

  @DisplayName("send no secret over plain http: there it is the token of an emulator")
  @ParameterizedTest(name = "{0}, {1}")
  @CsvSource({
    "http://127.0.0.1:4577, http://127.0.0.1:4577",
    "http://localhost:4577, https://login.example",
    "https://arm.example, http://[::1]:4577"
  })
  void plain(String manager, String authority) {
    Map<String, String> environment =
        Map.of("AZURE_CLIENT_ID", "c", "AZURE_TENANT_ID", "t", "AZURE_CLIENT_SECRET", "s");
    AzureConfig config =
        new AzureConfigReader(
                ConfigSource.of(
                    values("azure-cloud", "custom", MANAGER, manager, AUTHORITY, authority)),
                environment)
            .read();
    assertThat(config.credential()).isEqualTo(CredentialChoice.EMULATOR);
  }

  @DisplayName("are refused when wrong")
  @ParameterizedTest(name = "{0}={1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "azure-cloud | AzureGermanCloud",
        "azure-subscription-id | /subscriptions/1",
        "azure-resource-group | a/b",
        "azure-user-assigned-identity-id | /subscriptions/s/resourceGroups/g",
        "azure-api-share | 0",
        "azure-resync-interval | 0",
        "azure-poll-interval | 10m",
        "azure-ipconfig-prefix | -x",
        "azure-release-quarantine | -1s",
        "azure-subnet-reserve | -1",
        "azure-metadata-endpoint | http://metadata.example",
        "azure-ca-bundle | /no/such/file",
        "consistency-horizon | 0s",
      })
  void wrong(String key, String value) {
    assertThat(refusal(Map.of(), key, value)).contains(": 1 problem\n").contains(key, "TM-1003");
  }

  @DisplayName("refuse an endpoint that is none")
  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "http://arm.example",
        "http://169.254.169.254",
        "ftp://localhost",
        "https://user:secret@arm.example",
        "https://arm.example/path",
        "a b"
      })
  void endpoints(String endpoint) {
    assertThat(
            refusal(
                Map.of(),
                "azure-cloud",
                "custom",
                MANAGER,
                endpoint,
                AUTHORITY,
                "https://login.example"))
        .contains(": 1 problem\n")
        .contains(MANAGER, "TM-1003");
  }

  @Test
  @DisplayName("refuse a custom cloud without endpoints, and endpoints of another one")
  void halfCustom() {
    assertThat(refusal(Map.of(), "azure-cloud", "custom"))
        .contains("2 problems")
        .contains("azure-cloud=custom contradicts " + MANAGER, "TM-1004")
        .contains("azure-cloud=custom contradicts " + AUTHORITY);
    assertThat(refusal(Map.of(), MANAGER, "arm.example"))
        .contains(": 1 problem\n")
        .contains(MANAGER + "=arm.example contradicts azure-cloud", "TM-1004");
  }

  @Test
  @DisplayName("refuse half a credential by the names of its variables, without their values")
  void halfCredential() {
    assertThat(refusal(Map.of("AZURE_CLIENT_SECRET", "hush", "AZURE_TENANT_ID", "t")))
        .contains(": 1 problem\n")
        .contains("environment variable AZURE_CLIENT_SECRET: is set without AZURE_CLIENT_ID")
        .contains("Set AZURE_CLIENT_ID too, or unset AZURE_CLIENT_SECRET.", "TM-1004")
        .doesNotContain("hush");
  }

  @Test
  @DisplayName("are refused all at once, the environment's with them")
  void together() {
    assertThat(
            refusal(
                Map.of(
                    "AZURE_FEDERATED_TOKEN_FILE",
                    "f",
                    "AZURE_CLIENT_ID",
                    "c",
                    "AZURE_AUTHORITY_HOST",
                    "http://login.example"),
                "azure-cloud",
                "mars",
                "azure-api-share",
                "11",
                "azure-ca-bundle",
                "/no/such/file"))
        .contains("5 problems")
        .contains(
            "azure-cloud=mars",
            "azure-api-share=11",
            "azure-ca-bundle",
            "AZURE_FEDERATED_TOKEN_FILE: is set without AZURE_TENANT_ID",
            "AZURE_AUTHORITY_HOST: is not accepted: http://login.example");
  }

  @DisplayName("have a line of meaning each, and the reference's names where it has them")
  @ParameterizedTest(name = "{0}")
  @ValueSource(
      strings = {
        "azure-subscription-id",
        "azure-resource-group",
        "azure-user-assigned-identity-id",
        "azure-use-primary-address"
      })
  void names(String key) {
    assertThat(AzureKeys.all()).anyMatch(each -> each.key().equals(key));
    assertThat(AzureKeys.all()).allMatch(each -> each.meaning().length() < 140);
  }
}
