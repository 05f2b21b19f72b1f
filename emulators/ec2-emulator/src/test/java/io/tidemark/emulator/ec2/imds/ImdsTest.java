package io.tidemark.emulator.ec2.imds;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.tidemark.emulator.ec2.Ec2Emulator;
import io.tidemark.emulator.ec2.SdkClients;
import io.tidemark.emulator.ec2.World;
import io.tidemark.emulator.ec2.model.Ec2ModelOptions;
import io.tidemark.emulator.kit.pace.DelayRange;
import io.tidemark.http.HttpRequest;
import io.tidemark.http.HttpResponse;
import io.tidemark.time.VirtualTime;
import java.net.InetAddress;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.services.ec2.Ec2Client;
import software.amazon.awssdk.services.ec2.model.Instance;
import software.amazon.awssdk.services.ec2.model.InstanceType;
import software.amazon.awssdk.services.ec2.model.NetworkInterface;
import software.amazon.awssdk.services.ec2.model.Subnet;

@DisplayName("The instance metadata service")
class ImdsTest {
  private static final JsonMapper JSON = new JsonMapper();
  private static final String TOKEN = "x-aws-ec2-metadata-token";
  private static final String TTL = "x-aws-ec2-metadata-token-ttl-seconds";

  private final VirtualTime time =
      new VirtualTime(Instant.parse("2026-01-01T00:00:00Z").toEpochMilli());
  private final Ec2ModelOptions options =
      World.options()
          .withDelay(DelayRange.fixed(Duration.ofSeconds(2)), Ec2ModelOptions.Delay.ATTACH);
  private final Ec2Emulator emulator = Ec2Emulator.in(time, options);
  private final Ec2Client ec2 = SdkClients.inProcess(emulator, World.ACCOUNT);
  private final Function<HttpRequest, HttpResponse> imds =
      emulator.imds(new Imds.Setting(Optional.empty(), Optional.of("node")));

  private Instance instance = Instance.builder().build();
  private NetworkInterface primary = NetworkInterface.builder().build();

  @BeforeEach
  void launch() {
    instance = run("m5.large");
    primary = shown(instance.networkInterfaces().get(0).networkInterfaceId());
  }

  @AfterEach
  void close() {
    ec2.close();
  }

  @Test
  @DisplayName("tells the instance, its place and its first interface")
  void instance() {
    String macs = "network/interfaces/macs/" + primary.macAddress() + "/";
    Map<String, String> expected =
        Map.ofEntries(
            Map.entry("ami-id", World.IMAGE),
            Map.entry("ami-launch-index", "0"),
            Map.entry("instance-id", instance.instanceId()),
            Map.entry("instance-type", "m5.large"),
            Map.entry("placement/availability-zone", "us-east-1a"),
            Map.entry("placement/availability-zone-id", "use1-az1"),
            Map.entry("placement/region", "us-east-1"),
            Map.entry("local-ipv4", primary.privateIpAddress()),
            Map.entry("local-hostname", primary.privateDnsName()),
            Map.entry("hostname", primary.privateDnsName()),
            Map.entry("mac", primary.macAddress()),
            Map.entry("security-groups", "default"),
            Map.entry("services/domain", "amazonaws.com"),
            Map.entry("services/partition", "aws"),
            Map.entry("network/interfaces/macs/", primary.macAddress() + "/"),
            Map.entry(macs + "interface-id", primary.networkInterfaceId()),
            Map.entry(macs + "device-number", "0"),
            Map.entry(macs + "mac", primary.macAddress()),
            Map.entry(macs + "owner-id", World.ACCOUNT),
            Map.entry(macs + "local-ipv4s", primary.privateIpAddress()),
            Map.entry(macs + "security-group-ids", primary.groups().get(0).groupId()),
            Map.entry(macs + "security-groups", "default"),
            Map.entry(macs + "subnet-id", primary.subnetId()),
            Map.entry(macs + "subnet-ipv4-cidr-block", "172.31.0.0/20"),
            Map.entry(macs + "vpc-id", primary.vpcId()),
            Map.entry(macs + "vpc-ipv4-cidr-block", "172.31.0.0/16"),
            Map.entry(macs + "vpc-ipv4-cidr-blocks", "172.31.0.0/16"));
    expected.forEach((path, text) -> assertThat(read(path)).as(path).isEqualTo(text));
  }

