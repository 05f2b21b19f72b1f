package io.tidemark.it.aws;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.emulator.ec2.Ec2Emulator;
import io.tidemark.emulator.ec2.ListenOptions;
import io.tidemark.emulator.ec2.imds.Imds;
import io.tidemark.emulator.ec2.scenario.Ec2Scenario;
import io.tidemark.emulator.ec2.scenario.Ec2ScenarioYaml;
import io.tidemark.emulator.ec2.types.Ec2InstanceTypes;
import io.tidemark.it.program.NodeFolder;
import io.tidemark.it.program.OperatorProcess;
import io.tidemark.testing.Hang;
import io.tidemark.testing.Repository;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import software.amazon.awssdk.auth.credentials.AwsBasicCredentials;
import software.amazon.awssdk.auth.credentials.StaticCredentialsProvider;
import software.amazon.awssdk.http.urlconnection.UrlConnectionHttpClient;
import software.amazon.awssdk.regions.Region;
import software.amazon.awssdk.services.ec2.Ec2Client;
import software.amazon.awssdk.services.ec2.model.Filter;
import software.amazon.awssdk.services.ec2.model.NetworkInterface;
import software.amazon.awssdk.services.ec2.model.NetworkInterfacePrivateIpAddress;

@Tag("process")
@DisplayName("tidemark --provider=aws with examples/aws and the EC2 emulator")
class EmulatorMainJobTest {
  private static final String ACCOUNT = "111111111111";
  private static final String EXAMPLE = "examples/aws/nodes";
  private static final String NOBODY = "http://127.0.0.1:9";

  @TempDir private Path directory;

  private static Ec2Scenario world() {
    return world(Ec2InstanceTypes.bundled());
  }

  private static Ec2Scenario world(Ec2InstanceTypes types) {
    return Ec2ScenarioYaml.read(Repository.root().resolve("examples/aws/ec2.yaml"), types)
        .scenario()
        .orElseThrow();
  }

  /** The EC2 of the example. */
  static Ec2Emulator.Listening listen() throws IOException {
    return Ec2Emulator.listen(ListenOptions.of(0, world()));
  }

  /** The example's settings, where the emulator listens. */
  private List<String> arguments(String words, URI endpoint, String... more) {
    List<String> all = new ArrayList<>(List.of(words.split(" ")));
    all.add("--provider=aws");
    all.add("--nodes=" + directory);
    all.add("--config=" + Repository.root().resolve("examples/aws/settings.yaml"));
    all.add("--ec2-api-endpoint=" + endpoint);
    all.add("--sts-api-endpoint=" + endpoint);
    all.addAll(List.of(more));
    return all;
  }

  private OperatorProcess.Result runOnce(URI endpoint, String... more) {
    return OperatorProcess.run(
        OperatorProcess.aws(ACCOUNT), arguments("run --once", endpoint, more));
  }

  /** The example's account and region, asked by the SDK. */
  static Ec2Client client(URI endpoint) {
    return Ec2Client.builder()
        .endpointOverride(endpoint)
        .region(Region.EU_WEST_1)
        .credentialsProvider(
            StaticCredentialsProvider.create(AwsBasicCredentials.create(ACCOUNT, "any")))
        .httpClientBuilder(UrlConnectionHttpClient.builder().socketTimeout(Hang.LIMIT))
        .build();
  }

  /** Every secondary address of an instance, with its interface, as EC2 has it. */
  private static SortedMap<String, String> really(URI endpoint, String instance) {
    try (Ec2Client ec2 = client(endpoint)) {
      SortedMap<String, String> all = new TreeMap<>();
      for (NetworkInterface each :
          ec2.describeNetworkInterfaces(r -> r.filters(attachedTo(instance))).networkInterfaces()) {
        each.privateIpAddresses().stream()
            .filter(address -> !address.primary())
            .map(NetworkInterfacePrivateIpAddress::privateIpAddress)
            .forEach(address -> all.put(address, each.networkInterfaceId()));
      }
      return all;
    }
  }

  private static Filter attachedTo(String instance) {
    return Filter.builder().name("attachment.instance-id").values(instance).build();
  }

  /** Those of the table, and one that EC2 has and the table lacks. */
  private static Ec2InstanceTypes withNewer(String name) throws IOException {
    List<String> lines =
        new ArrayList<>(Files.readAllLines(Repository.root().resolve("data/instance-types.csv")));
    String like =
        lines.stream().filter(line -> line.startsWith("m5.large,")).findFirst().orElseThrow();
    lines.add(like.replace("m5.large", name));
    return Ec2InstanceTypes.parse(lines);
  }

