package io.tidemark.it.aws;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.tidemark.emulator.ec2.Ec2Emulator;
import io.tidemark.it.program.NodeFolder;
import io.tidemark.it.program.OperatorProcess;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.services.ec2.Ec2Client;
import software.amazon.awssdk.services.ec2.model.Tag;

@org.junit.jupiter.api.Tag("process")
@DisplayName("tidemark doctor --provider=aws")
class DoctorTest {
  private static final String ACCOUNT = "111111111111";
  private static final URI NOBODY = URI.create("http://127.0.0.1:9");

  @TempDir private Path directory;
  @AutoClose private Ec2Emulator.Listening listening;

  @BeforeEach
  void listen() throws Exception {
    listening = EmulatorMainJobTest.listen();
  }

  private static OperatorProcess.Result doctor(URI endpoint, String... more) {
    List<String> all =
        new ArrayList<>(
            List.of(
                "doctor",
                "--provider=aws",
                "--aws-region=eu-west-1",
                "--cluster-name=example",
                "--timeout=5m",
                "--ec2-api-endpoint=" + endpoint,
                "--sts-api-endpoint=" + endpoint,
                "--aws-metadata-endpoint=" + NOBODY));
    all.addAll(List.of(more));
    return OperatorProcess.run(OperatorProcess.aws(ACCOUNT), all);
  }

  private OperatorProcess.Result ofNodes(String... more) {
    List<String> all = new ArrayList<>(List.of(more));
    all.add("--nodes=" + directory);
    return doctor(listening.endpoint(), all.toArray(String[]::new));
  }

  @Test
  @DisplayName("tries every permission on the nodes' own resources and changes nothing")
  void granted() throws Exception {
    NodeFolder nodes = NodeFolder.copy("examples/aws/nodes", directory);
    var before = nodes.content();
    OperatorProcess.Result result = ofNodes("--release-excess-ips").ends(0);

    assertThat(result.err()).isEmpty();
    assertThat(result.out())
        .containsPattern("identity +account +ok +111111111111 as arn:aws:iam::111111111111")
        .containsPattern("EC2 at http://127.0.0.1:[0-9]+ +ok")
        .containsPattern("STS at http://127.0.0.1:[0-9]+ +ok")
        .containsPattern("this machine against EC2 +ok")
        .containsPattern("ec2:DescribeNetworkInterfaces +granted")
        .containsPattern("ec2:CreateNetworkInterface +granted")
        .containsPattern("ec2:CreateTags +granted")
        .containsPattern("ec2:ModifyNetworkInterfaceAttribute +granted")
        .containsPattern("ec2:AssignPrivateIpAddresses +undecidable +EC2 has no dry run")
        .containsPattern("ec2:UnassignPrivateIpAddresses +undecidable")
        .containsPattern("network interfaces of the region +undecidable +2 of at least 5000")
        .containsPattern("instances that the nodes name +ok +2 of 2 exist in region eu-west-1")
        .containsPattern("owners of the nodes' interfaces +ok +none of 2 has another owner")
        .contains("\n0 of 24 missing or failed\n");
    assertThat(nodes.content()).isEqualTo(before);
    assertThat(interfaces()).isEqualTo(2);
  }

  @Test
  @DisplayName("names what is missing, with the statement that grants it, and ends with 3")
  void missing() throws Exception {
    NodeFolder.copy("examples/aws/nodes", directory);
    listening
        .emulator()
        .deny(
            "*",
            Set.of("AttachNetworkInterface", "AssignPrivateIpAddresses", "DescribeRouteTables"));
    OperatorProcess.Result text = ofNodes().ends(3);
    OperatorProcess.Result json = ofNodes("--output=json").ends(3);

    assertThat(text.out())
        .containsPattern("ec2:AttachNetworkInterface +missing +refused to arn:aws:iam::")
        .containsPattern("ec2:AssignPrivateIpAddresses +missing")
        .containsPattern("ec2:DescribeRouteTables +missing")
        .containsPattern("ec2:DescribeVpcs +granted")
        .contains(
            "  {\"Effect\": \"Allow\", \"Action\": \"ec2:AssignPrivateIpAddresses\","
                + " \"Resource\": \"arn:aws:ec2:eu-west-1:*:network-interface/*\"}\n")
        .contains("\n3 of 23 missing or failed\n");
    assertThat(json.out())
        .contains("\"provider\" : \"aws\"", "\"wrong\" : 3")
        .contains("\"subject\" : \"ec2:DescribeRouteTables\"", "\"result\" : \"missing\"");
  }

