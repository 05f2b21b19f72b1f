package io.tidemark.emulator.ec2.admin;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
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
    assertThat(ec2("DescribeVpcs").body()).contains("<Code>RequestLimitExceeded</Code>");
    assertThat(ec2("DescribeVpcs").body()).contains("<Code>RequestLimitExceeded</Code>");
    assertThat(ec2("DescribeSubnets").body()).contains("<Code>RequestLimitExceeded</Code>");
    assertThat(send("DELETE", "/_tidemark/faults", "").statusCode()).isEqualTo(200);
    assertThat(ec2("DescribeSubnets").statusCode()).isEqualTo(200);
  }

  @Test
  @DisplayName("dumps everything there is, with counts of calls and refusals")
  void wholeState() throws Exception {
    ec2("DescribeVpcs");
    String subnet = state("/regions/0/subnets/0/id");
    ec2("RunInstances&InstanceType=m5.large&SubnetId=" + subnet + "&" + World.ONE_OF_IMAGE);
    String instance = state("/regions/0/instances/0/id");
    ec2("CreateTags&Tag.1.Key=Name&Tag.1.Value=n1&ResourceId.1=" + instance);
    ec2("CreateSubnetCidrReservation&Cidr=172.31.8.0/28&ReservationType=prefix&SubnetId=" + subnet);
    String address = ec2("AllocateAddress").body().replaceAll("(?s).*<publicIp>(.*?)</pub.*", "$1");
    assertThat(ec2("DeleteVpc&VpcId=vpc-00000000").statusCode()).isEqualTo(400);
    send("POST", "/_tidemark/faults", "action=CreateVpc&kind=fail&code=Busy&status=503");
    send("POST", "/_tidemark/deny", "principal=x&actions=DeleteVpc,CreateVpc");
    String expected =
        """
        /throttling false
        /faults/0/code Busy
        /deny/x ["CreateVpc","DeleteVpc"]
        /calls/RunInstances/calls 1
        /calls/DeleteVpc/refusals/InvalidVpcID.NotFound 1
        /regions/0/vpcs/0/blocks/0 172.31.0.0/16
        /regions/0/subnets/0/availableAddresses 4090
        /regions/0/subnets/0/freePrefixes 254
        /regions/0/reservations/0/block 172.31.8.0/28
        /regions/0/groups/0/name default
        /regions/0/routeTables/0/main true
        /regions/0/instances/0/tags/Name n1
        /regions/0/interfaces/0/attachment/instance INSTANCE
        /regions/0/elasticAddresses/0/publicIp ADDRESS
        """;
    for (String line : expected.lines().toList()) {
      String[] pair = line.split(" ", 2);
      assertThat(state(pair[0]))
          .as(line)
          .isEqualTo(pair[1].replace("INSTANCE", instance).replace("ADDRESS", address));
    }
  }

  /** The text at a JSON pointer of the state. */
  private String state(String pointer) throws Exception {
    JsonNode found = json(send("GET", "/_tidemark/state", "")).at(pointer);
    return found.isValueNode() ? found.asText() : found.toString();
  }

  @Test
  @DisplayName("denies and allows")
  void denials() throws Exception {
    String form = "principal=111111111111&actions=DescribeVpcs";
    assertThat(send("POST", "/_tidemark/deny", form).statusCode()).isEqualTo(200);
    assertThat(ec2("DescribeVpcs").body()).contains("<Code>UnauthorizedOperation</Code>");
    assertThat(ec2("DescribeSubnets").statusCode()).isEqualTo(200);
    assertThat(json(send("GET", "/_tidemark/deny", "")).at("/deny/111111111111/0").asText())
        .isEqualTo("DescribeVpcs");
    assertThat(send("DELETE", "/_tidemark/deny", "").statusCode()).isEqualTo(200);
    assertThat(ec2("DescribeVpcs").statusCode()).isEqualTo(200);
  }

  @Test
  @DisplayName("lists the fault rules in force")
  void listsFaults() throws Exception {
    send("POST", "/_tidemark/faults", "action=*&kind=lose-answer&probability=0.5&times=3");
    JsonNode rule = json(send("GET", "/_tidemark/faults", "")).path("faults").get(0);
    assertThat(rule.path("kind").asText()).isEqualTo("lose-answer");
    assertThat(rule.path("probability").asDouble()).isEqualTo(0.5);
    assertThat(rule.path("times").asInt()).isEqualTo(3);
    assertThat(rule.has("code")).isFalse();
  }

  @Test
  @DisplayName("sets the share of noisy neighbours and returns it")
  void neighbours() throws Exception {
    HttpResponse<String> set = send("POST", "/_tidemark/strangers", "share=0.75");
    assertThat(set.statusCode()).isEqualTo(200);
    assertThat(set.body()).contains("no request is throttled");
    assertThat(json(send("GET", "/_tidemark/strangers", "")).path("strangers").asDouble())
        .isEqualTo(0.75);
  }

  @Test
  @DisplayName("fragments a subnet, so that it has addresses and no prefix")
  void fragments() throws Exception {
    ec2("DescribeSubnets");
    String id = state("/regions/0/subnets/0/id");
    HttpResponse<String> done =
        send("POST", "/_tidemark/fragment", "region=us-east-1&subnet=" + id);
    assertThat(done.statusCode()).isEqualTo(200);
    JsonNode taken = json(done);
    assertThat(taken.path("addresses").asInt()).isEqualTo(254);
    assertThat(taken.path("interfaces")).hasSize(4);
    assertThat(taken.path("freePrefixes").asInt()).isZero();
    assertThat(ec2("CreateNetworkInterface&Ipv4PrefixCount=1&SubnetId=" + id).body())
        .contains("<Code>InsufficientCidrBlocks</Code>");
    assertThat(ec2("CreateNetworkInterface&SubnetId=" + id).statusCode()).isEqualTo(200);
    assertThat(
            json(send("POST", "/_tidemark/fragment", "region=us-east-1&share=1&subnet=" + id))
                .path("addresses")
                .asInt())
        .as("there is nothing left to break up")
        .isZero();
  }

  @ParameterizedTest(name = "{0} {1} {2}")
  @CsvSource({
    "PUT, faults, '', 404, there is no PUT /_tidemark/faults",
    "POST, nothing, '', 404, POST reset",
    "POST, faults, kind=fail, 400, action is missing",
    "POST, faults, action=*&kind=explode, 400, 'kind is ''explode''; expected one of'",
    "POST, faults, action=*&kind=fail&status=200, 400, status is 200; expected 400 to 599",
    "POST, faults, action=*&kind=fail&probability=2, 400, 'probability is ''2''; expected 0 to 1'",
    "POST, faults, action=*&kind=fail&probability=x, 400, expected 0 to 1",
    "POST, faults, action=*&kind=fail&times=x, 400, times is 'x'",
    "POST, faults, action=*&kind=fail&colour=red, 400, unknown [colour]",
    "POST, faults, action=%zz, 400, a broken escape",
    "POST, faults, action=CreateVcp&kind=fail, 400, 'action is ''CreateVcp''; expected the name'",
    "POST, strangers, '', 400, share is missing",
    "POST, strangers, share=1.5, 400, 'share is ''1.5''; expected 0 to 1'",
    "POST, strangers, share=many, 400, 'share is ''many''; expected 0 to 1'",
    "POST, deny, principal=x, 400, actions is missing",
    "POST, deny, actions=*, 400, principal is missing",
    "POST, deny, 'principal=x&actions=CreateVpc,Foo', 400, 'actions is ''Foo'''",
    "POST, fragment, region=us-east-1, 400, subnet is missing",
    "POST, fragment, subnet=subnet-1, 400, region is missing",
    "POST, fragment, region=mars-1&subnet=subnet-1, 400, 'region ''mars-1'' has no subnet'",
    "POST, fragment, region=us-east-1&subnet=subnet-1, 400, 'us-east-1 has no subnet ''subnet-1'''",
    "POST, fragment, region=us-east-1&subnet=s&share=2, 400, 'share is ''2'''",
    "POST, fragment, region=us-east-1&subnet=s&seed=x, 400, 'seed is ''x'''",
  })
  @DisplayName("answers bad input with what is wrong and the remedy")
  void badInput(String method, String path, String body, int status, String problem)
      throws Exception {
    assertThat(ec2("DescribeVpcs").statusCode()).isEqualTo(200);
    HttpResponse<String> response = send(method, "/_tidemark/" + path, body);

    assertThat(response.statusCode()).isEqualTo(status);
    assertThat(response.body()).contains(problem).contains("\"remedy\"");
    assertThat(ec2("DescribeVpcs").statusCode()).isEqualTo(200);
  }

  private static JsonNode json(HttpResponse<String> response) throws IOException {
    return new JsonMapper().readTree(response.body());
  }
}
