package io.tidemark.emulator.ec2.admin;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.ec2.Ec2Emulator;
import io.tidemark.emulator.ec2.World;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The admin path")
class AdminTest {
  private static final String QUERY =
      "?Version=2016-11-15&X-Amz-Credential=111111111111/20260101/us-east-1/ec2/aws4_request"
          + "&Action=";

  private final HttpClient client = HttpClient.newHttpClient();
  private Ec2Emulator.Listening listening;

  @BeforeEach
  void listen() throws IOException {
    listening = Ec2Emulator.listen(0, World.options());
  }

  @AfterEach
  void close() {
    listening.close();
  }

  private HttpResponse<String> send(String method, String path, String body) throws Exception {
    return client.send(
        HttpRequest.newBuilder(URI.create(listening.endpoint() + path))
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  private HttpResponse<String> ec2(String action) throws Exception {
    return send("GET", "/" + QUERY + action, "");
  }

  @Test
  @DisplayName("shows what exists, and a reset takes it away")
  void stateAndReset() throws Exception {
    assertThat(send("GET", "/_tidemark/state", "").body()).contains("\"regions\" : [ ]");
    assertThat(ec2("CreateVpc&CidrBlock=10.0.0.0/16").statusCode()).isEqualTo(200);
    assertThat(ec2("DescribeVpcs").body()).contains("10.0.0.0/16");
    assertThat(send("GET", "/_tidemark/state", "").body())
        .contains("\"us-east-1\"", "\"172.31.32.0/20\"", "\"availableAddresses\" : 4091");

    assertThat(send("POST", "/_tidemark/reset", "").statusCode()).isEqualTo(200);

    assertThat(send("GET", "/_tidemark/state", "").body()).contains("\"regions\" : [ ]");
    assertThat(ec2("DescribeVpcs").body()).contains("172.31.0.0/16").doesNotContain("10.0.0.0/16");
  }

  @Test
  @DisplayName("adds a fault rule that is in force until it is used up or taken back")
  void faults() throws Exception {
    String rule = "action=DescribeVpcs&kind=fail&code=Unavailable&status=503&skip=1&times=1";
    assertThat(send("POST", "/_tidemark/faults", rule).statusCode()).isEqualTo(200);

    assertThat(ec2("DescribeVpcs").statusCode()).isEqualTo(200);
    assertThat(ec2("DescribeVpcs").body()).contains("<Code>Unavailable</Code>");
    assertThat(ec2("DescribeVpcs").statusCode()).isEqualTo(200);

    send("POST", "/_tidemark/faults", "action=*&kind=throttle");
    assertThat(ec2("DescribeSubnets").body()).contains("<Code>RequestLimitExceeded</Code>");
    assertThat(send("DELETE", "/_tidemark/faults", "").statusCode()).isEqualTo(200);
    assertThat(ec2("DescribeSubnets").statusCode()).isEqualTo(200);
  }

  @ParameterizedTest(name = "{0} {1} {2}")
  @CsvSource({
    "GET, faults, '', 404, there is no GET /_tidemark/faults",
    "POST, nothing, '', 404, POST reset",
    "POST, faults, kind=fail, 400, action is missing",
    "POST, faults, action=*&kind=explode, 400, 'kind is ''explode''; expected one of'",
    "POST, faults, action=*&kind=fail&status=200, 400, status is 200; expected 400 to 599",
    "POST, faults, action=*&kind=fail&probability=2, 400, probability 2.0",
    "POST, faults, action=*&kind=fail&probability=x, 400, expected 0 to 1",
    "POST, faults, action=*&kind=fail&times=x, 400, times is 'x'",
    "POST, faults, action=*&kind=fail&colour=red, 400, unknown [colour]",
    "POST, faults, action=%zz, 400, a broken escape",
  })
  @DisplayName("answers bad input with what is wrong and the remedy")
  void badInput(String method, String path, String body, int status, String problem)
      throws Exception {
    HttpResponse<String> response = send(method, "/_tidemark/" + path, body);

    assertThat(response.statusCode()).isEqualTo(status);
    assertThat(response.body()).contains(problem).contains("\"remedy\"");
    assertThat(ec2("DescribeVpcs").statusCode()).isEqualTo(200);
  }
}