  @Test
  @DisplayName("AWS-101 run --once and explain know a type that EC2 has and the table lacks")
  void newerType() throws Exception {
    NodeFolder nodes = NodeFolder.copy(EXAMPLE, directory);
    nodes.write("worker-a.yaml", nodes.read("worker-a.yaml").replace("m5.large", "zz9.large"));
    try (Ec2Emulator.Listening listening =
        Ec2Emulator.listen(ListenOptions.of(0, world(withNewer("zz9.large"))))) {
      OperatorProcess.Result explained =
          OperatorProcess.run(
              OperatorProcess.aws(ACCOUNT), arguments("explain worker-a", listening.endpoint()));
      assertThat(explained.out() + explained.err()).doesNotContain("TM-1205");

      assertThat(runOnce(listening.endpoint()).ends(0).out())
          .contains("worker-a     0          8       0       0           1  ok     -\n");
    }
  }

  @Test
  @DisplayName("run --once fills the pools with what EC2 really gave; again it changes nothing")
  void mainJob() throws Exception {
    NodeFolder nodes = NodeFolder.copy(EXAMPLE, directory);
    try (Ec2Emulator.Listening listening = listen()) {
      OperatorProcess.Result first = runOnce(listening.endpoint()).ends(0);

      assertThat(first.err()).isEmpty();
      assertThat(first.out())
          .contains("worker-a     0          8       0       0           1  ok     -\n")
          .contains("worker-b     0          8       0       0           3  ok     -\n")
          .contains("AssignPrivateIpAddresses 1, AttachNetworkInterface 2");
      assertThat(nodes.pool("worker-a.yaml"))
          .hasSize(8)
          .isEqualTo(really(listening.endpoint(), "i-0e8eb2114fd92ca04"));
      assertThat(nodes.pool("worker-b.yaml"))
          .hasSize(8)
          .isEqualTo(really(listening.endpoint(), "i-007051dc63c300db7"));
      assertThat(nodes.read("worker-b.yaml"))
          .contains("status:\n  eni:\n    enis:\n", "tidemark.io/cluster: example");

      SortedMap<String, String> before = nodes.content();
      OperatorProcess.Result second = runOnce(listening.endpoint()).ends(0);

      assertThat(second.err()).isEmpty();
      assertThat(second.out()).doesNotContainPattern("Assign|Create|Attach|Modify|Delete");
      assertThat(nodes.content()).isEqualTo(before);
    }
  }

  @Test
  @DisplayName("where nodes follow prefixes of instances, no name of the cluster is looked for")
  void nodeCidrs() throws Exception {
    Files.writeString(
        directory.resolve("worker-a.yaml"),
        """
            apiVersion: v1
            kind: Node
            metadata: {name: worker-a}
            spec: {providerID: 'aws:///eu-west-1a/i-0e8eb2114fd92ca04'}
            """);
    try (Ec2Emulator.Listening listening = listen()) {
      OperatorProcess.Result result =
          OperatorProcess.run(
                  OperatorProcess.aws(ACCOUNT),
                  List.of(
                      "run",
                      "--once",
                      "--ipam=kubernetes",
                      "--allocate-node-cidrs",
                      "--cidr-allocator-type=CloudAllocator",
                      "--provider=aws",
                      "--nodes=" + directory,
                      "--aws-region=eu-west-1",
                      "--aws-metadata-endpoint=http://127.0.0.1:9",
                      "--ec2-api-endpoint=" + listening.endpoint()))
              .ends(3);

      assertThat(result.out())
          .contains("instance i-0e8eb2114fd92ca04 has no range of IPv4")
          .containsPattern("\ncalls: [^\n]*DescribeNetworkInterfaces")
          .doesNotContain("metadata", "DescribeTags");
      assertThat(result.err()).doesNotContain("names no cluster");
    }
  }