  @Test
  @DisplayName("tells addresses and prefixes of every attached interface, IPv6 and public ones too")
  void interfaces() {
    String vpc =
        ec2.createVpc(r -> r.cidrBlock("10.0.0.0/16").amazonProvidedIpv6CidrBlock(true))
            .vpc()
            .vpcId();
    String block =
        ec2.describeVpcs(r -> r.vpcIds(vpc))
            .vpcs()
            .get(0)
            .ipv6CidrBlockAssociationSet()
            .get(0)
            .ipv6CidrBlock();
    String sixtyFour = block.replace("/56", "/64");
    Subnet subnet =
        ec2.createSubnet(
                r ->
                    r.vpcId(vpc)
                        .cidrBlock("10.0.0.0/24")
                        .ipv6CidrBlock(sixtyFour)
                        .availabilityZone("us-east-1a"))
            .subnet();
    ec2.terminateInstances(r -> r.instanceIds(instance.instanceId()));
    instance = run("m5.large", subnet.subnetId());
    String second =
        ec2.createNetworkInterface(
                r ->
                    r.subnetId(subnet.subnetId())
                        .secondaryPrivateIpAddressCount(1)
                        .ipv6AddressCount(1))
            .networkInterface()
            .networkInterfaceId();
    ec2.attachNetworkInterface(
        r -> r.instanceId(instance.instanceId()).networkInterfaceId(second).deviceIndex(1));
    assertThat(read("network/interfaces/macs/").lines()).as("not before it is there").hasSize(1);
    time.runUntil(Duration.ofSeconds(2).toNanos());
    assertThat(read("network/interfaces/macs/").lines()).hasSize(2);

    ec2.assignPrivateIpAddresses(r -> r.networkInterfaceId(second).ipv4PrefixCount(1));
    ec2.assignIpv6Addresses(r -> r.networkInterfaceId(second).ipv6PrefixCount(1));
    String allocation = ec2.allocateAddress().allocationId();
    ec2.associateAddress(r -> r.allocationId(allocation).networkInterfaceId(second));
    String publicIp = ec2.describeAddresses().addresses().get(0).publicIp();
    NetworkInterface now = shown(second);
    String at = "network/interfaces/macs/" + now.macAddress() + "/";
    assertThat(read(at + "device-number")).isEqualTo("1");
    assertThat(read(at + "local-ipv4s"))
        .isEqualTo(
            now.privateIpAddresses().stream()
                .map(address -> address.privateIpAddress())
                .collect(Collectors.joining("\n")));
    assertThat(read(at + "ipv4-prefix")).isEqualTo(now.ipv4Prefixes().get(0).ipv4Prefix());
    assertThat(read(at + "ipv6-prefix")).isEqualTo(now.ipv6Prefixes().get(0).ipv6Prefix());
    assertThat(read(at + "ipv6s")).isEqualTo(now.ipv6Addresses().get(0).ipv6Address());
    assertThat(status("ipv6")).as("of the first interface only").isEqualTo(404);
    String first = instance.networkInterfaces().get(0).networkInterfaceId();
    ec2.assignIpv6Addresses(r -> r.networkInterfaceId(first).ipv6AddressCount(1));
    assertThat(read("ipv6")).isEqualTo(shown(first).ipv6Addresses().get(0).ipv6Address());
    assertThat(read(at + "subnet-ipv6-cidr-blocks")).isEqualTo(sixtyFour);
    assertThat(read(at + "vpc-ipv6-cidr-blocks")).isEqualTo(block);
    assertThat(read(at + "public-ipv4s")).isEqualTo(publicIp);
    assertThat(read(at + "ipv4-associations/" + publicIp)).isEqualTo(now.privateIpAddress());
    assertThat(status("public-ipv4")).as("of the first interface only").isEqualTo(404);
    assertThat(read(at).lines())
        .contains("ipv4-associations/", "ipv4-prefix", "interface-id")
        .doesNotContain("network-card");
  }

  @Test
  @DisplayName("tells the network card on types that have several")
  void networkCard() {
    ec2.terminateInstances(r -> r.instanceIds(instance.instanceId()));
    Instance big = run("p5.48xlarge");
    String mac = big.networkInterfaces().get(0).macAddress();
    assertThat(read("network/interfaces/macs/" + mac + "/network-card")).isEqualTo("0");
  }

