package io.tidemark.provider.azure.identity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.azure.core.http.HttpClient;
import com.azure.core.http.HttpPipelineBuilder;
import com.azure.core.http.HttpRequest;
import io.tidemark.emulator.arm.ArmEmulator;
import io.tidemark.emulator.arm.scenario.ArmScenarioYaml;
import io.tidemark.provider.azure.network.ArmApi;
import io.tidemark.provider.azure.network.ArmDoors;
import io.tidemark.provider.azure.network.ArmFailure;
import io.tidemark.provider.azure.network.ArmList;
import io.tidemark.provider.azure.network.ArmSamples;
import io.tidemark.provider.azure.network.BlockingConnection;
import io.tidemark.provider.azure.network.EmulatorTransport;
import io.tidemark.provider.azure.network.ResourceId;
import io.tidemark.resilience.Failure;
import io.tidemark.time.VirtualTime;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Credentials (provider-azure 6.2, Z46, Z47)")
class CredentialsTest {
  private static final AzureCloud CLOUD =
      new AzureCloud(
          "custom", URI.create("https://management.example"), URI.create("https://login.example"));

  private final VirtualTime time = new VirtualTime(System.currentTimeMillis());
  private final EmulatorTransport azure =
      new EmulatorTransport(ArmEmulator.in(time, ArmScenarioYaml.example()).handler());

  private AccessTokens.Source open(CredentialChoice choice, HttpClient transport) {
    return Credentials.open(choice, CLOUD, new HttpPipelineBuilder().httpClient(transport).build());
  }