  @Test
  @DisplayName("M11 begins while nobody answers, is not ready, and goes on by itself when EC2 does")
  void lateCloud() throws Exception {
    NodeFolder.copy(EXAMPLE, directory);
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    URI endpoint = URI.create("http://127.0.0.1:" + port);
    try (OperatorProcess program =
        OperatorProcess.start(OperatorProcess.aws(ACCOUNT), arguments("run --port=0", endpoint))) {
      URI own = program.awaitEndpoints();
      List<String> lines = new ArrayList<>();
      program.awaitLog(line -> lines.add(line) && line.contains("The full scan of the cloud fail"));
      assertThat(OperatorProcess.status(own.resolve("readyz"))).isEqualTo(503);
      assertThat(OperatorProcess.status(own.resolve("healthz"))).isEqualTo(200);

      try (Ec2Emulator.Listening listening = Ec2Emulator.listen(ListenOptions.of(port, world()))) {
        program.awaitLog(line -> lines.add(line) && line.contains("node=worker-a state=ok"));
        assertThat(lines)
            .as("the cloud is away for all nodes: no line for each")
            .noneMatch(line -> line.contains("reason=TM-1212"));
        assertThat(OperatorProcess.status(own.resolve("readyz"))).isEqualTo(200);
        assertThat(program.stop()).isZero();
        assertThat(listening.endpoint().getPort()).isEqualTo(port);
      }
    }
  }

  @Test
  @DisplayName("M19 takes the region of the instance's metadata; without any it says what to set")
  void metadata() throws Exception {
    NodeFolder.copy(EXAMPLE, directory);
    ListenOptions options =
        ListenOptions.of(0, world())
            .withMetadata(0, new Imds.Setting(Optional.empty(), Optional.empty()));
    try (Ec2Emulator.Listening listening = Ec2Emulator.listen(options)) {
      List<String> arguments =
          List.of(
              "run",
              "--provider=aws",
              "--nodes=" + directory,
              "--cluster-name=example",
              "--ec2-api-endpoint=" + listening.endpoint());
      List<String> with = new ArrayList<>(arguments);
      with.add("--once");
      with.add("--aws-metadata-endpoint=" + listening.metadataEndpoint().orElseThrow());
      List<String> without = new ArrayList<>(arguments);
      without.add("--port=0");
      without.add("--aws-metadata-endpoint=http://127.0.0.1:9");

      OperatorProcess.run(OperatorProcess.aws(ACCOUNT), with).ends(0);
      try (OperatorProcess none = OperatorProcess.start(OperatorProcess.aws(ACCOUNT), without)) {
        assertThat(none.awaitLog(line -> line.contains("Set aws-region")))
            .contains("hop limit to 2");
      }
    }
  }

  /** Its time is made longer until it has this reason: a slow machine needs more. */
  private static OperatorProcess.Result runsOut(String reason, Path nodes, String output) {
    int seconds = 25;
    OperatorProcess.Result result;
    do {
      result =
          OperatorProcess.run(
              OperatorProcess.aws("111111111111"),
              List.of(
                  "run",
                  "--once",
                  "--provider=aws",
                  "--aws-region=eu-west-1",
                  "--cluster-name=example",
                  "--nodes=" + nodes,
                  "--ec2-api-endpoint=" + NOBODY,
                  "--sts-api-endpoint=" + NOBODY,
                  "--aws-metadata-endpoint=" + NOBODY,
                  "--output=" + output,
                  "--timeout=" + seconds + "s"));
      seconds *= 2;
    } while (!result.out().contains(reason) && seconds < Hang.SECONDS);
    return result;
  }

  @Test
  @DisplayName(
      "run --once names an endpoint that refuses the connection, for people and for programs")
  void refusedConnection(@TempDir Path other) throws Exception {
    NodeFolder.copy("examples/aws/nodes", directory);
    NodeFolder.copy("examples/aws/nodes", other);
    CompletableFuture<OperatorProcess.Result> atTheSameTime =
        CompletableFuture.supplyAsync(() -> runsOut("the last full scan failed", other, "text"));
    OperatorProcess.Result json = runsOut("the last full scan failed", directory, "json");
    OperatorProcess.Result text = atTheSameTime.join();

    assertThat(text.exitCode()).isEqualTo(4);
    assertThat(text.out())
        .containsPattern(
            "TM-1212 INSTANCES_API_UNSTABLE: the last full scan failed with TM-2002 CALL_FAILED"
                + " notSent: Describe\\w+: .*[Cc]onnect");
    assertThat(json.out())
        .contains("\"reason\" : \"TM-1212\"")
        .containsPattern("\"detail\" : \"the last full scan failed with TM-2002 .*[Cc]onnect");
  }
}