  @Test
  @DisplayName("lists directories one entry per line, with and without the last slash")
  void listings() {
    String token = token("60");
    assertThat(World.body(get("/", token))).isEqualTo("latest");
    assertThat(World.body(get("/latest/", token))).isEqualTo("dynamic/\nmeta-data/");
    assertThat(World.body(get("/latest/dynamic/instance-identity/", token))).isEqualTo("document");
    assertThat(read("placement/")).isEqualTo("availability-zone\navailability-zone-id\nregion");
    assertThat(read("placement")).isEqualTo(read("placement/"));
    assertThat(read("").lines()).contains("iam/", "instance-id", "network/", "placement/");
    assertThat(read("network/")).isEqualTo("interfaces/");
    assertThat(read("network/interfaces/")).isEqualTo("macs/");
    assertThat(read("iam/")).isEqualTo("info\nsecurity-credentials/");
    for (String nothing : List.of("instance-id/", "instance-id/x", "nothing", "placement/x")) {
      assertThat(status(nothing)).as(nothing).isEqualTo(404);
    }
    assertThat(get("/2009-04-04/meta-data/instance-id", token).status()).isEqualTo(404);
    assertThat(get("/latestmeta-data", token).status()).isEqualTo(404);
  }

  @Test
  @DisplayName("gives the instance identity document (Instance identity documents)")
  void document() throws Exception {
    JsonNode document =
        JSON.readTree(World.body(get("/latest/dynamic/instance-identity/document", token("60"))));
    assertThat(document.path("accountId").asText()).isEqualTo(World.ACCOUNT);
    assertThat(document.path("architecture").asText()).isEqualTo("x86_64");
    assertThat(document.path("availabilityZone").asText()).isEqualTo("us-east-1a");
    assertThat(document.path("imageId").asText()).isEqualTo(World.IMAGE);
    assertThat(document.path("instanceId").asText()).isEqualTo(instance.instanceId());
    assertThat(document.path("instanceType").asText()).isEqualTo("m5.large");
    assertThat(document.path("pendingTime").asText()).isEqualTo("2026-01-01T00:00:00Z");
    assertThat(document.path("privateIp").asText()).isEqualTo(primary.privateIpAddress());
    assertThat(document.path("region").asText()).isEqualTo("us-east-1");
    assertThat(document.path("version").asText()).isEqualTo("2017-09-30");
  }

  @Test
  @DisplayName("gives out the role's credentials, new ones before the old ones end")
  void role() throws Exception {
    assertThat(read("iam/security-credentials/")).isEqualTo("node");
    JsonNode first = JSON.readTree(read("iam/security-credentials/node"));
    assertThat(first.path("Code").asText()).isEqualTo("Success");
    assertThat(first.path("Type").asText()).isEqualTo("AWS-HMAC");
    assertThat(first.path("LastUpdated").asText()).isEqualTo("2026-01-01T00:00:00Z");
    assertThat(first.path("Expiration").asText()).isEqualTo("2026-01-01T06:00:00Z");
    try (Ec2Client role =
        SdkClients.inProcess(
            emulator,
            StaticCredentialsProvider.create(
                AwsSessionCredentials.create(
                    first.path("AccessKeyId").asText(),
                    first.path("SecretAccessKey").asText(),
                    first.path("Token").asText())))) {
      assertThat(role.describeInstances().reservations()).hasSize(1);
    }
    assertThat(JSON.readTree(read("iam/info")).path("InstanceProfileArn").asText())
        .isEqualTo("arn:aws:iam::111111111111:instance-profile/node");

    time.runUntil(Duration.ofHours(4).toNanos());
    assertThat(JSON.readTree(read("iam/security-credentials/node"))).isEqualTo(first);
    time.runUntil(Duration.ofHours(5).toNanos());
    JsonNode second = JSON.readTree(read("iam/security-credentials/node"));
    assertThat(second.path("Expiration").asText()).isEqualTo("2026-01-01T11:00:00Z");
    assertThat(second.path("AccessKeyId")).isNotEqualTo(first.path("AccessKeyId"));

    Function<HttpRequest, HttpResponse> withoutRole =
        emulator.imds(new Imds.Setting(Optional.empty(), Optional.empty()));
    String token = token(withoutRole, "60");
    assertThat(
            withoutRole
                .apply(
                    World.metadata(
                        "GET", "/latest/meta-data/iam/security-credentials/", TOKEN, token))
                .status())
        .isEqualTo(404);
  }

  @DisplayName("gives a token for 1 second to 6 hours (How IMDSv2 works)")
  @ParameterizedTest(name = "TTL {0}: {1}")
  @CsvSource({
    "1, 200",
    "21600, 200",
    "0, 400",
    "21601, 400",
    "-1, 400",
    "'', 400",
    "x, 400",
    "1.5, 400",
    "99999999999, 400"
  })
  void ttl(String ttl, int status) {
    HttpResponse answer = imds.apply(World.metadata("PUT", "/latest/api/token", TTL, ttl));
    assertThat(answer.status()).isEqualTo(status);
    if (status == 200) {
      assertThat(answer.headers()).containsEntry(Imds.TTL_HEADER, ttl);
      assertThat(get("/latest/meta-data/instance-id", World.body(answer)).status()).isEqualTo(200);
    }
  }

