package io.tidemark.emulator.ec2;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.ec2.http.Ec2Handler;
import io.tidemark.emulator.ec2.http.Exchange;
import io.tidemark.emulator.ec2.http.Response;
import io.tidemark.emulator.ec2.protocol.Answer;
import io.tidemark.time.VirtualTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("The EC2 query protocol")
class ProtocolTest {
  private static final String AUTHORIZATION =
      "AWS4-HMAC-SHA256 Credential=111111111111/20260101/us-east-1/ec2/aws4_request,"
          + " SignedHeaders=host, Signature=00";

  @DisplayName("A broken request is refused with EC2's code, text and status")
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          Action=Describe&Version=2016-11-15             | InvalidAction         | 400 | The action Describe is not valid for this web service.
          Action=DescribeSubnet&Version=2016-11-15       | InvalidAction         | 400 | Did you mean DescribeSubnets?
          Action=CreateVolume&Version=2016-11-15         | UnsupportedOperation  | 400 | The emulator does not support the action CreateVolume
          Action=DescribeVpcs&Version=2016-11-15&MaxResults=%D9%A5 | InvalidParameterValue | 400 | maxResults
          Action=DescribeVpcs&Version=2016-11-15&MaxResults=%2B5 | InvalidParameterValue | 400 | maxResults
          Action=DescribeVpcs&Version=2016-11-15&VpcId.%D9%A1=vpc-1 | UnknownParameter | 400 | VpcId
          Version=2016-11-15                             | MissingAction         | 400 | Action
          Action=DescribeVpcs&Version=2006-06-26         | NoSuchVersion         | 400 | 2006-06-26
          Action=DescribeVpcs&Version=2016-11-15&Foo=1   | UnknownParameter      | 400 | The parameter Foo is not recognized
          Action=DescribeVpcs&Version=2016-11-15&VpcId=1 | UnknownParameter      | 400 | The parameter VpcId is not recognized
          Action=DescribeVpcs&Version=2016-11-15&VpcId.x=1 | UnknownParameter    | 400 | VpcId.x
          Action=DescribeVpcs&Version=2016-11-15&Filter.1.Foo=1 | UnknownParameter | 400 | Filter.1.Foo
          Action=DeleteVpc&Version=2016-11-15            | MissingParameter      | 400 | The request must contain the parameter vpcId
          Action=DescribeVpcs&Version=2016-11-15&MaxResults=x | InvalidParameterValue | 400 | maxResults
          Action=DescribeVpcs&Version=2016-11-15&DryRun=yes | InvalidParameterValue | 400 | dryRun
          Action=CreateVpc&Version=2016-11-15&Ipv6Pool=p | UnsupportedOperation  | 400 | Ipv6Pool
          Action=DescribeVpcs&Version=2016-11-15&a=%zz   | MalformedQueryString  | 400 | syntax error
          Action=DescribeVpcs&Action=DescribeVpcs        | MalformedQueryString  | 400 | twice
          """)
  void refused(String body, String code, int status, String fragment) {
    Response response = handler().handle(new Exchange(Optional.of(AUTHORIZATION), "", body));
    assertThat(response.status()).isEqualTo(status);
    assertThat(response.body())
        .contains("<Response><Errors><Error><Code>" + code + "</Code><Message>")
        .contains(fragment)
        .contains("<RequestID>" + response.requestId() + "</RequestID>");
  }

  @Test
  @DisplayName("A request without or with a broken credential scope is nobody's")
  void credentials() {
    String body = "Action=DescribeVpcs&Version=2016-11-15";
    Response nobody = handler().handle(new Exchange(Optional.empty(), "", body));
    assertThat(nobody.status()).isEqualTo(403);
    assertThat(nobody.body()).contains("<Code>MissingAuthenticationToken</Code>");
    Response broken = handler().handle(new Exchange(Optional.of("Basic eDp5"), "", body));
    assertThat(broken.status()).isEqualTo(401);
    assertThat(broken.body()).contains("<Code>AuthFailure</Code>");
  }

  @Test
  @DisplayName("Every character that EC2 allows is taken in a group's name and description")
  void groupCharacters() {
    World world = new World();
    String text = "azAZ09 ._-:/()#,@[]+=&;{}!$*";
    world.call("CreateSecurityGroup", "GroupName=" + text, "GroupDescription=" + text);
    Answer shown = world.call("DescribeSecurityGroups", "GroupName.1=" + text);
    assertThat(World.texts(shown, "securityGroupInfo.*.groupDescription")).containsExactly(text);
  }

  @Test
  @DisplayName("A GET with its parameters in the query is answered as a POST; text is escaped")
  void get() {
    Ec2Handler handler = handler();
    Response created =
        handler.handle(
            new Exchange(
                Optional.of(AUTHORIZATION),
                "Action=CreateSecurityGroup&Version=2016-11-15&GroupName=a%20b%26c"
                    + "&GroupDescription=d",
                ""));
    assertThat(created.status()).isEqualTo(200);
    assertThat(created.body())
        .startsWith(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<CreateSecurityGroupResponse"
                + " xmlns=\"http://ec2.amazonaws.com/doc/2016-11-15/\"><requestId>")
        .endsWith("</CreateSecurityGroupResponse>");
    Response listed =
        handler.handle(
            new Exchange(
                Optional.of(AUTHORIZATION),
                "Action=DescribeSecurityGroups&Version=2016-11-15",
                ""));
    assertThat(listed.body()).contains("<groupName>a b&amp;c</groupName>");
  }

  @Test
  @DisplayName("Region and account come from the credential scope; accounts see their own")
  void accounts() {
    Ec2Handler handler = handler();
    String body = "Action=DescribeSubnets&Version=2016-11-15";
    String other = AUTHORIZATION.replace("111111111111", "222222222222");
    String key = AUTHORIZATION.replace("111111111111", "AKIDEXAMPLE");
    String tokyo = AUTHORIZATION.replace("us-east-1", "ap-northeast-1");
    assertThat(handler.handle(new Exchange(Optional.of(AUTHORIZATION), "", body)).body())
        .contains("<ownerId>111111111111</ownerId>")
        .doesNotContain("222222222222");
    assertThat(handler.handle(new Exchange(Optional.of(other), "", body)).body())
        .contains("<ownerId>222222222222</ownerId>");
    assertThat(handler.handle(new Exchange(Optional.of(key), "", body)).body())
        .contains("<ownerId>000000000000</ownerId>");
    assertThat(handler.handle(new Exchange(Optional.of(tokyo), "", body)).body())
        .contains("<availabilityZoneId>apne1-az1</availabilityZoneId>");
  }

  @Test
  @DisplayName("Pages: each resource once, deletions in between do no harm, the last has no token")
  void pages() {
    World world = new World();
    String subnet = world.subnet("10.0.0.0/24");
    List<String> made = new ArrayList<>();
    for (int i = 0; i < 17; i++) {
      made.add(world.interfaceId(subnet));
    }
    List<String> seen = new ArrayList<>();
    Optional<String> token = Optional.empty();
    do {
      Answer page =
          token.isEmpty()
              ? world.call("DescribeNetworkInterfaces", "MaxResults=5")
              : world.call("DescribeNetworkInterfaces", "MaxResults=5&NextToken=" + token.get());
      seen.addAll(World.texts(page, "networkInterfaceSet.*.networkInterfaceId"));
      token = page.text("nextToken");
      if (seen.size() == 5) {
        world.call("DeleteNetworkInterface", "NetworkInterfaceId=" + made.get(4));
        world.call("DeleteNetworkInterface", "NetworkInterfaceId=" + made.get(10));
        made.remove(10);
      }
    } while (token.isPresent());
    assertThat(seen).containsExactlyElementsOf(made);
    assertThat(new HashSet<>(seen)).hasSize(16);
  }

  @Test
  @DisplayName("A signature for another service is refused, and nothing is done")
  void scopeOfAnotherService() {
    Ec2Handler handler = handler();
    for (String service : List.of("s3", "eks", "EC2", "")) {
      Response refused =
          handler.handle(
              new Exchange(
                  Optional.of(AUTHORIZATION.replace("/ec2/", "/" + service + "/")),
                  "",
                  "Action=CreateVpc&Version=2016-11-15&CidrBlock=10.0.0.0/16"));
      assertThat(refused.status()).as(service).isEqualTo(403);
      assertThat(refused.body())
          .contains("<Code>SignatureDoesNotMatch</Code>", "correct service: 'ec2'");
    }
    Response listed =
        handler.handle(
            new Exchange(Optional.of(AUTHORIZATION), "", "Action=DescribeVpcs&Version=2016-11-15"));
    assertThat(listed.body()).contains("172.31.0.0/16").doesNotContain("10.0.0.0/16");
  }

  private static Ec2Handler handler() {
    return Ec2Emulator.in(new VirtualTime(1_767_225_600_000L), World.options()).handler();
  }
}