  @Test
  @DisplayName("asks each of two accounts for what is its own to grant")
  void twoAccounts() throws Exception {
    NodeFolder.copy("examples/aws/nodes", directory);
    String role = "arn:aws:iam::222222222222:role/network";
    OperatorProcess.Result entered = ofNodes("--aws-network-role-arn=" + role);
    listening.emulator().deny("*", Set.of("AssumeRole"));
    OperatorProcess.Result denied = ofNodes("--aws-network-role-arn=" + role).ends(3);

    assertThat(entered.out())
        .containsPattern("account of the network +ok +222222222222 as arn:aws:sts::")
        .containsPattern("sts:AssumeRole on " + role + " +granted")
        .containsPattern("ec2:DescribeSubnets +granted")
        .containsPattern("ec2:CreateNetworkInterfacePermission ");
    assertThat(denied.out())
        .containsPattern("sts:AssumeRole on " + role + " +missing")
        .contains(
            "  {\"Effect\": \"Allow\", \"Action\": \"sts:AssumeRole\", \"Resource\": \""
                + role
                + "\"}")
        .containsPattern("ec2:DescribeSubnets +undecidable +the role cannot be taken on")
        .containsPattern("ec2:DescribeInstances +granted")
        .contains("\n1 of ");
  }

  @Test
  @DisplayName("tries to give a node the elastic address that it asks for")
  void elastic() throws Exception {
    copyNodes("    pre-allocate: 8", "\n    static-ip-tags:\n      use: pods");
    try (Ec2Client ec2 = EmulatorMainJobTest.client(listening.endpoint())) {
      OperatorProcess.Result none = ofNodes();
      String id = ec2.allocateAddress(r -> r.domain("vpc")).allocationId();
      Object tagged =
          ec2.createTags(r -> r.resources(id).tags(Tag.builder().key("use").value("pods").build()));
      OperatorProcess.Result one = ofNodes();

      assertThat(tagged).isNotNull();
      assertThat(none.out())
          .containsPattern("ec2:DescribeAddresses +granted")
          .containsPattern("ec2:AssociateAddress +undecidable +no elastic address");
      assertThat(one.out()).containsPattern("ec2:AssociateAddress +granted");
    }
  }

  /** The example's nodes; the first has these lines after that one. */
  private void copyNodes(String line, String lines) {
    NodeFolder nodes = NodeFolder.copy("examples/aws/nodes", directory);
    String node = nodes.read("worker-a.yaml");
    assertThat(node).contains(line);
    nodes.write("worker-a.yaml", node.replace(line, line + lines));
  }

  /** As cilium-operator tags the interfaces that it makes for a cluster. */
  private static void tagAll(Ec2Client ec2, String cluster) {
    List<String> ids =
        ec2.describeNetworkInterfaces().networkInterfaces().stream()
            .map(each -> each.networkInterfaceId())
            .toList();
    ec2.createTags(
        r ->
            r.resources(ids)
                .tags(
                    Tag.builder().key("io.cilium/cilium-managed").value("true").build(),
                    Tag.builder().key("io.cilium/cluster-name").value(cluster).build()));
  }

  @Test
  @DisplayName("fails a node's interface with the tags of another cluster, unless it is excluded")
  void otherOwner() throws Exception {
    copyNodes("  eni:", "\n    exclude-interface-tags:\n      io.cilium/cluster-name: prod");
    try (Ec2Client ec2 = EmulatorMainJobTest.client(listening.endpoint())) {
      tagAll(ec2, "prod");
      OperatorProcess.Result other = ofNodes().ends(3);
      tagAll(ec2, "example");
      OperatorProcess.Result same = ofNodes().ends(0);

      assertThat(other.out())
          .containsPattern(
              "owners of the nodes' interfaces +failed +1 of 2 belong to cluster 'prod', by its tag"
                  + " io.cilium/cluster-name, such as eni-")
          .contains("set cluster-name to that");
      assertThat(same.out()).containsPattern("owners of the nodes' interfaces +ok");
    }
  }

  @Test
  @DisplayName("fails an endpoint where something else than EC2 answers, and tries no permission")
  void notEc2() throws Exception {
    List<String> requests = new CopyOnWriteArrayList<>();
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          requests.add(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
          exchange.sendResponseHeaders(501, -1);
          exchange.close();
        });
    server.start();
    try {
      OperatorProcess.Result result =
          doctor(URI.create("http://127.0.0.1:" + server.getAddress().getPort())).ends(3);

      assertThat(result.out())
          .containsPattern("EC2 at http://127.0.0.1:[0-9]+ +failed +answers with HTTP 501")
          .containsPattern("this machine against EC2 +undecidable")
          .containsPattern("ec2:DescribeSubnets +undecidable +EC2 does not answer, see endpoint");
      assertThat(requests).noneMatch(each -> each.contains("DescribeSubnets"));
    } finally {
      server.stop(0);
    }
  }

  private int interfaces() throws Exception {
    var state =
        java.net.http.HttpClient.newHttpClient()
            .send(
                java.net.http.HttpRequest.newBuilder(
                        listening.endpoint().resolve("/_tidemark/state"))
                    .build(),
                java.net.http.HttpResponse.BodyHandlers.ofString());
    return state.body().split("\"mac\"", -1).length - 1;
  }
}