  private void opensTheApi(CredentialChoice choice) throws Exception {
    AccessTokens.Token token = open(choice, azure).fetch();
    ArmApi api = ArmDoors.api(azure, CLOUD.resourceManager(), token::text, time);
    assertThat(api.page(ArmList.interfacesOfSet(ArmSamples.SET), Optional.empty()).items())
        .hasSize(2);
    assertThat(token.endMillis()).isGreaterThan(time.epochMillis());
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "client"})
  @DisplayName("the machine's identity, or a user-assigned one, gets a token that opens the API")
  void machine(String client) throws Exception {
    opensTheApi(CredentialChoice.machine(client));
  }

  @Test
  @DisplayName(
      "Z46 AZ-N40 each token comes from the authority and opens the API, though the last one has not"
          + " ended")
  void everyToken(@TempDir Path folder) throws Exception {
    Path file = Files.writeString(folder.resolve("token"), "a.b.c");
    for (CredentialChoice each :
        List.of(
            new CredentialChoice(CredentialChoice.Kind.CLIENT_SECRET, "tenant", "client", "any"),
            new CredentialChoice(
                CredentialChoice.Kind.WORKLOAD_IDENTITY, "tenant", "client", file.toString()))) {
      AccessTokens.Source source = open(each, azure);
      int before = azure.sent().size();
      String refused = source.fetch().text();
      assertThat(source.fetch().text()).as(each.toString()).isNotEqualTo(refused);
      assertThat(azure.sent()).hasSize(before + 2);
      opensTheApi(each);
    }
  }

  @Test
  @DisplayName("without an authority the failure can be repeated")
  void unreachable() {
    BlockingConnection broken =
        (request, context) -> {
          throw new UncheckedIOException(new IOException("connection refused"));
        };
    AccessTokens.Source source =
        open(
            new CredentialChoice(CredentialChoice.Kind.CLIENT_SECRET, "tenant", "client", "any"),
            broken);
    assertThatThrownBy(source::fetch)
        .satisfies(
            thrown ->
                assertThat(new TokenErrorClassifier().classify(AccessTokens.KIND, thrown).kind())
                    .isEqualTo(Failure.Kind.TRANSIENT));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"401, CONFIGURATION", "400, CONFIGURATION", "503, TRANSIENT", "429, TRANSIENT"})
  @DisplayName("a refused secret stops the account, an authority out of order does not")
  void refused(int status, Failure.Kind meaning) {
    List<HttpRequest> sent = new ArrayList<>();
    BlockingConnection refusing =
        (request, context) -> {
          sent.add(request);
          return EmulatorTransport.response(
              request,
              status,
              "{\"error\":\"invalid_client\",\"error_description\":\"AADSTS7000215: no\"}");
        };
    AccessTokens.Source source =
        open(
            new CredentialChoice(CredentialChoice.Kind.CLIENT_SECRET, "tenant", "client", "any"),
            refusing);
    TokenErrorClassifier classifier = new TokenErrorClassifier();
    assertThatThrownBy(source::fetch)
        .satisfies(
            thrown -> {
              Failure failure = classifier.classify(AccessTokens.KIND, thrown);
              assertThat(failure.kind()).as(failure.toText()).isEqualTo(meaning);
              assertThat(classifier.stopsAccount(failure))
                  .isEqualTo(meaning == Failure.Kind.CONFIGURATION);
              assertThat(failure.detail()).startsWith("AADSTS7000215: no");
            });
    assertThat(sent).as("requests of one leaf").hasSize(1);
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "''                                                    | identity of the machine",
        "AZURE_CLIENT_ID=c                                     | user-assigned identity c",
        "AZURE_CLIENT_ID=c,AZURE_TENANT_ID=t,AZURE_CLIENT_SECRET=s | client secret of c",
        "AZURE_CLIENT_ID=c,AZURE_TENANT_ID=t,AZURE_CLIENT_CERTIFICATE_PATH=f | client certificate"
            + " of c",
        "AZURE_CLIENT_ID=c,AZURE_TENANT_ID=t,AZURE_CLIENT_SECRET=s,AZURE_FEDERATED_TOKEN_FILE=f |"
            + " workload identity of c",
        "AZURE_TENANT_ID=t,AZURE_CLIENT_SECRET=s               | [AZURE_CLIENT_SECRET is set"
            + " without AZURE_CLIENT_ID]",
        "AZURE_FEDERATED_TOKEN_FILE=f                          | [AZURE_FEDERATED_TOKEN_FILE is set"
            + " without AZURE_CLIENT_ID, AZURE_FEDERATED_TOKEN_FILE is set without AZURE_TENANT_ID]"
      })
  @DisplayName("Z46 the environment chooses one credential; half of one is refused")
  void choice(String environment, String chosen) {
    Map<String, String> set = new TreeMap<>();
    for (String each : environment.split(",", -1)) {
      if (!each.isEmpty()) {
        set.put(each.substring(0, each.indexOf('=')), each.substring(each.indexOf('=') + 1));
      }
    }
    List<String> problems = new ArrayList<>();
    BiConsumer<String, String> incomplete =
        (given, missing) -> problems.add(given + " is set without " + missing);
    CredentialChoice choice = CredentialChoice.of(set, "", incomplete);
    assertThat(problems.isEmpty() ? choice.toString() : problems.toString()).isEqualTo(chosen);
    assertThat(CredentialChoice.of(set, "u", incomplete)).isEqualTo(CredentialChoice.machine("u"));
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "AzurePublicCloud, https://management.azure.com/.default",
    "azureusgovernmentcloud, https://management.usgovcloudapi.net/.default",
    "AzureChinaCloud, https://management.chinacloudapi.cn/.default"
  })
  @DisplayName("a cloud is known by its name, in any case; another is not")
  void clouds(String name, String scope) {
    assertThat(AzureCloud.ofName(name).orElseThrow().scope()).isEqualTo(scope);
    assertThat(AzureCloud.ofName("AzureGermanCloud")).isEmpty();
  }

  @Test
  @DisplayName("a request with another's token is refused")
  void foreignToken() {
    ArmApi api = ArmDoors.api(azure, CLOUD.resourceManager(), () -> "other", time);
    assertThatThrownBy(
            () ->
                api.page(
                    ArmList.usages(
                        ResourceId.of("/subscriptions/s/resourceGroups/g/providers/any/type/name")),
                    Optional.empty()))
        .isInstanceOfSatisfying(ArmFailure.class, e -> assertThat(e.status()).isEqualTo(401));
  }
}