  @Test
  @DisplayName("a token ends after its time, and what is left is told with every answer")
  void tokenEnds() {
    String token = token("10");
    time.runUntil(Duration.ofMillis(9_500).toNanos());
    HttpResponse answer = get("/latest/meta-data/instance-id", token);
    assertThat(World.body(answer)).isEqualTo(instance.instanceId());
    assertThat(answer.headers()).containsEntry(Imds.TTL_HEADER, "0");
    time.runUntil(Duration.ofSeconds(10).toNanos());
    assertThat(get("/latest/meta-data/instance-id", token).status()).isEqualTo(401);
  }

  @DisplayName("refuses what is no IMDSv2 request")
  @ParameterizedTest(name = "{0} {1} {2}: {4}")
  @CsvSource({
    "GET, /latest/meta-data/instance-id, x, x, 401",
    "GET, /latest/meta-data/instance-id, X-aws-ec2-metadata-token, unknown, 401",
    "GET, /nothing, x, x, 401",
    "PUT, /latest/api/token, x, x, 400",
    "PUT, /latest/meta-data/, X-aws-ec2-metadata-token-ttl-seconds, 60, 404",
    "POST, /latest/api/token, X-aws-ec2-metadata-token-ttl-seconds, 60, 405",
    "DELETE, /latest/meta-data/, x, x, 405"
  })
  void refused(String method, String path, String header, String value, int status) {
    assertThat(imds.apply(World.metadata(method, path, header, value)).status()).isEqualTo(status);
  }

  @Test
  @DisplayName("gives no token to who forwards for others (X-Forwarded-For)")
  void forwarded() {
    Map<String, String> headers = Map.of(TTL, "60", "x-forwarded-for", "203.0.113.9");
    HttpRequest request =
        new HttpRequest(
            "PUT", "/latest/api/token", "", headers, InetAddress.getLoopbackAddress(), "");
    assertThat(imds.apply(request).status()).isEqualTo(403);
  }

  @Test
  @DisplayName("is of the first instance that runs, or of the one that was chosen, or of none")
  void choice() {
    Instance second = run("m5.xlarge");
    assertThat(read("instance-type")).isEqualTo("m5.large");
    Function<HttpRequest, HttpResponse> ofSecond =
        emulator.imds(new Imds.Setting(Optional.of(second.instanceId()), Optional.empty()));
    String token = token(ofSecond, "60");
    HttpRequest type = World.metadata("GET", "/latest/meta-data/instance-type", TOKEN, token);
    assertThat(World.body(ofSecond.apply(type))).isEqualTo("m5.xlarge");

    ec2.stopInstances(r -> r.instanceIds(instance.instanceId()));
    assertThat(read("instance-type")).isEqualTo("m5.xlarge");
    ec2.terminateInstances(r -> r.instanceIds(second.instanceId()));
    assertThat(ofSecond.apply(type).status()).isEqualTo(404);
    assertThat(status("instance-id")).isEqualTo(404);
    assertThat(get("/", token("60")).status()).as("the service itself is there").isEqualTo(200);
  }

  private Instance run(String type, String... subnet) {
    return ec2.runInstances(
            r -> {
              r.imageId(World.IMAGE)
                  .instanceType(InstanceType.fromValue(type))
                  .minCount(1)
                  .maxCount(1);
              if (subnet.length > 0) {
                r.subnetId(subnet[0]);
              } else {
                r.placement(p -> p.availabilityZone("us-east-1a"));
              }
            })
        .instances()
        .get(0);
  }

  private NetworkInterface shown(String id) {
    return ec2.describeNetworkInterfaces(r -> r.networkInterfaceIds(id)).networkInterfaces().get(0);
  }

  private String token(String ttl) {
    return token(imds, ttl);
  }

  private static String token(Function<HttpRequest, HttpResponse> from, String ttl) {
    HttpResponse answer = from.apply(World.metadata("PUT", "/latest/api/token", TTL, ttl));
    assertThat(answer.status()).isEqualTo(200);
    return World.body(answer);
  }

  private HttpResponse get(String path, String token) {
    return imds.apply(World.metadata("GET", path, TOKEN, token));
  }

  private int status(String path) {
    return get("/latest/meta-data/" + path, token("60")).status();
  }

  private String read(String path) {
    HttpResponse answer = get("/latest/meta-data/" + path, token("60"));
    assertThat(answer.status()).as(path).isEqualTo(200);
    return World.body(answer);
  }
}
