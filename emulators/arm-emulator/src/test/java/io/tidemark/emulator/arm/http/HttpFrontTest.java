package io.tidemark.emulator.arm.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.arm.ArmEmulator;
import io.tidemark.emulator.arm.document.Document;
import io.tidemark.emulator.arm.document.DocumentJson;
import io.tidemark.emulator.arm.model.ModelOptions;
import io.tidemark.emulator.arm.scenario.ArmScenarioYaml;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The Azure emulator on a port")
class HttpFrontTest {
  private static final String GROUP =
      "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/nodes/providers";
  private static final String NIC =
      GROUP + "/Microsoft.Network/networkInterfaces/worker-a-eth0?api-version=2025-03-01";
  private static final String WORKER = GROUP + "/Microsoft.Compute/virtualMachines/worker-a";

  private final HttpClient client = HttpClient.newHttpClient();

  private final ArmEmulator.Listening listening;

  HttpFrontTest() throws IOException {
    ModelOptions twoPolls = ModelOptions.builder(3).operationPolls(2).build();
    listening = ArmEmulator.listen(0, ArmScenarioYaml.example().withOptions(twoPolls));
  }

  @AfterEach
  void end() {
    listening.close();
  }

  private HttpResponse<String> send(String method, String path, String body, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(listening.endpoint().resolve("/") + path.substring(1)))
            .method(method, BodyPublishers.ofString(body));
    for (int i = 0; i < headers.length; i += 2) {
      request.header(headers[i], headers[i + 1]);
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }

  private static Document json(HttpResponse<String> response, int status) {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    return DocumentJson.read(response.body()).orElseThrow();
  }

  @Test
  @DisplayName("a token of the token endpoint opens the API, nothing does not")
  void token() throws Exception {
    Document given =
        json(
            send(
                "POST",
                "/tenant/oauth2/v2.0/token",
                "grant_type=client_credentials&client_id=c&client_secret=s&scope=x%2F.default"),
            200);
    String token = given.text("access_token").orElseThrow();
    assertThat(given.text("token_type")).contains("Bearer");
    assertThat(given.number("expires_in")).contains(3600);
    assertThat(send("GET", NIC, "", "Authorization", "Bearer " + token).statusCode())
        .isEqualTo(200);
    assertThat(send("GET", NIC, "").statusCode()).isEqualTo(401);
  }

  @Test
  @DisplayName("a client library finds the endpoints of an authority in its discovery document")
  void discovery() throws Exception {
    String tenant = listening.endpoint().resolve("/tenant").toString();
    Document found = json(send("GET", "/tenant/v2.0/.well-known/openid-configuration", ""), 200);
    assertThat(found.text("token_endpoint")).contains(tenant + "/oauth2/v2.0/token");
    assertThat(found.text("issuer")).contains(tenant + "/v2.0");
    assertThat(found.text("authorization_endpoint")).isPresent();
  }

  @ParameterizedTest(name = "{0}: {1} {2}")
  @CsvSource({
    "grant_type=password&client_id=c&client_secret=s&scope=x, 400, unsupported_grant_type",
    "grant_type=client_credentials&client_secret=s&scope=x, 400, invalid_request",
    "grant_type=client_credentials&client_id=c&scope=x, 401, invalid_client"
  })
  @DisplayName("the token endpoint refuses what is missing")
  void refusedToken(String form, int status, String error) throws Exception {
    assertThat(json(send("POST", "/tenant/oauth2/v2.0/token", form), status).text("error"))
        .contains(error);
  }

  @Test
  @DisplayName("the metadata service tells the machine and gives its token, to who asks as it says")
  void metadata() throws Exception {
    String compute = "/metadata/instance/compute?api-version=2021-02-01";
    assertThat(json(send("GET", compute, "", "Metadata", "true"), 200).text("azEnvironment"))
        .contains("AzurePublicCloud");
    assertThat(send("GET", compute, "").statusCode()).isEqualTo(400);
    String identity = "/metadata/identity/oauth2/token?api-version=2018-02-01&resource=r";
    Document given = json(send("GET", identity, "", "Metadata", "true"), 200);
    String token = given.text("access_token").orElseThrow();
    assertThat(send("GET", NIC, "", "Authorization", "Bearer " + token).statusCode())
        .isEqualTo(200);
    assertThat(send("GET", "/metadata/other?api-version=1", "", "Metadata", "true").statusCode())
        .isEqualTo(404);
  }

  @Test
  @DisplayName("a write carries its etag, and its operation is asked at the address it names")
  void write() throws Exception {
    String bearer = "Bearer static-test";
    Document nic = json(send("GET", NIC, "", "Authorization", bearer), 200);
    String body = DocumentJson.print(nic.with("tags", Document.of("a", "b")));
    HttpResponse<String> accepted =
        send("PUT", NIC, body, "Authorization", bearer, "If-Match", nic.text("etag").orElseThrow());
    assertThat(accepted.statusCode()).as(accepted.body()).isEqualTo(200);
    String operation = accepted.headers().firstValue("Azure-AsyncOperation").orElseThrow();
    assertThat(operation).startsWith(listening.endpoint().toString().replaceAll("/$", ""));
    URI url = URI.create(operation);
    String poll = url.getPath() + "?" + url.getRawQuery();
    assertThat(json(send("GET", poll, "", "Authorization", bearer), 200).text("status"))
        .contains("InProgress");
    assertThat(
            send("PUT", NIC, body, "Authorization", bearer, "If-Match", "W/\"other\"").statusCode())
        .isIn(412, 429);
  }

  @Test
  @DisplayName("the administration shows the state, sets faults, changes machines and begins anew")
  void administration() throws Exception {
    assertThat(json(send("GET", "/_tidemark/state", ""), 200).objects("machines")).hasSize(4);
    assertThat(send("POST", "/_tidemark/faults", "kind=fail&on=worker-a").statusCode())
        .isEqualTo(200);
    assertThat(json(send("GET", "/_tidemark/faults", ""), 200).objects("faults")).hasSize(1);
    assertThat(send("GET", NIC, "", "Authorization", "Bearer static-x").statusCode())
        .isEqualTo(500);
    assertThat(send("DELETE", "/_tidemark/faults", "").statusCode()).isEqualTo(200);
    assertThat(send("GET", NIC, "", "Authorization", "Bearer static-x").statusCode())
        .isEqualTo(200);
    assertThat(
            json(send("GET", "/_tidemark/requests", ""), 200)
                .object("counts")
                .number("Interfaces.Get"))
        .contains(2);
    assertThat(send("POST", "/_tidemark/machine", "do=delete&id=" + WORKER).statusCode())
        .isEqualTo(200);
    assertThat(json(send("GET", "/_tidemark/state", ""), 200).objects("machines")).hasSize(3);
    send("POST", "/_tidemark/reset", "");
    assertThat(json(send("GET", "/_tidemark/state", ""), 200).objects("machines")).hasSize(4);
  }

  @Test
  @DisplayName("a fault that is added leaves the counts of those before it")
  void faultsAddUp() throws Exception {
    String bearer = "Bearer static-x";
    send("POST", "/_tidemark/faults", "kind=fail&status=503&times=1");
    assertThat(send("GET", NIC, "", "Authorization", bearer).statusCode()).isEqualTo(503);
    send("POST", "/_tidemark/faults", "kind=fail&status=504&times=1&retry-after=7");
    HttpResponse<String> second = send("GET", NIC, "", "Authorization", bearer);
    assertThat(second.statusCode()).isEqualTo(504);
    assertThat(second.headers().firstValue("Retry-After")).contains("7");
    assertThat(send("GET", NIC, "", "Authorization", bearer).statusCode()).isEqualTo(200);
  }

  @ParameterizedTest(name = "{0} {1}: {2}")
  @CsvSource({
    "faults, kind=fail&colour=red, colour is unknown",
    "faults, operation=Interfaces.Get, kind is missing",
    "faults, kind=explode, kind is 'explode'",
    "faults, kind=fail&operation=x, operation is 'x'",
    "faults, kind=fail&probability=2, probability is '2'",
    "faults, kind=fail&times=-1, times is '-1'",
    "faults, kind=fail&status=200, status is '200'; expected a whole number from 400 to 599",
    "faults, kind=fail&retry-after=soon, retry-after is 'soon'",
    "machine, do=delete, id is missing",
    "machine, do=delete&id=/nothing, there is no resource /nothing",
    "machine, do=dance&id=/x, do is 'dance'",
    "other, '', there is no POST /_tidemark/other"
  })
  @DisplayName("the administration refuses a wrong request with the value and what was expected")
  void misadministered(String path, String form, String problem) throws Exception {
    HttpResponse<String> refused = send("POST", "/_tidemark/" + path, form);
    assertThat(refused.statusCode()).isIn(400, 404);
    assertThat(DocumentJson.read(refused.body()).orElseThrow().text("problem").orElseThrow())
        .contains(problem);
  }

  @Test
  @DisplayName("a page for people shows what there is, faults in force and requests")
  void page() throws Exception {
    send("GET", NIC, "", "Authorization", "Bearer static-somebody");
    send("POST", "/_tidemark/faults", "kind=hang&operation=Subnets.Get");
    String page = send("GET", "/", "").body();
    assertThat(page)
        .contains("<h1>Azure Resource Manager emulator</h1>")
        .contains("<td>virtualMachines/worker-a</td><td>Succeeded</td><td>running</td>")
        .contains("<td>publicIPPrefixes/egress</td><td>203.0.113.0/30</td>")
        .contains("<td>Subnets.Get</td><td></td><td>hang</td>")
        .contains("<td>Interfaces.Get</td><td>1</td>", "<td>somebody</td><td>Interfaces.Get</td>");
  }
}
